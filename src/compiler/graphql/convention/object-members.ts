import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { holdsId, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { FlatProperty, FlatSchema } from '../../json-schema/flat-schema.ts';
import { flatSchema } from '../../model/schemas.ts';
import type { Member } from './definition.ts';
import { discriminatorsOf } from './discriminated.ts';
import { areaOf, idText } from './schema-owner.ts';
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

/** The properties that callers read or write, with their types. `typeOf`: of a value that is no id. */
export function membersOf(
  { document, resources }: Resources,
  { flat, use, area, isPatch, discriminators }: ObjectSchema,
  typeOf: (site: FlatProperty) => string,
): readonly PropertyMember[] {
  const owner = resources.find(({ key }) => key === area);
  return [...flat.properties.values()].flatMap((site): PropertyMember[] => {
    const { name, schemas } = site;
    const schema = flatSchema(document, ...schemas);
    const has = (keyword: string): boolean => schema.keywords.get(keyword)?.value === true;
    if (has(use === 'output' ? 'writeOnly' : 'readOnly') || discriminators.has(name)) return [];
    const isVersion = use === 'output' && name === 'version' && owner !== undefined;
    const isId = owner?.properties.some((one) => one.name === name && holdsId(one));
    const type = isVersion ? 'Int' : ((isId ? idText(schema) : undefined) ?? typeOf(site));
    const isRequired = !isPatch && flat.required.has(name) && !schema.nullable;
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
