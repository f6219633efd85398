import type { Edit } from './edited-contract.ts';

const OPENAPI = 'openapi.yaml';

/** The conservatory with ids of courses that the server makes. */
export const COURSES_WITH_MADE_IDS: readonly Edit[] = [
  [OPENAPI, /(CourseInput:\n.*\n\s+required: \[ )id, (.*\n\s+properties:\n)\s+id: .*\n/g, '$1$2'],
  [OPENAPI, / minLength: 1, maxLength: 40, pattern: '\^\[a-z0-9-\]\{1,40\}\$'/g, ' format: uuid'],
  [OPENAPI, /minLength: 1\n\s+maxLength: 40\n\s+pattern: \^\[a-z0-9-\]\{1,40\}\$/g, 'format: uuid'],
  ['schema.graphql', /(input CourseInput \{\n) {2}id: ID!\n/g, '$1'],
];

/** The same with teachers whom all schools share. */
export const WITH_SHARED_TEACHERS: readonly Edit[] = [
  ...COURSES_WITH_MADE_IDS,
  [OPENAPI, 'schoolId, userId, name, email ]', 'userId, name, email ]'],
  [OPENAPI, /schoolId: .*\n\s+(userId: .*\n\s+name: .*\n\s+email: )/g, '$1'],
  ['schema.graphql', /(type Teacher \{\n(?: {2}.*\n)*?) {2}schoolId: String!\n/g, '$1'],
];
