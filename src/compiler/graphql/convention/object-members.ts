import { type GraphQLSchema, isObjectType } from 'graphql';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { holdsId, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { FlatProperty, FlatSchema } from '../../json-schema/flat-schema.ts';
import { acceptsNull, flatSchema } from '../../model/schemas.ts';
import type { Member } from './definition.ts';
import { discriminatorsOf } from './discriminated.ts';
import { versionType } from './names.ts';
import type { Use } from './type-text.ts';
import { schemaDescription } from './words.ts';

/** An object schema, and what it is to GraphQL. */
export interface ObjectSchema {
  readonly flat: FlatSchema;
  readonly use: Use;
  /** Key of the resource that it belongs to, or the name of what several share. */
  readonly area: string;
  /** Of the input type of a patch nothing is required, and nothing has a default. */
  readonly isPatch: boolean;
  /** It is compared with: it has what callers cannot write, too. */
  readonly isCompared?: boolean;
  /** Properties that inputs do not have, since they distinguish variants. */
  readonly discriminators: ReadonlySet<string>;
}

/** A property as a field of its type. */
export type PropertyMember = Member & Required<Pick<Member, 'type' | 'origin' | 'schemas'>>;

interface Resources {
  readonly document: OpenApiDocument;
  readonly resources: readonly ResourceDescriptor[];
}

/** The schema of a name. */
export function namedObject(
  { document, resources }: Resources,
  name: string,
  flat: FlatSchema,
  use: Use,
): ObjectSchema {
  return {
    flat,
    use,
    area: areaOf({ resources }, name),
    isPatch: use === 'input' && resources.some(({ schemas }) => schemas.patch === name),
    discriminators: use === 'input' ? discriminatorsOf(document, name) : new Set(),
  };
}

/** A schema without a name, inside of what belongs to an area. */
export const unnamedObject = (flat: FlatSchema, use: Use, area: string): ObjectSchema => ({
  flat,
  use,
  area,
  isPatch: false,
  discriminators: new Set(),
});

/** The properties that callers read or write, with their types. `typeOf`: of a value other than an id. */
export function membersOf(
  { document, resources }: Resources,
  { flat, use, area, isPatch, isCompared = false, discriminators }: ObjectSchema,
  typeOf: (site: FlatProperty) => string,
): readonly PropertyMember[] {
  const owner = resources.find(({ key }) => key === area);
  return [...flat.properties.values()].flatMap((site): PropertyMember[] => {
    const { name, schemas } = site;
    const schema = flatSchema(document, ...schemas);
    const has = (keyword: string): boolean => schema.keywords.get(keyword)?.value === true;
    const isHidden = !isCompared && has(use === 'output' ? 'writeOnly' : 'readOnly');
    if (isHidden || discriminators.has(name)) return [];
    const isVersion = use === 'output' && name === 'version' && owner !== undefined;
    const isId = owner?.properties.some((one) => one.name === name && holdsId(one));
    const type = isVersion ? versionType(owner) : ((isId ? idText(schema) : undefined) ?? typeOf(site));
    // Values of rows have one type.
    const isNullable = owner ? schema.nullable : acceptsNull(document, schemas);
    const isRequired = !isPatch && flat.required.has(name) && !isNullable;
    return [
      {
        name,
        description: schemaDescription(schema),
        type: `${type}${isRequired ? '!' : ''}`,
        origin: { node: site.holder, key: name },
        schemas,
        given: use === 'input' && !isPatch ? schema.keywords.get('default')?.value : undefined,
        ...(use === 'output' && has('deprecated') && { directives: ['@deprecated'] }),
      },
    ];
  });
}

/**
 * The key of the resource that a schema belongs to, conditions on its rows included; the schema's own name if it
 * belongs to none.
 */
export function areaOf({ resources }: Pick<Resources, 'resources'>, schema: string): string {
  const owner = resources.find((one) => Object.values(one.schemas).includes(schema) || isConditionsOn(one, schema));
  return owner?.key ?? schema;
}

/** Whether a schema has the name of conditions on the rows of a resource, in a contract with such filters. */
export const isConditionsOn = ({ name, relations }: ResourceDescriptor, schema: string): boolean =>
  relations !== undefined && schema === `${name}Filter`;

/** Whether an input has a field that its resource has in neither protocol: it is left of a property that has been removed. */
export function isLeftover(
  { resources, schema }: { readonly resources: readonly ResourceDescriptor[]; readonly schema: GraphQLSchema },
  input: string,
  field: string,
): boolean {
  const resource = resources.find(({ schemas }) => schemas.input === input || schemas.patch === input);
  if (!resource || resource.properties.some(({ name }) => name === field)) return false;
  const type = schema.getType(resource.name);
  return isObjectType(type) && type.getFields()[field] === undefined;
}

/** The type of an id, or of a list of them; undefined for an object of operators on one. */
export function idText(value: FlatSchema): string | undefined {
  if (value.properties.size > 0) return undefined;
  return value.keywords.has('items') ? '[ID!]' : 'ID';
}
