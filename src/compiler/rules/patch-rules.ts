import { atProperty, atRequired } from './place.ts';
import type { Check } from './rule.ts';

/** A merge patch sends what changes and nothing else (RFC 7396). */
export const patchRequired: Check = function* ({ resources }) {
  for (const { patch } of resources) {
    for (const name of patch?.flat.required.keys() ?? []) {
      yield {
        severity: 'error',
        message: `\`${patch!.name}\` requires \`${name}\`, but a merge patch sends only what changes.`,
        hint: `Remove \`required\` from \`${patch!.name}\`.`,
        ...atRequired(patch!, name),
      };
    }
  }
};

/** What is only set on creation is no part of a patch. */
export const immutablePatch: Check = function* ({ resources }) {
  for (const { schema, patch } of resources) {
    for (const property of schema.properties.values()) {
      const patched = patch?.properties.get(property.name);
      if (patched === undefined || property.flat.keywords.get('x-immutable')?.value !== true) continue;
      yield {
        severity: 'error',
        message: `\`${patch!.name}\` takes \`${property.name}\`, which \`x-immutable\` allows on creation only.`,
        hint: `Remove \`${property.name}\` from \`${patch!.name}\`, or \`x-immutable\` from \`${schema.name}.${property.name}\`.`,
        ...atProperty(patched),
      };
    }
  }
};
