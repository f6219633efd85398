import { patchDefaults } from '../read/complete/patch-defaults.ts';
import { atProperty, atRequired } from './place.ts';
import type { Check } from './rule.ts';

/** A merge patch has no required properties, because it contains only what changes (RFC 7396). */
export const patchRequired: Check = function* ({ resources }) {
  for (const { patch } of resources) {
    for (const name of patch?.flat.required.keys() ?? []) {
      yield {
        severity: 'error',
        message: `\`${patch!.name}\` requires \`${name}\`, but a merge patch contains only what changes.`,
        hint: `Remove \`required\` from \`${patch!.name}\`.`,
        ...atRequired(patch!, name),
      };
    }
  }
};

/** Generated clients send defaults: with one in a patch, they would set what nobody has changed. */
export const patchDefault: Check = function* ({ document }) {
  for (const { node, schema } of patchDefaults(document)) {
    const what = schema === undefined ? 'A merge patch has a default' : `\`${schema}\` has a default`;
    yield {
      severity: 'warning',
      message: `${what}${schema === undefined ? '' : ' and is part of a merge patch'}: generated clients would send it with every patch.`,
      hint: 'Write the default where a new resource gets it, beside the `$ref` in the input. It is left out of patches in the published document.',
      node,
      key: 'default',
    };
  }
};

/** Immutable properties, which are only set on creation, are not in a patch. */
export const immutablePatch: Check = function* ({ resources }) {
  for (const { schema, patch } of resources) {
    for (const property of schema.properties.values()) {
      const patched = patch?.properties.get(property.name);
      if (patched === undefined || property.flat.keywords.get('x-immutable')?.value !== true) continue;
      yield {
        severity: 'error',
        message: `\`${patch!.name}\` has the property \`${property.name}\`, which can only be set on creation (\`x-immutable\`).`,
        hint: `Remove \`${property.name}\` from \`${patch!.name}\`, or \`x-immutable\` from \`${schema.name}.${property.name}\`.`,
        ...atProperty(patched),
      };
    }
  }
};
