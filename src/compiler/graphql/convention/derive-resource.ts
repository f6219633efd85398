import { type Access, implies } from '../../../descriptor/access.ts';
import { startWithArticle, withArticle } from '../../../descriptor/article.ts';
import { parentOf } from '../../../descriptor/levels.ts';
import type { Action, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { ObjectDraft } from '../../model/draft.ts';
import { lowerFirst } from '../../model/naming.ts';
import { type ContractSide, draftOf, isRestOnly } from './contract-side.ts';
import type { Member } from './definition.ts';
import { deriveList } from './derive-list.ts';
import { authDirectives } from './directives.ts';
import { actionField } from './fields.ts';
import { deriveFurther } from './further-fields.ts';
import { ancestorParameters, EVENTS, type EventKind, eventFieldName, eventType, pluralOf } from './names.ts';
import type { RangeTypes } from './range-types.ts';
import { connectionsTo } from './sdl-facts.ts';
import type { TypeDeriver } from './type-deriver.ts';
import { wordsOf } from './words.ts';

/** The fields of a resource on the root types, and those that it gives to other types. */
export interface ResourceFields {
  readonly query: readonly Member[];
  readonly mutation: readonly Member[];
  readonly subscription: readonly Member[];
  /** The list of a sub-resource, as a field of its parent. */
  readonly onParent?: { readonly parent: ResourceDescriptor; readonly member: Member } | undefined;
}

/** The fields by which GraphQL serves a resource; its types are added to `types`. */
export function deriveResource(
  side: ContractSide,
  types: TypeDeriver,
  ranges: RangeTypes,
  resource: ResourceDescriptor,
): ResourceFields {
  const draft = draftOf(side, resource);
  const { name, flat } = draft.schema;
  const words = wordsOf(lowerFirst(name));
  types.object(name, flat, 'output', name, `${startWithArticle(words)}.`);
  objectOf(types, draft.input, `Input for ${withArticle(words)}.`);
  objectOf(types, draft.patch, `Changes to ${withArticle(words)}; what is left out keeps its value.`);
  const list = listField(side, types, ranges, resource);
  const parent = parentOf(side.resources, resource);
  const isAtRoot = list !== undefined && side.sdl.fields.has(`${side.sdl.roots.query}.${list.name}`);
  const isNested = parent !== undefined && list !== undefined && !isAtRoot && fitsParent(parent, resource);
  // Through the parent a list asks for the access of the parent, too.
  const isEnough = isNested && implies(draft.operations.list!.access, parent.actions.get!.access);
  return {
    query: [
      ...(list && !isEnough ? [list] : []),
      ...fieldsOf(side, resource, ['get']),
      ...deriveFurther(side, types, resource, 'query'),
    ],
    mutation: [
      ...fieldsOf(side, resource, ['create', 'replace', 'update', 'delete']),
      ...deriveFurther(side, types, resource, 'mutation'),
    ],
    subscription: events(side, resource),
    onParent: isNested
      ? {
          parent,
          member: { ...list, name: nestedName(side, parent, resource), args: withoutAncestors(list, resource) },
        }
      : undefined,
  };
}

function objectOf(types: TypeDeriver, input: ObjectDraft | undefined, words: string): void {
  if (input) types.object(input.name, input.flat, 'input', input.name, words);
}

/** `Book.copies`, for the sub-resource of a resource that has no property of that name. */
const fitsParent = (parent: ResourceDescriptor, resource: ResourceDescriptor): boolean =>
  parent.actions.get !== undefined && !parent.properties.some(({ name }) => name === pluralOf(resource));

/** The field of the parent that lists the resource already, under whatever name, or else the conventional one. */
function nestedName({ sdl }: ContractSide, parent: ResourceDescriptor, resource: ResourceDescriptor): string {
  const [existing, ...others] = connectionsTo(sdl, parent, resource);
  return existing !== undefined && others.length === 0 ? existing : pluralOf(resource);
}

const withoutAncestors = ({ args = [] }: Member, resource: ResourceDescriptor): readonly Member[] =>
  args.filter(({ name }) => !ancestorParameters(resource).includes(name));

function listField(
  side: ContractSide,
  types: TypeDeriver,
  ranges: RangeTypes,
  resource: ResourceDescriptor,
): Member | undefined {
  const field = servedField(side, resource, 'list');
  if (!field || !resource.list) return undefined;
  const plural = wordsOf(pluralOf(resource));
  deriveList(side, types, ranges, resource, plural);
  return { ...field, description: field.description ?? `The ${plural} that the caller may see.` };
}

/** The field of an action, unless GraphQL deliberately lacks it. */
function servedField(side: ContractSide, resource: ResourceDescriptor, action: Action): Member | undefined {
  const field = actionField(side, resource, action);
  return isRestOnly(draftOf(side, resource).operations[action]?.node) ? undefined : field;
}

const fieldsOf = (
  side: ContractSide,
  resource: ResourceDescriptor,
  actions: readonly Exclude<Action, 'list'>[],
): readonly Member[] => actions.flatMap((action) => servedField(side, resource, action) ?? []);

/**
 * Events of the changes that callers can make, for those who may read the resource. A schema that has the resource already has the
 * events that its author wants.
 */
function events(side: ContractSide, resource: ResourceDescriptor): readonly Member[] {
  const { name, actions } = resource;
  const read: Access | undefined = (actions.get ?? actions.list)?.access;
  if (!read || side.sdl.defined.has(name)) return [];
  const words = wordsOf(lowerFirst(name));
  const parent = resource.parent ? [{ name: resource.parent.property, type: 'ID' }] : [];
  const one = [{ name: 'id', type: 'ID' }, ...parent];
  const directives = authDirectives(side.document, read);
  const changes = { created: actions.create, updated: actions.update ?? actions.replace, deleted: actions.delete };
  const descriptions: Readonly<Record<EventKind, string>> = {
    created: `${startWithArticle(words)} that was created.`,
    updated: `${startWithArticle(words)} that has changed, as it is now.`,
    deleted: `The id of a deleted ${words}.`,
  };
  return EVENTS.filter((kind) => changes[kind]).map((kind) => ({
    name: eventFieldName(resource, kind),
    description: descriptions[kind],
    args: kind === 'created' ? parent : one,
    type: eventType(resource, kind),
    directives,
  }));
}
