import { type GraphQLNamedType, type GraphQLType, getNamedType, isObjectType } from 'graphql';
import type { FieldDescriptor } from '../../../descriptor/graphql.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { namesReached } from '../../json-schema/names-reached.ts';
import type { ContractModel, OperationModel } from '../../model/model.ts';
import type { Change } from './change.ts';
import type { Edition } from './edition.ts';

const MAX_NAMED = 8;
const ACTION_OF: Readonly<Record<string, string>> = { reference: 'get', connection: 'list' };

/** What a change touches: operationIds, and fields of GraphQL (`Query.orders`). */
export type Touched = Required<Pick<Change, 'operations' | 'fields'>>;

/** What changes touch in either edition. */
export function touchedIn(editions: readonly Edition[]): (change: Change) => Touched {
  const names = editions.map(({ model }) => namesByOperation(model));
  const types = editions.map(typesByField);
  return ({ area, subject }) => {
    const touched = editions.map(({ model }, i) =>
      area === 'graphql'
        ? { operations: [], fields: fieldsOf(subject, types[i]!) }
        : restTouched(subject, model, names[i]!),
    );
    return {
      operations: unique(touched.flatMap((one) => one.operations)),
      fields: unique(touched.flatMap((one) => one.fields)),
    };
  };
}

/** Adds what a change touches in either edition, to its message as well. */
export function withTouched(editions: readonly Edition[]): (change: Change) => Change {
  const touchedBy = touchedIn(editions);
  return (change) => {
    const touched = touchedBy(change);
    return {
      ...change,
      message: `${change.message}${sentence([...touched.operations, ...touched.fields])}`,
      ...touched,
    };
  };
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];

function sentence(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return names.length === 0 ? '' : ` Touches ${names.slice(0, MAX_NAMED).join(', ')}${more}.`;
}

function restTouched(subject: string, model: ContractModel, names: ReadonlyMap<OperationModel, readonly string[]>) {
  const isBeginning = (name: string): boolean => subject === name || subject.startsWith(`${name}.`);
  const operations = model.operations.filter((operation) => lookUp(names, operation).some(isBeginning));
  const fields = Object.entries(model.graphql?.descriptor.fields ?? {}).filter(([, field]) =>
    operations.some((operation) => isSame(field, operation)),
  );
  return { operations: operations.map(({ operationId }) => operationId), fields: fields.map(([name]) => name) };
}

function isSame(field: FieldDescriptor, operation: OperationModel): boolean {
  if (field.kind === 'custom') return field.operationId === operation.operationId;
  const { resource, action } = operation.default ?? {};
  return 'resource' in field && field.resource === resource && (ACTION_OF[field.kind] ?? field.kind) === action;
}

/** What a subject that touches an operation begins with: its id, its path, its table, and each component that it refers to. */
const namesByOperation = ({ document, operations, resources }: ContractModel) =>
  new Map(
    operations.map((operation) => {
      const { operationId, path, item, node } = operation;
      const table = resources.find(({ key }) => key === operation.default?.resource)?.table ?? path;
      const components = namesReached(document, [item.parameters, node], /^#\/components\/\w+\/(.+)$/);
      return [operation, [operationId, path, table, ...components]] as const;
    }),
  );

/** A field with an argument, or of a root, is itself what is touched; of a type, the ways that lead to it. */
function fieldsOf(subject: string, types: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const [type = '', name = '', ...argument] = subject.split('.');
  if (argument.length > 0 || /^(?:Query|Mutation|Subscription)$/.test(type)) return name ? [`${type}.${name}`] : [];
  return [...types].filter(([, reached]) => reached.has(type)).map(([coordinate]) => coordinate);
}

/** The types that each field leads to: those of its arguments, and what it returns up to the next resource. */
function typesByField({ schema, model }: Edition): ReadonlyMap<string, ReadonlySet<string>> {
  const resources = model.graphql?.descriptor.types ?? {};
  const visit = (reference: GraphQLType, names: Set<string>): void => {
    const type: GraphQLNamedType = getNamedType(reference);
    if (names.has(type.name)) return;
    names.add(type.name);
    if (type.name in resources || !('getFields' in type)) return;
    for (const field of Object.values(type.getFields())) visit(field.type, names);
  };
  const types = Object.values(schema?.getTypeMap() ?? {}).filter((type) => isObjectType(type));
  return new Map(
    types.flatMap((type) =>
      Object.values(type.getFields()).map((field) => {
        const names = new Set<string>();
        for (const reference of [field.type, ...field.args.map((argument) => argument.type)]) visit(reference, names);
        return [`${type.name}.${field.name}`, names] as const;
      }),
    ),
  );
}
