import { ContractFiles } from '../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../src/authoring/sync-contract.ts';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { withFolder } from './folder.ts';
import { byPatient, conditions, FILTERS } from './ruled-filters.ts';

type Node = Readonly<Record<string, unknown>>;

const uuid = { type: 'string', format: 'uuid' };
const text = { type: 'string', minLength: 1, maxLength: 80 };
const note = { type: ['string', 'null'], maxLength: 80 };
const ref = (schema: string, inverse: string, onDelete: string) => ({
  ...uuid,
  'x-references': schema,
  'x-inverse': inverse,
  'x-on-delete': onDelete,
});

interface Kind {
  readonly name: string;
  readonly path: string;
  /** The path's parameter of the parent. */
  readonly parent?: string;
  readonly properties: Node;
  /** Properties that callers do not send. */
  readonly own?: readonly string[];
  readonly sorts?: readonly string[];
  readonly filters?: readonly object[];
  readonly access?: Node;
  /** Of all operations; left out, callers need no token. */
  readonly security?: readonly object[];
}

const mine = { userId: '$claims.sub' };

/** Patients of clinics with members, the doctors whom they have appointments with, and what is noted about them. */
const KINDS: readonly Kind[] = [
  {
    name: 'Clinic',
    path: '/clinics',
    properties: { name: text },
    access: {
      read: [{ scope: 'clinic:admin' }, { where: { members: { some: mine } } }],
      update: [{ where: { members: { some: { ...mine, role: 'EDITOR' } } } }],
    },
  },
  {
    name: 'Member',
    path: '/clinics/{clinicId}/members',
    parent: 'clinicId',
    properties: {
      clinicId: { ...uuid, 'x-references': 'Clinic', 'x-inverse': 'members', 'x-on-delete': 'cascade' },
      userId: text,
      role: { type: 'string', enum: ['READER', 'EDITOR'] },
    },
    own: ['clinicId'],
  },
  {
    name: 'Patient',
    path: '/patients',
    properties: {
      name: text,
      ward: { type: 'string', enum: ['NORTH', 'SOUTH', 'EAST'] },
      published: { type: 'boolean' },
      note,
      clinicId: ref('Clinic', 'patients', 'cascade'),
      friendId: {
        type: ['string', 'null'],
        format: 'uuid',
        'x-references': 'Patient',
        'x-inverse': 'friends',
        'x-on-delete': 'set-null',
      },
    },
    sorts: ['name', '-name'],
    filters: [
      { name: 'ward', in: 'query', schema: { type: 'string', enum: ['NORTH', 'SOUTH', 'EAST'] } },
      {
        name: 'name',
        in: 'query',
        style: 'deepObject',
        schema: {
          type: 'object',
          properties: { contains: { type: 'string', minLength: 1, maxLength: 80 } },
          additionalProperties: false,
        },
      },
      {
        name: 'clinic',
        in: 'query',
        style: 'deepObject',
        schema: { type: 'object', properties: { name: text }, additionalProperties: false },
      },
      conditions('Patient'),
    ],
    access: {
      read: [
        { scope: 'clinic:admin' },
        { where: { appointments: { some: { doctorId: '$claims.sub' } } } },
        { where: { ward: { in: '$claims.wards' }, not: { note: 'secret' } } },
        { where: { published: true } },
      ],
      create: [{ where: { clinic: { members: { some: { ...mine, role: 'EDITOR' } } } } }],
      update: [
        { where: { ward: { in: ['NORTH', 'SOUTH'] }, clinic: { members: { some: { ...mine, role: 'EDITOR' } } } } },
      ],
      delete: [{ scope: 'clinic:delete', where: { published: false } }],
    },
  },
  {
    name: 'Appointment',
    path: '/appointments',
    properties: {
      patientId: ref('Patient', 'appointments', 'cascade'),
      doctorId: text,
      room: text,
    },
    filters: [{ name: 'patientId', in: 'query', schema: uuid }, conditions('Appointment')],
    access: { read: [{ scope: 'clinic:admin' }, { where: { doctorId: '$claims.sub' } }] },
  },
  {
    name: 'Record',
    path: '/patients/{patientId}/records',
    parent: 'patientId',
    properties: {
      patientId: { ...uuid, 'x-references': 'Patient', 'x-inverse': 'records', 'x-on-delete': 'cascade' },
      text,
    },
    own: ['patientId'],
    filters: [byPatient],
  },
  {
    name: 'Invoice',
    path: '/invoices',
    properties: {
      patientId: ref('Patient', 'invoices', 'cascade'),
      total: { type: 'integer', minimum: 0, maximum: 9999 },
    },
    security: [{ bearer: ['clinic:admin'] }],
  },
];

const MANAGED = {
  id: uuid,
  version: { type: 'integer', minimum: 1, maximum: 2147483647 },
  createdAt: { type: 'string', format: 'date-time' },
  updatedAt: { type: 'string', format: 'date-time' },
};
const PAGE_PARAMETERS = [
  { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 20 } },
  { name: 'cursor', in: 'query', schema: { type: 'string', minLength: 1, maxLength: 2048 } },
  { name: 'count', in: 'query', schema: { type: 'boolean', default: false } },
];
const json = (schema: string): Node => ({ 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } });
const answer = (description: string, schema?: string): Node => ({
  description,
  ...(schema && { content: json(schema) }),
});
const ANYONE = [{}, { bearer: [] }];

function pathsOf({ name, path, parent, sorts, filters = [], security = ANYONE }: Kind): Node {
  const plural = `${name}s`;
  const id = `${name.toLowerCase()}Id`;
  const above = parent === undefined ? [] : [{ name: parent, in: 'path', required: true, schema: uuid }];
  const sort = { type: 'array', minItems: 1, maxItems: 1, uniqueItems: true, items: { type: 'string', enum: sorts } };
  const sorted = sorts ? [{ name: 'sort', in: 'query', explode: false, schema: sort }] : [];
  const body = (schema: string) => ({ required: true, content: json(schema) });
  const operation = (verb: string, what: string, responses: Node, more: Node = {}) => ({
    operationId: `${verb}${what}`,
    summary: `${verb[0]!.toUpperCase()}${verb.slice(1)} ${what}`,
    security,
    ...more,
    responses,
  });
  const patch = { 'application/merge-patch+json': { schema: { $ref: `#/components/schemas/${name}Patch` } } };
  return {
    [path]: {
      parameters: above,
      get: operation(
        'list',
        plural,
        { 200: answer('A page.', `${name}Page`) },
        {
          parameters: [...PAGE_PARAMETERS, ...sorted, ...filters],
        },
      ),
      post: operation('create', name, { 201: answer('The new one.', name) }, { requestBody: body(`${name}Input`) }),
    },
    [`${path}/{${id}}`]: {
      parameters: [...above, { name: id, in: 'path', required: true, schema: uuid }],
      get: operation('get', name, { 200: answer('It.', name) }),
      put: operation('replace', name, { 200: answer('It.', name) }, { requestBody: body(`${name}Input`) }),
      patch: operation(
        'update',
        name,
        { 200: answer('It.', name) },
        {
          requestBody: { required: true, content: patch },
        },
      ),
      delete: operation('delete', name, { 204: { description: 'It is gone.' } }),
    },
  };
}

const isNullable = (schema: unknown): boolean => Array.isArray((schema as Node)['type']);

function schemasOf({ name, properties, own = [], access }: Kind): Node {
  const inputs = Object.fromEntries(
    Object.entries(properties)
      .filter(([one]) => !own.includes(one))
      .map(([one, schema]) => [one, plain(schema as Node)]),
  );
  const required = (all: Node) => Object.keys(all).filter((one) => !isNullable(all[one]));
  return {
    [name]: {
      type: 'object',
      required: [...Object.keys(MANAGED), ...required(properties)],
      ...(access && { 'x-access': access }),
      properties: { ...MANAGED, ...properties },
    },
    [`${name}Input`]: { type: 'object', required: required(inputs), properties: inputs },
    [`${name}Patch`]: { type: 'object', properties: inputs },
    [`${name}Page`]: {
      type: 'object',
      required: ['data', 'page'],
      properties: {
        data: { type: 'array', items: { $ref: `#/components/schemas/${name}` } },
        page: {
          type: 'object',
          required: ['nextCursor'],
          properties: {
            nextCursor: { type: ['string', 'null'] },
            totalCount: { type: 'integer', minimum: 0, maximum: 2147483647 },
          },
        },
      },
    },
  };
}

const plain = (schema: Node): Node =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keyword.startsWith('x-')));

function documentOf(kinds: readonly Kind[]): Node {
  return {
    openapi: '3.1.0',
    info: { title: 'Clinic', version: '1.0.0', description: 'Who may see whom.' },
    servers: [{ url: '/v1' }],
    paths: Object.assign({}, ...kinds.map(pathsOf)),
    components: {
      securitySchemes: {
        bearer: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: '/token',
              scopes: { 'clinic:admin': 'See everything', 'clinic:delete': 'Remove patients' },
            },
          },
        },
      },
      schemas: Object.assign({}, FILTERS, ...kinds.map(schemasOf)),
    },
  };
}

const CONNECTIONS = ['Patient.appointments', 'Clinic.patients'];

let compiled: Promise<CompiledContract> | undefined;

/** The contract with both of its sides, compiled once. */
export function ruledClinic(): Promise<CompiledContract> {
  compiled ??= compile(documentOf(KINDS));
  return compiled;
}

function compile(document: Node): Promise<CompiledContract> {
  return withFolder({ 'openapi.yaml': JSON.stringify(document, undefined, 2) }, async (folder) => {
    const files = await ContractFiles.open(folder);
    const outcome = await synchronise(files, { contracts: folder, connections: CONNECTIONS });
    if (outcome.kind !== 'synced') throw new Error(JSON.stringify(outcome.findings, undefined, 1));
    await files.write('schema.graphql', withoutEventsOf('Appointment', (await files.read('schema.graphql'))!));
    await files.save();
    const { model, findings } = await modelContract(folder);
    if (!model) throw new Error(findings.map(({ message }) => message).join('\n'));
    return model;
  });
}

/** Nobody follows the rows themselves, only what they decide. */
const withoutEventsOf = (name: string, sdl: string): string =>
  sdl.replaceAll(new RegExp(`\\n  "[^"\\n]*"\\n  ${name.toLowerCase()}(Created|Updated|Deleted)\\b.*`, 'g'), '');
