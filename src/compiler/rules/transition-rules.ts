import { suggestion } from '../findings/wording.ts';
import { isSchemaObject } from '../json-schema/flat-schema.ts';
import { enumValues, typeName } from '../json-schema/property-type.ts';
import { extensionOf } from '../model/resources/describe-property.ts';
import { atPropertyKeyword } from './place.ts';
import { type Fault, rule } from './rule.ts';
import { propertiesWith, type ResourceProperty } from './subjects.ts';

export const transitionRules = [
  rule({
    id: 'transitions-enum',
    summary: 'The states of a state machine are the values of a string enum.',
    advice: 'Put `x-transitions` on such a property.',
    each: propertiesWith('x-transitions'),
    check: ({ resource, property: { name, type, flat }, property }) =>
      !(type === 'string' && enumValues(flat) !== undefined && !flat.nullable) && {
        message: `\`${resource.name}.${name}\` has \`x-transitions\`, but is ${flat.nullable ? 'nullable' : typeName(flat)}.`,
        hint: 'States are the values of `type: string` with an `enum`; the first one is the initial state.',
        ...atPropertyKeyword(property, 'x-transitions'),
      },
  }),
  rule({
    id: 'transitions',
    summary: 'Transitions name values of the enum, and reach every value from the default.',
    advice: 'Add the state to the enum or a transition to it, or correct or remove its name.',
    each: propertiesWith('x-transitions'),
    *check({ resource, property }) {
      const transitions = extensionOf<Record<string, string[]>>(property, 'x-transitions');
      const states = enumValues(property.flat);
      // Other rules report invalid ones.
      if (!states || !isSchemaObject(transitions) || !Object.values(transitions).every(Array.isArray)) return;
      yield* wrongStates({ resource, property }, states, transitions);
      yield* otherDefaults({ resource, property }, states);
    },
  }),
];

type Transitions = Readonly<Record<string, readonly string[]>>;

function* wrongStates(
  { resource, property }: ResourceProperty,
  states: readonly string[],
  transitions: Transitions,
): Iterable<Fault> {
  const of = `\`x-transitions\` of \`${resource.name}.${property.name}\``;
  const place = atPropertyKeyword(property, 'x-transitions');
  const named = Object.entries(transitions).flatMap(([from, to]) => [
    from,
    ...to.filter((state) => typeof state === 'string'),
  ]);
  for (const state of new Set(named))
    if (!states.includes(state))
      yield {
        message: `${of} names \`${state}\`, which the enum does not list.`,
        hint: suggestion(state, states),
        ...place,
      };
  const reached = reachable(transitions, states.slice(0, 1));
  for (const state of states)
    if (!reached.has(state))
      yield {
        ...(Object.hasOwn(transitions, state) && { severity: 'warning' }),
        message: `${of} never reaches \`${state}\` from the initial state \`${states[0]}\`.`,
        hint: `Add a transition to \`${state}\`, or remove it from the enum.`,
        ...place,
      };
}

function* otherDefaults({ resource, property }: ResourceProperty, states: readonly string[]): Iterable<Fault> {
  for (const schema of [resource.schema, resource.input]) {
    const declared = schema?.properties.get(property.name);
    const value = declared?.flat.keywords.get('default')?.value;
    if (!schema || !declared || value === states[0] || !states.includes(value as string)) continue;
    yield {
      message: `\`${schema.name}.${property.name}\` has the initial state \`${states[0]}\`, the first value of its enum, but the default \`${String(value)}\`.`,
      hint: `Make \`${String(value)}\` the first value of the enum, or remove the default.`,
      ...atPropertyKeyword(declared, 'default'),
    };
  }
}

function reachable(transitions: Transitions, initial: readonly string[]): ReadonlySet<string> {
  const reached = new Set(initial);
  for (const state of reached) for (const next of transitions[state] ?? []) reached.add(next);
  return reached;
}
