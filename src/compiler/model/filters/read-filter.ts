import { withArticle } from '../../../descriptor/article.ts';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { VALUE_OPERATORS } from '../../../descriptor/filters.ts';
import type { RowCondition } from '../../../descriptor/row-access.ts';
import { TRIGRAM } from '../../../descriptor/searches.ts';
import type { Place } from '../../findings/finding.ts';
import type { UnknownName } from '../../findings/wording.ts';
import type { FlatProperty, FlatSchema } from '../../json-schema/flat-schema.ts';
import { propertyType, typeName } from '../../json-schema/property-type.ts';
import { nodeAt, resolveReference, schemaNameOf } from '../../json-schema/references.ts';
import { type Reference, type Relations, relationsOf } from '../access/relations.ts';
import type { PropertyDraft, ResourceDraft } from '../draft.ts';
import { appliesTo } from '../filter-operators.ts';
import { flatSchema } from '../schemas.ts';
import { placeholder } from './leaves.ts';

/** The rules that reading the schema of a filter may find broken. */
export type FilterRule = 'filter-property' | 'filter-style' | 'filter-operator' | 'filter-type' | 'filter-search';

export interface FilterFault extends Place {
  readonly rule: FilterRule;
  readonly message: string;
  /** What to write instead; of a name that is not known, those that are. */
  readonly hint: string | UnknownName;
}

/** One condition that a filter offers, as a whole on the rows of the list. */
export interface OfferedCondition {
  readonly condition: RowCondition;
  readonly place: Place;
  /** The texts that it looks for may be shorter than an index finds. */
  readonly isShort: boolean;
}

type Wrap = (condition: RowCondition) => RowCondition;

/** Levels of relations whose indexes are made. */
const MAX_RELATIONS = 3;

/** Reads the schemas of filters: what they offer, and what is wrong with them. */
export class FilterReader {
  readonly faults: FilterFault[] = [];
  readonly offered: OfferedCondition[] = [];
  readonly #document: OpenApiDocument;
  readonly #references: readonly Reference[];
  /** Schemas are read once for each way to them: what has been said already. */
  readonly #said = new Map<object, Set<unknown>>();

  /** `references`: all of the contract. */
  constructor(document: OpenApiDocument, references: readonly Reference[]) {
    this.#document = document;
    this.#references = references;
  }

  /** Reads the schema of conditions on the rows of a resource, which stands at a place. */
  read(resource: ResourceDraft, schema: Schema, place: Place): void {
    this.#conditions(resource, schema, place, (condition) => condition, []);
  }

  /** Reads the schema of a parameter that is named for a reference: an object of values of the row referred to. */
  readReference(resource: ResourceDraft, name: string, schema: Schema, place: Place): void {
    const reference = relationsOf(resource, this.#references).references.get(name);
    if (!reference) {
      const message = `\`${name}\` is not a property of \`${resource.name}\`, nor a reference with \`x-references\`.`;
      const known = [...resource.schema.properties.keys()];
      this.#fault('filter-property', place, message, { name, known });
      return;
    }
    const { property, target } = reference;
    const flat = flatSchema(this.#document, schema);
    this.#closed(name, flat, place);
    const wrap: Wrap = (condition) => ({ kind: 'reference', property: property.name, resource: target.key, condition });
    for (const { name: own, holder: node, schemas } of flat.properties.values()) {
      const compared = target.schema.properties.get(own);
      const at = { node, key: own };
      const value = flatSchema(this.#document, ...schemas);
      if (compared) this.#operation(`${target.name}.${own}`, compared, 'eq', value, at, { wrap, path: [] });
      else {
        const known = [...target.schema.properties.keys()];
        this.#fault('filter-property', at, `\`${own}\` is not a property of \`${target.name}\`.`, { name: own, known });
      }
    }
  }

  #conditions(resource: ResourceDraft, schema: Schema, place: Place, wrap: Wrap, path: readonly string[]): void {
    const name = nameBehind(this.#document, schema);
    const wanted = `${resource.name}Filter`;
    if (name !== wanted) {
      this.#fault(
        'filter-style',
        place,
        `The conditions on \`${resource.name}\` are ${name === undefined ? 'an inline schema' : `\`${name}\``}, not \`${wanted}\`.`,
        `Write \`$ref: '#/components/schemas/${wanted}'\`, the name of GraphQL's input.`,
      );
      return;
    }
    if (path.includes(name) || path.length > MAX_RELATIONS) return;
    const flat = flatSchema(this.#document, schema);
    this.#closed(name, flat, place);
    const relations = relationsOf(resource, this.#references);
    for (const member of flat.properties.values())
      this.#member(resource, relations, member, { wrap, path: [...path, name] });
  }

  /** What an open object has beside its properties would be ignored. */
  #closed(name: string, flat: FlatSchema, place: Place): void {
    if (flat.keywords.get('additionalProperties')?.value === false && flat.properties.size > 0) return;
    this.#fault(
      'filter-style',
      nodeOf(flat, place),
      `\`${name}\` is not a closed object with a property for each condition.`,
      'Write `type: object`, `additionalProperties: false`, and `properties`.',
    );
  }

  #member(resource: ResourceDraft, relations: Relations, member: FlatProperty, at: Visit): void {
    const { name, holder: node, schemas } = member;
    const place = { node, key: name };
    const schema = schemas.at(-1)!;
    if (name === 'and' || name === 'or' || name === 'not') {
      this.#combination(resource, name, schema, place);
      return;
    }
    const property = resource.schema.properties.get(name);
    if (property) {
      this.#compared(`${resource.name}.${name}`, property, schemas, place, at);
      return;
    }
    const reference = relations.references.get(name);
    if (reference) {
      const { property: own, target } = reference;
      const wrap: Wrap = (condition) =>
        at.wrap({ kind: 'reference', property: own.name, resource: target.key, condition });
      this.#conditions(target, schema, place, wrap, at.path);
      return;
    }
    const inverse = relations.inverses.get(name);
    if (inverse) this.#list(name, inverse, schema, place, at);
    else {
      const known = [
        ...resource.schema.properties.keys(),
        ...relations.references.keys(),
        ...relations.inverses.keys(),
      ];
      const message = `\`${name}\` is not a property of \`${resource.name}\`, nor a reference, nor the inverse of one.`;
      this.#fault('filter-property', place, message, { name, known });
    }
  }

  /** `and` and `or` are lists of the same conditions, `not` is one. */
  #combination(resource: ResourceDraft, word: 'and' | 'or' | 'not', schema: Schema, place: Place): void {
    const wanted = `${resource.name}Filter`;
    const flat = flatSchema(this.#document, schema);
    const inner = word === 'not' ? schema : (flat.keywords.get('items')?.value as Schema | undefined);
    const isList = flat.keywords.get('type')?.value === 'array';
    if ((word === 'not' || isList) && inner !== undefined && nameBehind(this.#document, inner) === wanted) return;
    const written = `{ $ref: '#/components/schemas/${wanted}' }`;
    this.#fault(
      'filter-style',
      place,
      `\`${word}\` of \`${wanted}\` is not ${word === 'not' ? 'a condition' : 'a list of conditions'} on the same rows.`,
      word === 'not' ? `Write \`${written}\`.` : `Write \`{ type: array, maxItems: 10, items: ${written} }\`.`,
    );
  }

  /** `{ some, none }`, with conditions on the rows that refer to one. */
  #list(name: string, reference: Reference, schema: Schema, place: Place, at: Visit): void {
    const { from, property } = reference;
    const flat = flatSchema(this.#document, schema);
    const words = [...flat.properties.values()];
    if (words.length === 0 || words.some((word) => word.name !== 'some' && word.name !== 'none')) {
      this.#fault(
        'filter-style',
        place,
        `\`${name}\` is a list of \`${from.name}\`: apply conditions to \`some\` or \`none\` of its rows.`,
        `Refer to an object \`${from.name}ListFilter\` with the properties \`some\` and \`none\`, each ${withArticle(`\`${from.name}Filter\``)}.`,
      );
      return;
    }
    this.#closed(nameBehind(this.#document, schema) ?? name, flat, place);
    const wrap: Wrap = (condition) => at.wrap({ kind: 'some', resource: from.key, property: property.name, condition });
    for (const { name: word, holder, schemas } of words)
      this.#conditions(from, schemas.at(-1)!, { node: holder, key: word }, wrap, at.path);
  }

  /** One value, a list of values, or an object of operators. */
  #compared(name: string, property: PropertyDraft, schemas: readonly Schema[], place: Place, at: Visit): void {
    const flat = flatSchema(this.#document, ...schemas);
    const items = flat.keywords.get('items')?.value as Schema | undefined;
    if (items !== undefined) this.#operation(name, property, 'in', flat, place, at);
    else if (flat.properties.size === 0) this.#operation(name, property, 'eq', flat, place, at);
    else {
      this.#closed(nameBehind(this.#document, schemas.at(-1)!) ?? name, flat, place);
      for (const { name: word, holder, schemas: own } of flat.properties.values())
        this.#operation(name, property, word, flatSchema(this.#document, ...own), { node: holder, key: word }, at);
    }
  }

  #operation(name: string, property: PropertyDraft, word: string, flat: FlatSchema, place: Place, at: Visit): void {
    if (!this.#isSound(name, property, word, flat, place)) return;
    const least = flat.keywords.get('minLength')?.value;
    const isShort = word === 'contains' && !(typeof least === 'number' && least >= TRIGRAM);
    this.offered.push({ condition: at.wrap(placeholder(property, word)), place, isShort });
  }

  #isSound(name: string, property: PropertyDraft, word: string, flat: FlatSchema, place: Place): boolean {
    if (word === 'isNull') {
      if (propertyType(flat) === 'boolean') return true;
      return this.#fault('filter-type', place, '`isNull` is not a boolean.', 'Write `isNull: { type: boolean }`.');
    }
    if (!VALUE_OPERATORS.includes(word) || property.type === 'json' || !appliesTo(word, property)) {
      const known = VALUE_OPERATORS.filter((one) => property.type !== 'json' && appliesTo(one, property));
      const message = `\`${word}\` does not apply to \`${name}\`, which is ${typeName(property.flat)}.`;
      return this.#fault('filter-operator', place, message, { name: word, known: [...known, 'isNull'] });
    }
    const items = flat.keywords.get('items')?.value as Schema | undefined;
    const value = word === 'in' ? flatSchema(this.#document, items ?? true) : flat;
    if (propertyType(value) === property.type && (word === 'in') === (items !== undefined)) return true;
    return this.#fault(
      'filter-type',
      place,
      `\`${word}\` compares ${typeName(word === 'in' && !items ? flat : value)} with \`${name}\`, which is ${typeName(property.flat)}.`,
      word === 'in'
        ? 'Write a list whose items have the type and format of the property.'
        : 'Give it the type and format of the property.',
    );
  }

  #fault(rule: FilterRule, place: Place, message: string, hint: FilterFault['hint']): false {
    const said = this.#said.get(place.node) ?? new Set();
    this.#said.set(place.node, said);
    if (!said.has(place.key)) this.faults.push({ rule, message, hint, ...place });
    said.add(place.key);
    return false;
  }
}

/** Where in the schemas the reader is. */
interface Visit {
  readonly wrap: Wrap;
  /** Names of the schemas around it. */
  readonly path: readonly string[];
}

/** The name of the component that a schema refers to, through others that only refer. */
function nameBehind(document: OpenApiDocument, schema: Schema): string | undefined {
  const name = schemaNameOf(schema);
  if (name === undefined || typeof schema !== 'object') return undefined;
  const next = nodeAt(document, (schema as { readonly $ref: string }).$ref);
  return (
    (next !== undefined &&
      resolveReference(document, next as object) !== next &&
      nameBehind(document, next as Schema)) ||
    name
  );
}

const nodeOf = (flat: FlatSchema, place: Place): Place => {
  const node = flat.nodes[0];
  return node === undefined ? place : { node };
};
