import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { childPointer } from '../../../descriptor/json-pointer.ts';
import { clientGraphql } from '../../emit/clients/client-graphql.ts';
import { emitClientDocument } from '../../emit/clients/emit-client-document.ts';
import { throughResources } from '../../emit/clients/resource-tree.ts';
import { sdkNames } from '../../emit/sdk/sdk-resources.ts';
import type { ContractModel, OperationModel } from '../../model/model.ts';
import { camelCase, lowerFirst, pathShape, snakeCase, upperFirst } from '../../model/naming.ts';
import type { Edition } from './edition.ts';

/** Those that the product has a client for. */
export const LANGUAGES = ['TypeScript', 'Python', 'Go', 'Java'] as const;

/** Something of a contract that clients export under names of their own. */
export interface Exported {
  readonly area: 'rest' | 'graphql';
  /** As changes name it: an operationId, a schema, a field of a root type. */
  readonly subject: string;
  /** What it is, whatever it is called: two editions have the same thing where this is the same. */
  readonly identity: string;
  /** Of an operation: the other subject of changes that take it away. */
  readonly path?: string;
  /** Into the document. */
  readonly pointer: string;
  readonly names: Readonly<Record<(typeof LANGUAGES)[number], string>>;
}

/** Everything that the clients of a contract export for its operations, schemas and root fields. */
export function exportedBy({ model }: Edition): readonly Exported[] {
  const { components } = JSON.parse(emitClientDocument(model)) as OpenApiDocument;
  const calls = typescriptCalls(model);
  return [
    ...model.operations.map((operation) => operationExport(operation, calls)),
    ...Object.entries(components?.schemas ?? {}).map(([name, schema]) => schemaExport(name, schema)),
    ...(model.graphql ? clientGraphql(model.graphql).documents.map(fieldExport) : []),
  ];
}

function operationExport({ operationId, method, path, node }: OperationModel, calls: ReadonlyMap<string, string>) {
  const [tag = 'default'] = (node.tags ?? []) as readonly string[];
  return {
    area: 'rest',
    subject: operationId,
    identity: `${method} ${pathShape(path)}`,
    path,
    pointer: childPointer(childPointer('/paths', path), method),
    names: {
      TypeScript: calls.get(operationId) ?? operationId,
      Python: `api.${snakeCase(tag)}.${snakeCase(operationId)}`,
      Go: `${goName(operationId)}WithResponse`,
      Java: `${pascalCase(tag)}Api.${lowerFirst(camelCase(operationId))}`,
    },
  } satisfies Exported;
}

function schemaExport(name: string, schema: unknown): Exported {
  const type = pascalCase(name);
  const names = { TypeScript: name, Python: `models.${type}`, Go: goName(name), Java: `model.${type}` };
  const pointer = childPointer('/components/schemas', name);
  return { area: 'rest', subject: name, identity: JSON.stringify(schema), pointer, names };
}

type Document = ReturnType<typeof clientGraphql>['documents'][number];

function fieldExport({ name, kind, field }: Document): Exported {
  const names = {
    TypeScript: lowerFirst(upperFirst(field) + upperFirst(kind)),
    Python: `graphql.${snakeCase(name)}`,
    Go: `graphql.${goName(name)}`,
    Java: `Graphql.${lowerFirst(name)}`,
  };
  const subject = `${upperFirst(kind)}.${field}`;
  return { area: 'graphql', subject, identity: subject, pointer: '', names };
}

/** How the TypeScript client calls each operation: `cats.list`, or the function of a custom one. */
function typescriptCalls(model: ContractModel): ReadonlyMap<string, string> {
  const { resources, operations } = sdkNames(model);
  const actions = [...model.resources, ...throughResources(model)].flatMap(({ key, actions: offered }) =>
    Object.entries(offered).map(([name, { operationId }]) => [operationId, `${resources.get(key)}.${name}`] as const),
  );
  return new Map([...actions, ...operations]);
}

const pascalCase = (words: string): string => upperFirst(camelCase(words));

const INITIALISMS = new Set(
  `ACL API ASCII CPU CSS DB DNS EOF GUID HTML HTTP HTTPS ID IP JSON QPS RAM RPC SLA SMTP SQL SSH TCP TLS TTL UDP UI GID UID UUID URI URL
  UTF8 VM XML XMPP XSRF XSS SIP RTP AMQP TS`.split(/\s+/),
);

/** `getCatById` → `GetCatByID`, as oapi-codegen spells it. */
const goName = (words: string): string =>
  pascalCase(words).replace(/[A-Z][a-z0-9]+/g, (word) =>
    INITIALISMS.has(word.toUpperCase()) ? word.toUpperCase() : word,
  );
