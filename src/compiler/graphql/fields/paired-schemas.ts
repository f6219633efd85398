import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import { enumValues } from '../../json-schema/property-type.ts';
import type { OperationDraft } from '../../model/draft.ts';
import { jsonContent } from '../../model/responses.ts';
import { flatSchema, namedSchemas } from '../../model/schemas.ts';
import { answerSchema } from '../convention/operation-inputs.ts';
import { schemaOfInput } from './describe-inputs.ts';

/** The schemas that the types of an SDL stand for, those without a name included, by name of the type. */
export interface PairedSchemas {
  readonly objects: ReadonlyMap<string, FlatSchema>;
  readonly inputs: ReadonlyMap<string, FlatSchema>;
  readonly enums: ReadonlyMap<string, FlatSchema>;
}

/** A custom field's operation, by the coordinate of the field. */
export type CustomOperations = ReadonlyMap<string, OperationDraft>;

/** Finds the schema of each type: by its name, or where a field, an argument or an answer has it. */
export function pairedSchemas(
  schema: GraphQLSchema,
  document: OpenApiDocument,
  operations: CustomOperations,
): PairedSchemas {
  const pairing = new Pairing(document);
  for (const type of Object.values(schema.getTypeMap())) {
    const name = isInputObjectType(type) ? schemaOfInput(type.name, document) : type.name;
    const node = namedSchemas(document)[name ?? ''];
    if (node !== undefined) pairing.add(type, [node]);
  }
  for (const [coordinate, operation] of operations) pairing.addOperation(schema, coordinate, operation);
  return pairing;
}

class Pairing implements PairedSchemas {
  readonly objects = new Map<string, FlatSchema>();
  readonly inputs = new Map<string, FlatSchema>();
  readonly enums = new Map<string, FlatSchema>();
  readonly #document: OpenApiDocument;

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /** Pairs a type, behind any lists, with the schemas of its values, and what lies below. */
  add(given: GraphQLType, schemas: readonly Schema[]): void {
    const type = getNamedType(given);
    let flat = flatSchema(this.#document, ...schemas);
    while (flat.keywords.has('items')) flat = flatSchema(this.#document, flat.keywords.get('items')!.value as Schema);
    if (isEnumType(type) && enumValues(flat) && !this.enums.has(type.name)) this.enums.set(type.name, flat);
    if (isObjectType(type)) this.#object(this.objects, type, flat);
    if (isInputObjectType(type)) this.#object(this.inputs, type, flat);
  }

  #object(known: Map<string, FlatSchema>, type: GraphQLObjectType | GraphQLInputObjectType, flat: FlatSchema): void {
    if (known.has(type.name) || flat.properties.size === 0) return;
    known.set(type.name, flat);
    for (const field of Object.values(type.getFields())) {
      const site = flat.properties.get(field.name);
      if (site) this.add(field.type, site.schemas);
    }
  }

  addOperation(schema: GraphQLSchema, coordinate: string, operation: OperationDraft): void {
    const [typeName = '', fieldName = ''] = coordinate.split('.');
    const type = schema.getType(typeName);
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
    if (!field) return;
    const answer = answerSchema(operation);
    if (answer !== undefined && answer !== 'text') this.add(field.type, [answer]);
    const body = jsonContent(operation.body)?.schema;
    const members = body === undefined ? undefined : flatSchema(this.#document, body).properties;
    for (const { name, type: given } of field.args) {
      const parameter = operation.parameters.find((one) => one.name === name)?.schema;
      const own = parameter === undefined ? members?.get(name)?.schemas : [parameter];
      const found = own ?? (name === 'input' && body !== undefined ? [body] : undefined);
      if (found) this.add(given, found);
    }
  }
}
