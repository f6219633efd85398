import { type Edit, editedFolder } from './edited-contract.ts';

const OPENAPI = 'openapi.yaml';
const SDL = 'schema.graphql';

const PARAMETERS = `
        - name: filter
          in: query
          content: { application/json: { schema: { $ref: '#/components/schemas/EmployeeFilter' } } }
        - name: mentor
          in: query
          style: deepObject
          schema:
            type: object
            additionalProperties: false
            properties:
              name: { type: string, minLength: 1, maxLength: 80 }
              salary: { type: integer, minimum: 0, maximum: 1000000 }`;

const SCHEMAS = `
    TextFilter:
      type: object
      additionalProperties: false
      properties:
        eq: { type: string, minLength: 1, maxLength: 80 }
        in: { type: array, maxItems: 10, items: { type: string, minLength: 1, maxLength: 80 } }
    DepartmentFilter:
      type: object
      additionalProperties: false
      properties:
        name: { type: string, minLength: 1, maxLength: 80 }
        employees: { $ref: '#/components/schemas/EmployeeListFilter' }
    EmployeeListFilter:
      type: object
      additionalProperties: false
      properties:
        some: { $ref: '#/components/schemas/EmployeeFilter' }
        none: { $ref: '#/components/schemas/EmployeeFilter' }
    EmployeeFilter:
      type: object
      additionalProperties: false
      properties:
        and: { type: array, maxItems: 10, items: { $ref: '#/components/schemas/EmployeeFilter' } }
        or: { type: array, maxItems: 10, items: { $ref: '#/components/schemas/EmployeeFilter' } }
        not: { $ref: '#/components/schemas/EmployeeFilter' }
        name: { type: string, minLength: 1, maxLength: 80 }
        userId: { $ref: '#/components/schemas/TextFilter' }
        salary: { type: integer, minimum: 0, maximum: 1000000 }
        badge: { type: string, maxLength: 20 }
        level: { $ref: '#/components/schemas/Level' }
        departmentId: { type: string, format: uuid }
        department: { $ref: '#/components/schemas/DepartmentFilter' }
        mentor: { $ref: '#/components/schemas/EmployeeFilter' }
        mentored: { $ref: '#/components/schemas/EmployeeListFilter' }`;

const INPUTS = `"Operators of texts."
input TextFilter {
  eq: String
  in: [String!]
}

"Conditions on departments."
input DepartmentFilter {
  name: String
  employees: EmployeeListFilter
}

"Employees of which some or none meet conditions."
input EmployeeListFilter {
  some: EmployeeFilter
  none: EmployeeFilter
}

"Conditions on employees."
input EmployeeFilter {
  and: [EmployeeFilter!]
  or: [EmployeeFilter!]
  not: EmployeeFilter
  name: String
  userId: TextFilter
  salary: Int
  badge: String
  level: Level
  departmentId: ID
  department: DepartmentFilter
  mentor: EmployeeFilter
  mentored: EmployeeListFilter
}`;

/** What gives the list of employees filters that combine conditions, some of them by what few callers read. */
const FILTERED: readonly Edit[] = [
  [OPENAPI, /\n {8}- \{ name: (mentorId|salary), in: query.*/g, ''],
  [OPENAPI, /\n {8}- \{ name: departmentId, in: query.*/g, `$&${PARAMETERS}`],
  [OPENAPI, '\n    Level: {', `${SCHEMAS}\n    Level: {`],
  [SDL, /"A range of Int values\."[^}]*}\n\n/g, ''],
  [SDL, /"Selects the employees in a list\."[^}]*}/g, INPUTS],
];

/** Callers that may read a mentor of whom they may not read everything. */
export const MENTORS_KNOWN: Edit = [OPENAPI, /( {10}x-on-delete: set-null)\n {10}x-access:\n.*\n/g, '$1\n'];

/** Reads the payroll's folder with such filters, after more edits. */
export const filteredPayroll = <T>(edits: readonly Edit[], read: (folder: string) => Promise<T>): Promise<T> =>
  editedFolder('payroll', [...FILTERED, ...edits], read);
