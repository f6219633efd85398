import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type {
  ArgumentSource,
  ConnectionField,
  CustomField,
  FieldDescriptor,
  ParamArguments,
  ReferenceField,
} from '../../../descriptor/graphql.ts';
import { parentOf } from '../../../descriptor/levels.ts';
import {
  type Action,
  furtherPaths,
  namingProperty,
  nestedOf,
  type ResourceDescriptor,
  readKeys,
} from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { ROLES } from '../../../descriptor/roles.ts';
import { pathParameters } from '../../../descriptor/sent-path.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { lowerFirst } from '../../model/naming.ts';
import { acceptsNull, flatSchema } from '../../model/schemas.ts';
import { accessOf, directiveOf } from '../convention/directives.ts';
import {
  actionFieldName,
  ancestorParameters,
  EVENTS,
  eventFieldName,
  furtherFieldName,
  pluralOf,
} from '../convention/names.ts';
import {
  givenByParent,
  type OperationInput,
  operationAnswer,
  operationInputs,
} from '../convention/operation-inputs.ts';
import type { GraphqlView } from '../names/graphql-view.ts';
import type { TypeUse } from './describe-inputs.ts';
import type { OriginalNames } from './original-names.ts';

type Field = GraphQLField<unknown, unknown>;

/** Recognizes what a field means, by its name and type; properties and parameters have the names of the document. */
export class FieldRecogniser {
  readonly #schema: GraphQLSchema;
  readonly #document: OpenApiDocument;
  readonly #resources: readonly ResourceDescriptor[];
  readonly #operations: readonly OperationDraft[];
  readonly #names: OriginalNames;
  readonly #byName: ReadonlyMap<string, ResourceDescriptor>;
  readonly #uses: TypeUse[] = [];
  /** Fields of the root types by coordinate. */
  readonly #roots: ReadonlyMap<string, FieldDescriptor>;

  constructor(schema: GraphQLSchema, { resources, draft }: GraphqlView, names: OriginalNames) {
    this.#schema = schema;
    this.#names = names;
    this.#document = draft.document;
    this.#resources = resources;
    this.#operations = draft.operations;
    this.#byName = new Map(resources.map((resource) => [resource.name, resource]));
    this.#roots = new Map(
      resources.flatMap((resource) => rootFields(schema, resource, resources, names, draft.operations)),
    );
  }

  /** The types of the custom fields that have been recognised, and of their arguments. */
  get uses(): readonly TypeUse[] {
    return this.#uses;
  }

  /** Undefined when the field is a plain property of its type. */
  recognise(type: GraphQLObjectType, field: Field): FieldDescriptor | undefined {
    if (this.#directive(field, 'operation')) return this.#custom(type, field);
    if (this.#isRoot(type)) return this.#roots.get(`${type.name}.${field.name}`) ?? this.#custom(type, field);
    const resource = this.#byName.get(type.name);
    if (resource) return this.#ofResource(type, resource, field);
    return field.args.length > 0 ? this.#custom(type, field) : undefined;
  }

  #ofResource(type: GraphQLObjectType, resource: ResourceDescriptor, field: Field): FieldDescriptor | undefined {
    if (resource.properties.some(({ name }) => name === field.name)) return undefined;
    return this.#reference(resource, field) ?? this.#connection(resource, field) ?? this.#custom(type, field);
  }

  /** `user: User` beside `userId`. */
  #reference({ key, properties }: ResourceDescriptor, field: Field): ReferenceField | undefined {
    const target = this.#byName.get(getNamedType(field.type).name);
    const property = properties.find(
      ({ name, references }) => references?.resource === target?.key && name.replace(/Id$/, '') === field.name,
    );
    if (!target || !property) return undefined;
    return { kind: 'reference', resource: target.key, property: this.#names.propertyOf(key, property.name) };
  }

  #connection(parent: ResourceDescriptor, field: Field): ConnectionField | undefined {
    const target = this.#byName.get(getNamedType(field.type).name.replace(/Connection$/, ''));
    if (!target || !getNamedType(field.type).name.endsWith('Connection')) return undefined;
    const through = nestedOf(target).find(({ below, name }) => below === parent.key && name === field.name);
    if (through) return { kind: 'connection', resource: target.key, property: 'id', through: through.operationId };
    const property = this.#propertyBetween(parent, target, field);
    if (property === undefined) return undefined;
    return { kind: 'connection', resource: target.key, property: this.#names.propertyOf(target.key, property) };
  }

  /** The property of the target that refers to the parent: the one named by `@by` or `x-inverse`, or the only one. */
  #propertyBetween(parent: ResourceDescriptor, target: ResourceDescriptor, field: Field): string | undefined {
    const chosen = this.#directive(field, 'by')?.['property'] as string | undefined;
    if (chosen !== undefined) return chosen;
    if (target.parent?.resource === parent.key && pluralOf(target) === field.name) return target.parent.property;
    const referring = target.properties.filter(({ references }) => references?.resource === parent.key);
    const named = referring.find(({ references }) => references?.inverse === field.name);
    if (named) return named.name;
    return referring.length === 1 ? referring[0]!.name : undefined;
  }

  #custom(type: GraphQLObjectType, field: Field): FieldDescriptor {
    const operationId = this.#directive(field, 'operation')?.['id'] as string | undefined;
    const access = accessOf(field, this.#document);
    if (operationId === undefined) return { kind: 'custom', access };
    const operation = this.#operations.find((one) => one.operationId === operationId);
    return { kind: 'custom', access, operationId, ...(operation && this.#inputs(type, field, operation)) };
  }

  /** What each argument, and the parent, is to the operation. */
  #inputs(
    type: GraphQLObjectType,
    field: Field,
    operation: OperationDraft,
  ): Pick<CustomField, 'isOperation' | 'arguments' | 'parent'> {
    const { schema: answer } = operationAnswer(this.#document, operation);
    if (answer !== undefined && answer !== 'text') this.#uses.push({ type: field.type, schemas: [answer] });
    const parent = this.#isRoot(type) ? undefined : type;
    const site = { document: this.#document, resources: this.#resources, operation, parent, args: field.args };
    const sources = operationInputs(site).flatMap((input) => {
      const argument = field.args.find(({ name }) => name === input.argument);
      if (!argument) return [];
      this.#uses.push({ type: argument.type, schemas: input.schemas });
      return [[argument.name, this.#source(operation, input, getNamedType(argument.type))] as const];
    });
    const given = [...givenByParent(site)].map(([parameter, property]) => [
      this.#names.parameter(operation, parameter),
      this.#names.propertyOfType(this.#byName.get(type.name)?.key, type.name, property),
    ]);
    return {
      ...(this.#names.codeOf(operation) === 'operations' && { isOperation: true }),
      ...(sources.length > 0 && { arguments: Object.fromEntries(sources) }),
      ...(given.length > 0 && { parent: Object.fromEntries(given) }),
    };
  }

  #source(
    operation: OperationDraft,
    { source, schemas, isVersion }: OperationInput,
    type: GraphQLNamedType,
  ): ArgumentSource {
    const isMember = source.in === 'body' && source.name !== undefined;
    const isNullable =
      source.in !== 'path' &&
      (isMember ? acceptsNull(this.#document, schemas) : flatSchema(this.#document, ...schemas).nullable);
    return {
      ...this.#names.source(operation, source),
      ...(isNullable && { nullable: true }),
      ...(isInputObjectType(type) && { input: type.name }),
      ...(isVersion === true && { isVersion }),
    };
  }

  #directive(field: Field, name: string): Readonly<Record<string, unknown>> | undefined {
    return directiveOf(this.#schema, field, name);
  }

  #isRoot(type: GraphQLObjectType): boolean {
    const { name } = type;
    const roots = [this.#schema.getQueryType(), this.#schema.getMutationType(), this.#schema.getSubscriptionType()];
    return roots.some((root) => root?.name === name);
  }
}

/** The root fields of a resource by the conventions, whether the schema has them or not. */
function rootFields(
  schema: GraphQLSchema,
  resource: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
  names: OriginalNames,
  operations: readonly OperationDraft[],
): [string, FieldDescriptor][] {
  const { key, name } = resource;
  const parent = parentOf(resources, resource);
  const parameterOf = (argument: string): string => names.parameterOf(key, argument);
  const propertyOf = (argument: string): string => names.propertyOf(key, argument);
  const ancestors: ParamArguments = named(ancestorParameters(resource), parameterOf);
  const own: ParamArguments = { ...ancestors, [namingProperty(resource)]: parameterOf(resource.idParameter) };
  const at = { resource: key, params: own };
  const by = keysAsked(resource, schema.getQueryType()?.getFields()[lowerFirst(name)]);
  const others: ParamArguments = named(by.slice(1), parameterOf);
  const nameOf = (action: Action): string => actionFieldName(resource, action, parent);
  const pathOf = (id: string): ParamArguments => {
    const operation = operationWithId(operations, id);
    return named(pathParameters(operation.path), (argument) => names.parameter(operation, argument));
  };
  const further = (root: 'query' | 'mutation'): [string, FieldDescriptor][] =>
    (resource.further ?? []).flatMap((one) => {
      if (one.kind !== one.action || ROLES[one.kind].root !== root) return [];
      const { kind, operationId } = one;
      const field = { resource: key, operationId, params: 'ends' in one ? pathOf(operationId) : ancestors };
      return [
        [
          furtherFieldName(resource, kind, parent),
          kind === 'totals' ? { kind, ...field, type: one.schemas.group } : { kind, ...field },
        ],
      ];
    });
  const query: [string, FieldDescriptor][] = [
    [nameOf('list'), { kind: 'list', resource: key, params: ancestors }],
    [
      nameOf('get'),
      { kind: 'get', resource: key, params: { ...own, ...others }, ...(by.length > 1 && { by: by.map(propertyOf) }) },
    ],
    ...further('query'),
  ];
  const mutation: [string, FieldDescriptor][] = [
    [nameOf('create'), { kind: 'create', resource: key, params: ancestors, input: resource.schemas.input ?? '' }],
    [nameOf('replace'), { kind: 'replace', ...at, input: resource.schemas.input ?? '' }],
    [nameOf('update'), { kind: 'update', ...at, input: resource.schemas.patch ?? '' }],
    [nameOf('delete'), { kind: 'delete', ...at }],
    ...further('mutation'),
  ];
  const subscription = EVENTS.map((kind): [string, FieldDescriptor] => {
    const field = eventFieldName(resource, kind);
    return [field, { kind, resource: key, arguments: named(filterArguments(schema, resource, field), propertyOf) }];
  });
  const under = (type: GraphQLObjectType | null | undefined, fields: [string, FieldDescriptor][]) =>
    fields.map(([field, descriptor]): [string, FieldDescriptor] => [`${type?.name}.${field}`, descriptor]);
  return [
    ...under(schema.getQueryType(), query),
    ...under(schema.getMutationType(), mutation),
    ...under(schema.getSubscriptionType(), subscription),
  ];
}

const named = (names: readonly string[], nameOf: (name: string) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, nameOf(name)]));

/** The properties that one may be read by: those that have a path, and the id where the field has it. */
function keysAsked(resource: ResourceDescriptor, field: Field | undefined): readonly string[] {
  const ofPaths = [namingProperty(resource), ...furtherPaths(resource).map(({ property }) => property)];
  return readKeys(resource).filter((key) => ofPaths.includes(key) || field?.args.some(({ name }) => name === key));
}

/** The arguments of an event field that filter by a property. */
function filterArguments(schema: GraphQLSchema, { properties }: ResourceDescriptor, field: string): readonly string[] {
  const args = schema.getSubscriptionType()?.getFields()[field]?.args ?? [];
  return args.map(({ name }) => name).filter((arg) => properties.some(({ name }) => name === arg));
}
