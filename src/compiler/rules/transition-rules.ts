import { isSchemaObject } from '../json-schema/flat-schema.ts';
import { enumValues, typeName } from '../json-schema/property-type.ts';
import type { PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { extensionOf } from '../resources/describe-property.ts';
import { atPropertyKeyword } from './place.ts';
import { propertiesWith } from './reference-rules.ts';
import type { Check } from './rule.ts';
import { suggestion } from './wording.ts';

/** A state machine moves between the values of an enum of strings. */
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

/** Every state of a machine is a value of the enum. */
export const transitionsKnown: Check = function* ({ resources }) {
  for (const { resource, property, states, moves } of machines(resources)) {
    const named = Object.entries(moves).flatMap(([from, to]) => [from, ...to]);
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

/** Every value of the enum is a state of the machine, and can be reached. */
export const transitionsCover: Check = function* ({ resources }) {
  for (const { resource, property, states, moves } of machines(resources)) {
    const reached = reachable(moves, states[0]!);
    for (const state of states) {
      if (reached.has(state)) continue;
      const named = Object.hasOwn(moves, state);
      yield {
        severity: named ? 'warning' : 'error',
        message: `\`x-transitions\` of \`${resource.name}.${property.name}\` never leads to \`${state}\` from the initial state \`${states[0]}\`.`,
        hint: `Add \`${state}\` to a list of moves, or remove it from the enum.`,
        ...atPropertyKeyword(property, 'x-transitions'),
      };
    }
  }
};

/** The first value of the enum is the initial state; a default that says otherwise contradicts it. */
export const transitionsInitial: Check = function* ({ resources }) {
  for (const { resource, property, states } of machines(resources)) {
    for (const schema of [resource.schema, resource.input]) {
      const declared = schema?.properties.get(property.name);
      const value = declared?.flat.keywords.get('default')?.value;
      if (value === undefined || value === states[0]) continue;
      yield {
        severity: 'error',
        message: `\`${schema!.name}.${property.name}\` begins at \`${states[0]}\`, the first value of its enum, but its default is \`${String(value)}\`.`,
        hint: `Write \`${String(value)}\` first in the enum, or remove the default.`,
        ...atPropertyKeyword(declared!, 'default'),
      };
    }
  }
};

interface Machine {
  readonly resource: ResourceDraft;
  readonly property: PropertyDraft;
  readonly states: readonly string[];
  readonly moves: Readonly<Record<string, readonly string[]>>;
}

/** Those whose extension has its right shape; another rule judges the shape. */
function* machines(resources: readonly ResourceDraft[]): Iterable<Machine> {
  for (const { resource, property } of propertiesWith(resources, 'x-transitions')) {
    const moves = extensionOf<Record<string, string[]>>(property, 'x-transitions');
    const states = enumValues(property.flat);
    if (states === undefined || !isSchemaObject(moves) || !Object.values(moves).every(Array.isArray)) continue;
    yield { resource, property, states, moves };
  }
}

function reachable(moves: Machine['moves'], initial: string): ReadonlySet<string> {
  const reached = new Set([initial]);
  for (const state of reached) for (const next of moves[state] ?? []) reached.add(next);
  return reached;
}
