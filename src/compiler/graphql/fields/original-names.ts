import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { ArgumentSource } from '../../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { CodeDescriptor } from '../../../descriptor/rest.ts';
import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { anyJson, codeOf } from '../../model/responses.ts';
import { flatNamed, flatSchema, namedSchemas } from '../../model/schemas.ts';
import type { GraphqlView } from '../names/graphql-view.ts';

/** The names that the OpenAPI document has for those of GraphQL. */
export class OriginalNames {
  /** The document as it is written. */
  readonly document: OpenApiDocument;
  /** The document in the names of GraphQL. */
  readonly spelled: OpenApiDocument;
  readonly #view: GraphqlView;
  readonly #resources: ReadonlyMap<string, ResourceDescriptor>;

  /** `resources`: in the names of the document. */
  constructor(view: GraphqlView, document: OpenApiDocument, resources: readonly ResourceDescriptor[]) {
    this.document = document;
    this.spelled = view.draft.document;
    this.#view = view;
    this.#resources = new Map(resources.map((resource) => [resource.key, resource]));
  }

  schema(type: string): string {
    return this.#view.names.keyOf(namedSchemas(this.spelled), type);
  }

  /** The type that stands for a schema. */
  type(schema: string): string {
    const types = Object.keys(namedSchemas(this.spelled));
    return types.find((type) => this.schema(type) === schema) ?? schema;
  }

  /** The property of an object that a field stands for. */
  property({ properties }: FlatSchema, field: string): string {
    const site = properties.get(field);
    return site ? this.#view.names.keyOf(site.holder, field) : field;
  }

  /** The property of a resource. */
  propertyOf(resource: string, field: string): string {
    const index = this.#spelled(resource)?.properties.findIndex(({ name }) => name === field) ?? -1;
    return this.#resources.get(resource)?.properties[index]?.name ?? field;
  }

  /** The property of an object type, which may be that of a resource. */
  propertyOfType(resource: string | undefined, type: string, field: string): string {
    return resource === undefined
      ? this.property(flatNamed(this.spelled, type), field)
      : this.propertyOf(resource, field);
  }

  /** The part of `handlers` with the function of a custom operation. */
  codeOf(operation: OperationDraft): CodeDescriptor['in'] {
    const parameters = operation.parameters.map((parameter) => this.#view.names.originOf(parameter));
    return codeOf(this.spelled, { ...operation, parameters });
  }

  /** The parameter of a resource's path, or the property that one is read by. */
  parameterOf(resource: string, argument: string): string {
    const index = this.#spelled(resource)?.properties ? parametersOf(this.#spelled(resource)!).indexOf(argument) : -1;
    const own = this.#resources.get(resource);
    return (own && parametersOf(own)[index]) ?? this.propertyOf(resource, argument);
  }

  /** What an argument is to a custom operation, in the names of the document. */
  source(operation: OperationDraft, source: ArgumentSource): ArgumentSource {
    if (source.name === undefined) return source;
    const body = anyJson(this.spelled, operation.body)?.schema;
    if (source.in === 'body')
      return { ...source, name: this.property(flatSchema(this.spelled, body ?? true), source.name) };
    return { ...source, name: this.parameter(operation, source.name, source.in) };
  }

  /** The name of a parameter of a custom operation. */
  parameter({ parameters }: OperationDraft, name: string, place: string = 'path'): string {
    const parameter = parameters.find((one) => one.in === place && one.name === name);
    return parameter ? this.#view.names.originOf(parameter).name : name;
  }

  /** The values of an enum by the names that GraphQL has for them, as far as they differ. */
  values({ keywords }: FlatSchema): Readonly<Record<string, string>> {
    const spelled = (keywords.get('enum')?.value ?? []) as readonly unknown[];
    const values = this.#view.names.originOf(spelled);
    const pairs = spelled.map((name, i) => [name, values[i]] as const);
    return Object.fromEntries(pairs.filter(([name, value]) => name !== value));
  }

  /** The filters of a resource's list by field, as far as they differ. */
  filters({ key, list }: ResourceDescriptor): Readonly<Record<string, string>> {
    const originals = this.#resources.get(key)?.list?.filters ?? [];
    const pairs = (list?.filters ?? []).map(({ parameter }, i) => [parameter, originals[i]!.parameter] as const);
    const references = this.#resources.get(key)?.list?.referenceFilters ?? [];
    for (const [i, field] of (list?.referenceFilters ?? []).entries()) pairs.push([field, references[i]!]);
    return Object.fromEntries(pairs.filter(([field, parameter]) => field !== parameter));
  }

  #spelled(resource: string): ResourceDescriptor | undefined {
    return this.#view.resources.find(({ key }) => key === resource);
  }
}

/** The parameters of the path of one resource, its own id last. */
const parametersOf = ({ path, idParameter }: ResourceDescriptor): readonly string[] => [
  ...[...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!),
  idParameter,
];
