import { type GraphQLSchema, type GraphQLType, isInputObjectType, isObjectType } from 'graphql';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { holdsId, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { type FlatProperty, type FlatSchema, nullUnion } from '../../json-schema/flat-schema.ts';
import { enumValues, valueTypes } from '../../json-schema/property-type.ts';
import { upperFirst } from '../../model/naming.ts';
import { flatNamed, flatSchema, namedSchemas } from '../../model/schemas.ts';
import { type ContractSide, isRestOnly } from './contract-side.ts';
import { type Definition, type Member, printValue } from './definition.ts';
import { discriminated, discriminatorsOf } from './discriminated.ts';
import { inputTypeName, variantName } from './names.ts';
import { idText, isConditionsOn } from './schema-owner.ts';
import { typeText, type Use } from './type-text.ts';

const BUILT_IN = new Set(['String', 'Int', 'Float', 'Boolean', 'ID']);

const SCALAR_TYPES = ['string', 'integer', 'number', 'boolean'];

/** What the conventions call an enum or an object whose schema has no name. */
const UNNAMED = /an enum|an object/;

/** The GraphQL types of schemas, with the definitions that they need: scalars, enums, objects, unions and inputs. */
export class TypeDeriver {
  readonly #document: OpenApiDocument;
  readonly #schema: GraphQLSchema | undefined;
  readonly #resources: readonly ResourceDescriptor[];
  readonly #definitions = new Map<string, Definition>();
  /** Sentences on what no definition can be derived for. */
  readonly gaps: string[] = [];
  /** The resource that newly met definitions belong to. */
  home: string | undefined;

  constructor({ document, schema, resources }: Pick<ContractSide, 'document' | 'schema' | 'resources'>) {
    this.#document = document;
    this.#schema = schema;
    this.#resources = resources;
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

  /** The type of a value, without its own nullability. `name`: of the type where the schemas have none. */
  typeOf(schemas: readonly Schema[], use: Use, name: string, actual?: GraphQLType): string {
    const derived = typeText(this.#document, schemas, use, actual);
    const text = derived.replace(UNNAMED, use === 'input' && /an object/.test(derived) ? `${name}Input` : name);
    const named = text.replace(/[[\]!]/g, '');
    return text.replace(named, this.#define(named, schemas, use));
  }

  /** The input of a filter's schema, which has the same name. */
  filter(schemaName: string, words: string): void {
    this.object(schemaName, this.#flat(schemaName), 'input', schemaName, false, words);
  }

  /** Makes sure that a type is defined; returns its name, or `JSON` where GraphQL has no type for the schemas. */
  #define(name: string, schemas: readonly Schema[], use: Use): string {
    if (this.has(name)) return name;
    let flat = flatSchema(this.#document, ...schemas);
    while (flat.keywords.has('items')) flat = flatSchema(this.#document, flat.keywords.get('items')!.value as Schema);
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
    const schemaName = use === 'input' && !this.#named(name) ? name.replace(/Input$/, '') : name;
    const variants = discriminated(this.#document, schemaName);
    if (!variants && hasVariants(flat)) {
      this.gaps.push(`\`${name}\` is a \`oneOf\` without a \`discriminator\`, which GraphQL has no type for.`);
      return this.scalar('JSON');
    }
    if (!variants) this.object(name, flat, use, schemaName);
    else if (use === 'output') this.#union(name, flat, Object.values(variants.schemas));
    else this.#oneOf(name, flat, variants.schemas);
    return name;
  }

  #named(name: string): boolean {
    return Object.hasOwn(namedSchemas(this.#document), name);
  }

  /**
   * An object or input type with a member for each property. `schemaName`: of the schema, if it has a name; `words`:
   * its description where the schema has none.
   */
  object(name: string, flat: FlatSchema, use: Use, schemaName: string, isPatch = false, words?: string): void {
    if (this.has(name)) return;
    const kind = use === 'output' ? 'type' : 'input';
    const description = schemaDescription(flat) ?? words;
    // A type may contain itself, so it is known before its members are.
    this.add({ kind, name, description, members: [] });
    const skipped = use === 'input' ? discriminatorsOf(this.#document, schemaName) : new Set<string>();
    const members = [...flat.properties.values()]
      .filter((site) => !skipped.has(site.name) && !this.#isHidden(site, use))
      .map((site) =>
        use === 'output'
          ? this.#output(name, schemaName, flat, site)
          : this.#input(name, schemaName, flat, site, isPatch),
      );
    this.#definitions.set(name, { ...this.#definitions.get(name)!, members });
  }

  #isHidden({ holder, name, schemas }: FlatProperty, use: Use): boolean {
    const flag = flatSchema(this.#document, ...schemas).keywords.get(use === 'output' ? 'writeOnly' : 'readOnly');
    return flag?.value === true || isRestOnly((holder as Record<string, unknown>)[name]);
  }

  #output(owner: string, schemaName: string, flat: FlatSchema, { name, schemas }: FlatProperty): Member {
    const value = flatSchema(this.#document, ...schemas);
    const isVersion = name === 'version' && this.#resources.some((resource) => resource.name === owner);
    const type = isVersion
      ? 'Int'
      : this.#holdsId(schemaName, name)
        ? 'ID'
        : this.typeOf(schemas, 'output', owner + upperFirst(name), this.#actual(owner, name));
    const isRequired = flat.required.has(name) && !value.nullable;
    const isDeprecated = value.keywords.get('deprecated')?.value === true;
    return {
      name,
      description: schemaDescription(value),
      type: `${type}${isRequired ? '!' : ''}`,
      ...(isDeprecated && { directives: ['@deprecated'] }),
    };
  }

  #input(
    owner: string,
    schemaName: string,
    flat: FlatSchema,
    { name, schemas }: FlatProperty,
    isPatch: boolean,
  ): Member {
    const value = flatSchema(this.#document, ...schemas);
    const filtered = this.#resources.find((one) => isConditionsOn(one, schemaName))?.name;
    const fallback = (filtered ?? owner.replace(/(?:Input|Patch)$/, '')) + upperFirst(name);
    const id = this.#holdsId(schemaName, name) ? idText(value) : undefined;
    const type = id ?? this.typeOf(schemas, 'input', fallback, this.#actual(owner, name));
    const isRequired = !isPatch && flat.required.has(name) && !value.nullable;
    const given = isPatch ? undefined : value.keywords.get('default');
    return {
      name,
      description: schemaDescription(value),
      type: `${type}${isRequired ? '!' : ''}`,
      value: given && printValue(given.value, this.#isEnum(type)),
    };
  }

  /** Whether a property of a resource's schemas is an id, which is an `ID` whatever its type. */
  #holdsId(schemaName: string, name: string): boolean {
    const resource = this.#resources.find(
      (one) => Object.values(one.schemas).includes(schemaName) || isConditionsOn(one, schemaName),
    );
    const property = resource?.properties.find((one) => one.name === name);
    return property !== undefined && holdsId(property);
  }

  #isEnum(type: string): boolean {
    return this.#definitions.get(type.replace(/[[\]!]/g, ''))?.kind === 'enum';
  }

  /** The type that a member has in the schema already. */
  #actual(owner: string, name: string): GraphQLType | undefined {
    const type = this.#schema?.getType(owner);
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
      type: inputTypeName(variant),
    }));
    this.add({ kind: 'input', name, description: schemaDescription(flat), directives: ['@oneOf'], members });
    for (const variant of Object.values(variants))
      this.object(inputTypeName(variant), this.#flat(variant), 'input', variant);
  }

  #flat(name: string): FlatSchema {
    return flatNamed(this.#document, name);
  }
}

/** Whether a schema has alternatives other than null. */
const hasVariants = ({ nodes }: FlatSchema): boolean =>
  nodes.some((node) => 'oneOf' in node && nullUnion(node as Exclude<Schema, boolean>) === undefined);

/** What the nearest schema says of itself. */
function schemaDescription({ keywords }: FlatSchema): string | undefined {
  const text = keywords.get('description')?.value ?? keywords.get('title')?.value;
  return typeof text === 'string' ? text : undefined;
}
