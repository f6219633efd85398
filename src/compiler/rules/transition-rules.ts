import { suggestion } from '../findings/wording.ts';
import { isSchemaObject } from '../json-schema/flat-schema.ts';
import { enumValues, typeName } from '../json-schema/property-type.ts';
import type { PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { extensionOf } from '../model/resources/describe-property.ts';
import { atPropertyKeyword } from './place.ts';
import { propertiesWith } from './reference-rules.ts';
import type { Check } from './rule.ts';

/** The states of a state machine are the values of a string enum. */
export const transitionsEnum: Check = function* ({ resources }) {
  for (const { resource, property } of propertiesWith(resources, 'x-transitions')) {
    if (property.type === 'string' && enumValues(property.flat) !== undefined && !property.flat.nullable) continue;
    yield {
      severity: 'error',
      message: `\`${resource.name}.${property.name}\` has \`x-transitions\`, but is ${property.flat.nullable ? 'nullable' : typeName(property.flat)}.`,
      hint: 'States are the values of `type: string` with an `enum`; the first one is the initial state.',
      ...atPropertyKeyword(property, 'x-transitions'),
    };
  }
};

/** Transitions name values of the enum. */
export const transitionsKnown: Check = function* ({ resources }) {
  for (const { resource, property, states, transitions } of machines(resources)) {
    const named = Object.entries(transitions).flatMap(([from, to]) => [
      from,
      ...to.filter((state) => typeof state === 'string'),
    ]);
    for (const state of new Set(named)) {
      if (states.includes(state)) continue;
      yield {
        severity: 'error',
        message: `\`x-transitions\` of \`${resource.name}.${property.name}\` names \`${state}\`, which the enum does not list.`,
        hint: suggestion(state, states),
        ...atPropertyKeyword(property, 'x-transitions'),
      };
    }
  }
};

/** Every value of the enum can be reached from the initial state. */
export const transitionsCover: Check = function* ({ resources }) {
  for (const { resource, property, states, transitions } of machines(resources)) {
    const reached = reachable(transitions, states[0]!);
    for (const state of states) {
      if (reached.has(state)) continue;
      const named = Object.hasOwn(transitions, state);
      yield {
        severity: named ? 'warning' : 'error',
        message: `\`x-transitions\` of \`${resource.name}.${property.name}\` never reaches \`${state}\` from the initial state \`${states[0]}\`.`,
        hint: `Add a transition to \`${state}\`, or remove it from the enum.`,
        ...atPropertyKeyword(property, 'x-transitions'),
      };
    }
  }
};

/** The default, if there is one, is the initial state, which is the first value of the enum. */
export const transitionsInitial: Check = function* ({ resources }) {
  for (const { resource, property, states } of machines(resources)) {
    for (const schema of [resource.schema, resource.input]) {
      const declared = schema?.properties.get(property.name);
      const value = declared?.flat.keywords.get('default')?.value;
      if (value === states[0] || !states.includes(value as string)) continue;
      yield {
        severity: 'error',
        message: `\`${schema!.name}.${property.name}\` has the initial state \`${states[0]}\`, the first value of its enum, but the default \`${String(value)}\`.`,
        hint: `Make \`${String(value)}\` the first value of the enum, or remove the default.`,
        ...atPropertyKeyword(declared!, 'default'),
      };
    }
  }
};

interface Machine {
  readonly resource: ResourceDraft;
  readonly property: PropertyDraft;
  readonly states: readonly string[];
  readonly transitions: Readonly<Record<string, readonly string[]>>;
}

/** The state machines with a valid `x-transitions`; another rule reports invalid ones. */
function* machines(resources: readonly ResourceDraft[]): Iterable<Machine> {
  for (const { resource, property } of propertiesWith(resources, 'x-transitions')) {
    const transitions = extensionOf<Record<string, string[]>>(property, 'x-transitions');
    const states = enumValues(property.flat);
    if (states === undefined || !isSchemaObject(transitions) || !Object.values(transitions).every(Array.isArray))
      continue;
    yield { resource, property, states, transitions };
  }
}

function reachable(transitions: Machine['transitions'], initial: string): ReadonlySet<string> {
  const reached = new Set([initial]);
  for (const state of reached) for (const next of transitions[state] ?? []) reached.add(next);
  return reached;
}
