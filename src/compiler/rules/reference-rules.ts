import { withArticle } from '../../descriptor/article.ts';
import { suggestion } from '../findings/wording.ts';
import { typeName } from '../json-schema/property-type.ts';
import { inverseName, type Reference, referenceName, referencesOf } from '../model/access/relations.ts';
import { declaredTenant } from '../model/access/tenant-rule.ts';
import { addKey } from '../model/document-edits.ts';
import { levelsOf, type ResourceDraft } from '../model/draft.ts';
import { extensionOf, originOf } from '../model/resources/describe-property.ts';
import { describeOwner } from '../model/resources/describe-resource.ts';
import { namedSchemas } from '../model/schemas.ts';
import { cyclesOf } from './cycles.ts';
import { idOf, yamlOf } from './id-rules.ts';
import { columnsOf } from './mapped-rules.ts';
import { atProperty, atPropertyKeyword } from './place.ts';
import { type Fault, rule } from './rule.ts';
import { propertiesWith, theResources } from './subjects.ts';

const HIDDEN = 'x-reference-hidden';

export const referenceRules = [
  rule({
    id: 'reference-target',
    summary: '`x-references` names a resource of this contract, whose id has the type of the reference.',
    advice:
      'Write the name of the schema: `Book`. Give the property the `type` and `format` of its id, preferably by a `$ref` to one schema.',
    each: propertiesWith('x-references'),
    *check({ resource, property }, { document, resources }) {
      const names = resources.map(({ name }) => name);
      const target = String(extensionOf(property, 'x-references'));
      const parent = resource.parent?.property === property.name ? resource.parent.resource : undefined;
      const refers = `\`${resource.name}.${property.name}\` refers to`;
      const place = atPropertyKeyword(property, 'x-references');
      if (!names.includes(target)) {
        const known = Object.hasOwn(namedSchemas(document), target);
        yield {
          message: `${refers} \`${target}\`, which is not a ${known ? 'resource' : 'schema of this contract'}.`,
          hint: `${suggestion(target, names)} A resource is the schema that \`GET /collection/{id}\` returns.`,
          ...place,
        };
      } else if (parent && parent.name !== target)
        yield {
          message: `${refers} \`${target}\`, but the path makes it the id of ${withArticle(`\`${parent.name}\``)}.`,
          hint: `Write \`x-references: ${parent.name}\`, or remove it: a child refers to its parent implicitly.`,
          ...place,
        };
      for (const id of resources
        .filter(({ name }) => name === target)
        .map(idOf)
        .slice(0, 1))
        if (property.type !== id.type)
          yield {
            message: `${refers} ${withArticle(`\`${target}\``)}, whose id is ${typeName(id.flat)}, but is ${typeName(property.flat)}.`,
            hint: `Write \`${yamlOf(id.flat)}\`; for several references, add a resource that links the two.`,
            ...atPropertyKeyword(property, 'type'),
          };
    },
  }),
  rule({
    id: 'mapped-reference',
    summary: 'Mapped resources and those of Lockstep do not refer to each other.',
    advice: 'A foreign key would put triggers on a table of others. Map both, or leave `x-references` out.',
    each: ({ resources }) => referencesOf(resources),
    check({ from, property, target }) {
      if (from.mapped && target.mapped) return columnCount({ from, property, target });
      return (
        (from.mapped ?? target.mapped) !== undefined && {
          message: `\`${from.name}.${property.name}\` refers to \`${target.name}\`, and only \`${from.mapped ? from.name : target.name}\` is mapped.`,
          hint: 'Give both schemas an `x-table` with `schema` and `name`, or remove `x-references`.',
          ...atPropertyKeyword(property, 'x-references'),
        }
      );
    },
  }),
  rule({
    id: 'reference-cycle',
    summary: 'Required references do not form a circle.',
    advice:
      'If each of two resources needs a row of the other first, neither can be created. This is a warning: rows may come from elsewhere.',
    severity: 'warning',
    each: ({ resources }) => cyclesOf(resources),
    check: ([first, ...others]) => ({
      message: `No first \`${first.from.name}\` can be made: ${[first, ...others]
        .map((need) => `\`${need.from.name}.${need.property.name}\` needs ${withArticle(`\`${need.target.name}\``)}`)
        .join(', ')}.`,
      hint: 'Make one of the references nullable, or leave it out of `required` in its input.',
      ...atPropertyKeyword(first.property, 'x-references'),
    }),
  }),
  rule({
    id: 'on-delete',
    summary: '`x-on-delete` is next to `x-references` and can be applied.',
    advice: '`set-null` needs a property that may be null or absent.',
    each: propertiesWith('x-on-delete'),
    *check({ resource, property }) {
      const name = `\`${resource.name}.${property.name}\``;
      const isParent = resource.parent?.property === property.name;
      const isKept = isParent || (property.required && !property.flat.nullable);
      const place = atPropertyKeyword(property, 'x-on-delete');
      if (extensionOf(property, 'x-references') === undefined && !isParent)
        yield {
          message: `${name} has \`x-on-delete\`, but is not a reference.`,
          hint: 'Add `x-references` with the name of a resource, or remove `x-on-delete`.',
          ...place,
        };
      if (extensionOf(property, 'x-on-delete') === 'set-null' && isKept)
        yield {
          message: `${name} is required, so \`set-null\` cannot clear it.`,
          hint: isParent
            ? 'A child cannot exist without its parent: write `cascade` or `restrict`.'
            : "Make it nullable (`type: [string, 'null']`), remove it from `required`, or write `cascade` or `restrict`.",
          ...place,
        };
    },
  }),
  rule({
    id: 'inverse-name',
    summary: '`x-inverse` names the rows that refer to a resource, and each such name is unique.',
    advice: 'It is on a reference. It is neither a property nor a reference of the target.',
    each(draft) {
      const references = referencesOf(draft.resources);
      return propertiesWith('x-inverse')(draft).map((one) => ({ ...one, references }));
    },
    check({ resource, property, references }) {
      const reference = references.find((one) => one.from === resource && one.property === property);
      const name = `\`${resource.name}.${property.name}\``;
      const place = atPropertyKeyword(property, 'x-inverse');
      if (!reference)
        return {
          message: `${name} has \`x-inverse\`, but is not a reference.`,
          hint: 'Add `x-references` with the name of a resource, or remove `x-inverse`.',
          ...place,
        };
      const taken = takenBy(reference, references);
      return (
        taken !== undefined && {
          message: `The inverse \`${inverseName(reference)}\` of ${name} is ${taken} already.`,
          hint: 'Choose another name.',
          ...place,
        }
      );
    },
  }),
  rule({
    id: 'reference-hidden',
    summary: 'A reference to rows that `x-owner` hides declares whether callers may refer to rows of others.',
    advice:
      'The default is `x-reference-hidden: refuse`. With `allow`, callers can detect the ids of hidden rows, and can keep their owners from deleting them.',
    severity: 'warning',
    each(draft) {
      const hiding = new Map(referencesOf(draft.resources).map((one) => [one.property, namesHidden(one) && one]));
      return propertiesWith()(draft).map((one) => ({ ...one, hiding: hiding.get(one.property) }));
    },
    check({ resource, property, hiding }, draft) {
      const { document } = draft;
      const { keywords } = property.flat;
      const name = `\`${resource.name}.${property.name}\``;
      if (keywords.has(HIDDEN))
        return (
          !hiding && {
            message: `\`${HIDDEN}\` of ${name} has no effect, because it does not refer to rows that \`x-owner\` hides.`,
            hint: 'Remove it. It belongs next to `x-references` to a resource with `x-owner`, on a property of the input.',
            ...atPropertyKeyword(property, HIDDEN),
          }
        );
      const declared = keywords.get('x-references');
      if (!declared || !hiding || isSighted(hiding.target, declaredTenant(document)?.property)) return undefined;
      return {
        message: `${name} cannot refer to ${withArticle(`\`${hiding.target.name}\``)} that \`x-owner\` hides from the caller: to name one is 422, as if it were not there.`,
        hint: `Write \`${HIDDEN}: allow\` if callers must refer to such rows, as in earlier releases. Otherwise write \`refuse\`.`,
        fix: addKey(draft, declared.node, HIDDEN, 'allow'),
        ...atPropertyKeyword(property, 'x-references'),
      };
    },
  }),
  rule({
    id: 'unique-properties',
    summary: 'Unique keys consist of properties with scalar values.',
    advice: 'Databases do not agree on the equality of JSON.',
    each: theResources,
    *check({ name, schema }) {
      const keyword = schema.flat.keywords.get('x-unique');
      const scalars = [...schema.properties.values()].filter(({ type }) => type !== 'json').map((one) => one.name);
      for (const member of keyword && Array.isArray(keyword.value) ? keyword.value.flat().map(String) : [])
        if (keyword && !scalars.includes(member))
          yield {
            message: `\`x-unique\` of \`${name}\` names \`${member}\`, which is ${schema.properties.has(member) ? 'an object or an array' : 'not one of its properties'}.`,
            hint: suggestion(member, scalars),
            node: keyword.node,
            key: 'x-unique',
          };
      for (const property of schema.properties.values())
        if (property.type === 'json' && extensionOf(property, 'x-unique') === true)
          yield {
            message: `\`${name}.${property.name}\` is unique, but is ${typeName(property.flat)}.`,
            hint: 'Only scalar properties can be unique.',
            ...atProperty(property),
          };
    },
  }),
];

/** References have as many columns as the id that they name. */
function columnCount({ from, property, target }: Reference): Fault | undefined {
  const [own, others] = [columnsOf(property), columnsOf(idOf(target))];
  if (own.length === others.length) return undefined;
  return {
    message: `\`${from.name}.${property.name}\` has ${own.length} column${own.length === 1 ? '' : 's'}, but the id of \`${target.name}\` has ${others.length}.`,
    hint: `Write \`x-column: [${others.join(', ')}]\` with the names of this table, in the order of \`${target.name}.id\`.`,
    ...atPropertyKeyword(property, 'x-column'),
  };
}

/** What has the name of an inverse in the resource that the reference goes to. */
function takenBy(reference: Reference, references: readonly Reference[]): string | undefined {
  const name = inverseName(reference) ?? '';
  const { target } = reference;
  if (target.schema.properties.has(name)) return `a property of \`${target.name}\``;
  const own = references.find((one) => one.from === target && referenceName(target, one.property.name) === name);
  if (own) return `the reference \`${target.name}.${own.property.name}\``;
  const others = references.filter((one) => one.target === target && inverseName(one) === name);
  const other = others.find((one) => one !== reference);
  return other && `the inverse of \`${other.from.name}.${other.property.name}\``;
}

/** By the owner of a row, callers name whom its `x-owner` lets them; its parent is named by the path. */
const namesHidden = ({ from, property: { name }, target }: Reference): boolean =>
  originOf(from, name) === 'input' &&
  name !== describeOwner(from)?.property &&
  levelsOf(target).some((one) => describeOwner(one)?.reads === 'owner');

/** Whether `x-access` or a tenant decides who reads its rows, so that no others could ever be named. */
const isSighted = (target: ResourceDraft, tenant = ''): boolean =>
  levelsOf(target).some(({ schema: { flat, properties } }) => {
    const access = flat.keywords.get('x-access')?.value as { readonly read?: unknown } | undefined;
    return access?.read !== undefined || properties.has(tenant);
  });
