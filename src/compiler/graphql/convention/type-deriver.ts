import { type GraphQLType, isInputObjectType, isObjectType } from 'graphql';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import { enumValues, valueTypes } from '../../json-schema/property-type.ts';
import { upperFirst } from '../../model/naming.ts';
import { behindLists, flatNamed } from '../../model/schemas.ts';
import { codeName, mayBeGenerated } from '../names/code-name.ts';
import { freeName } from '../names/graphql-name.ts';
import { isType, RESERVED } from '../names/type-names.ts';
import { type ContractSide, isRestOnly } from './contract-side.ts';
import { type Definition, nameIn, printValue } from './definition.ts';
import { discriminated } from './discriminated.ts';
import { inputTypeName, schemaOfInput, variantName } from './names.ts';
import { isConditionsOn, membersOf, namedObject } from './object-members.ts';
import { answeredSchemas } from './reached-schemas.ts';
import { hasVariants, typeText, type Use } from './type-text.ts';
import { schemaDescription } from './words.ts';

const BUILT_IN = new Set(['String', 'Int', 'Float', 'Boolean', 'ID']);

const SCALAR_TYPES = ['string', 'integer', 'number', 'boolean'];

/** What the conventions call an enum or an object whose schema has no name. */
const UNNAMED = /an enum|an object/;

const isSame = (one: readonly Schema[], other: readonly Schema[]): boolean =>
  one.length === other.length && one.every((schema, i) => schema === other[i]);

/** The GraphQL types of schemas, with the definitions that they need: scalars, enums, objects, unions and inputs. */
export class TypeDeriver {
  readonly #contract: Pick<ContractSide, 'document' | 'draft' | 'schema' | 'resources'>;
  readonly #definitions = new Map<string, Definition>();
  /** By type of schemas without a name: what has their values. */
  readonly #inline = new Map<string, string>();
  readonly #answered: ReadonlySet<string>;
  /** What has been named within the outermost schema without a name that is being derived, and that one: each once. */
  #within: { readonly schemas: readonly Schema[]; readonly use: Use; readonly name: string }[] = [];
  /** The resource that newly met definitions belong to. */
  home: string | undefined;

  constructor(contract: Pick<ContractSide, 'document' | 'draft' | 'schema' | 'resources'>) {
    this.#contract = contract;
    this.#answered = answeredSchemas(contract.draft);
  }

  get #document(): OpenApiDocument {
    return this.#contract.document;
  }

  get definitions(): readonly Definition[] {
    return [...this.#definitions.values()];
  }

  add(definition: Definition): void {
    if (!this.#definitions.has(definition.name))
      this.#definitions.set(definition.name, { home: this.home, ...definition });
  }

  has(name: string): boolean {
    return this.#definitions.has(name);
  }

  /** The type of a scalar, which is defined where it is not built into GraphQL. */
  scalar(name: string): string {
    if (!BUILT_IN.has(name)) this.add({ kind: 'scalar', name, members: [], home: undefined });
    return name;
  }

  /** The type of a value, without its own nullability. `owner`, `member`: what has it, for the name where the schemas have none. */
  typeOf(
    schemas: readonly Schema[],
    use: Use,
    { owner, member }: { readonly owner: string; readonly member: string },
    actual?: GraphQLType,
  ): string {
    const derived = typeText(this.#document, schemas, use, actual);
    const around = this.#within.find((one) => one.use === use && isSame(one.schemas, schemas));
    if (around) return derived.replace(UNNAMED, around.name);
    const own = `${owner}${upperFirst(member)}${use === 'input' && /an object/.test(derived) ? 'Input' : ''}`;
    const text = derived.replace(UNNAMED, () => this.#inlineName(own, `${owner}.${member}`));
    const named = nameIn(text);
    if (!this.#inline.has(named)) this.#inline.set(named, `${owner}.${member}`);
    const name = use === 'input' ? this.#inputName(named) : named;
    const isOutermost = this.#within.length === 0;
    if (/an object/.test(derived)) this.#within.push({ schemas, use, name });
    const defined = this.#define(name, schemas, use);
    if (isOutermost) this.#within = [];
    return text.replace(named, defined);
  }

  /** A schema that is answered as well needs another name for its input: `BoxInputInput`. */
  #inputName(name: string): string {
    if (!this.#answered.has(name) || isInputObjectType(this.#contract.schema?.getType(name))) return name;
    const isInput = isType(this.#document, name) && !enumValues(this.#flat(name));
    return isInput ? `${name}Input` : name;
  }

  /** A name that nothing else has. A resource and its inputs share the enums of a member. */
  #inlineName(own: string, coordinate: string): string {
    const isTaken = (name: string): boolean =>
      this.#isNamed(name) ||
      mayBeGenerated(codeName(name)) ||
      (this.has(name) && this.#inline.get(name) !== coordinate);
    return freeName(own, isTaken);
  }

  /** The input of a filter's schema, which has the same name. */
  filter(schemaName: string, words: string): void {
    this.object(schemaName, this.#flat(schemaName), 'input', schemaName, words);
  }

  /** The type of a schema that an operation answers, which has the same name. */
  answer(schemaName: string, words: string): void {
    this.object(schemaName, this.#flat(schemaName), 'output', schemaName, words);
  }

  /** Makes sure that a type is defined; returns its name, or `JSON` where GraphQL has no type for the schemas. */
  #define(name: string, schemas: readonly Schema[], use: Use): string {
    if (this.has(name)) return name;
    const flat = behindLists(this.#document, schemas);
    const values = enumValues(flat);
    if (values) this.#enumeration(name, flat, values);
    else if (name === 'JSON' || SCALAR_TYPES.includes(valueTypes(flat)[0] ?? '')) this.scalar(name);
    else return this.#shape(name, flat, use);
    return name;
  }

  #enumeration(name: string, flat: FlatSchema, values: readonly string[]): void {
    const members = values.map((value) => ({ name: value }));
    this.add({ kind: 'enum', name, description: schemaDescription(flat) ?? `The values of ${name}.`, members });
  }

  #shape(name: string, flat: FlatSchema, use: Use): string {
    const schemaName = (use === 'input' ? schemaOfInput(name, this.#document) : undefined) ?? name;
    const variants = discriminated(this.#document, schemaName);
    if (!variants && hasVariants(flat)) return this.scalar('JSON');
    if (!variants) this.object(name, flat, use, schemaName);
    else if (use === 'output') this.#union(name, flat, Object.values(variants.schemas));
    else this.#oneOf(name, flat, variants.schemas);
    return name;
  }

  /** Whether a schema has a type or an input of this name, or the conventions have. */
  #isNamed(name: string): boolean {
    return RESERVED.has(name) || schemaOfInput(name, this.#document) !== undefined;
  }

  /**
   * An object or input type with a member for each property. `schemaName`: of the schema, if it has a name; `words`:
   * its description where the schema has none.
   */
  object(name: string, flat: FlatSchema, use: Use, schemaName: string, words?: string): void {
    if (this.has(name)) return;
    const kind = use === 'output' ? 'type' : 'input';
    // A type may contain itself, so it is known before its members are.
    this.add({ kind, name, description: schemaDescription(flat) ?? words, members: [] });
    const served = [...flat.properties].filter(
      ([property, { holder }]) => !isRestOnly((holder as Record<string, unknown>)[property]),
    );
    const object = namedObject(this.#contract, schemaName, { ...flat, properties: new Map(served) }, use);
    const filtered = this.#contract.resources.find((one) => isConditionsOn(one, schemaName))?.name;
    const start = use === 'output' ? name : (filtered ?? name.replace(/(?:Input|Patch)$/, ''));
    const members = membersOf(this.#contract, object, ({ name: property, schemas }) =>
      this.typeOf(schemas, use, { owner: start, member: property }, this.#actual(name, property)),
    ).map((member) => ({
      ...member,
      value: member.given === undefined ? undefined : printValue(member.given, this.isEnum(member.type)),
    }));
    this.#definitions.set(name, { ...this.#definitions.get(name)!, members });
  }

  /** Whether the text of a type names an enum. */
  isEnum(type: string): boolean {
    return this.#definitions.get(nameIn(type))?.kind === 'enum';
  }

  /** The type that a member has in the schema already. */
  #actual(owner: string, name: string): GraphQLType | undefined {
    const type = this.#contract.schema?.getType(owner);
    return isObjectType(type) || isInputObjectType(type) ? type.getFields()[name]?.type : undefined;
  }

  #union(name: string, flat: FlatSchema, variants: readonly string[]): void {
    const members = [...new Set(variants)].map((variant) => ({ name: variant }));
    this.add({ kind: 'union', name, description: schemaDescription(flat), members });
    for (const variant of variants) this.object(variant, this.#flat(variant), 'output', variant);
  }

  /** GraphQL has no unions of inputs: there is a field for each value of the discriminator. */
  #oneOf(name: string, flat: FlatSchema, variants: Readonly<Record<string, string>>): void {
    const members = Object.entries(variants).map(([value, variant]) => ({
      name: variantName(value),
      description: schemaDescription(this.#flat(variant)),
      type: this.#inputName(inputTypeName(this.#document, variant)),
    }));
    this.add({ kind: 'input', name, description: schemaDescription(flat), directives: ['@oneOf'], members });
    for (const variant of Object.values(variants))
      this.object(this.#inputName(inputTypeName(this.#document, variant)), this.#flat(variant), 'input', variant);
  }

  #flat(name: string): FlatSchema {
    return flatNamed(this.#document, name);
  }
}
