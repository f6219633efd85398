import { suggestion } from '../../findings/wording.ts';
import { argumentsOf, type ConventionalArgument } from './conventional-field.ts';
import type { SdlCheck, SdlDraft, SdlFault, SdlField } from './sdl-rule.ts';

/** A field has the arguments that its action requires. */
export const argumentMissing: SdlCheck = function* (draft) {
  for (const { site, known } of conventionalFields(draft)) {
    const given = site.field.args.map(({ name }) => name);
    for (const [name, { type, required }] of Object.entries(known)) {
      if (!required || given.includes(name)) continue;
      yield {
        message: `\`${site.coordinate}\` has no argument \`${name}\`.`,
        hint: `Add \`${name}: ${type}\`.`,
        node: site.field.astNode,
        coordinate: site.coordinate,
      };
    }
  }
};

/** A field has no arguments beyond those of the conventions, which would be ignored. */
export const argumentUnknown: SdlCheck = function* (draft) {
  for (const { site, known } of conventionalFields(draft)) {
    for (const { name, astNode } of site.field.args) {
      if (Object.hasOwn(known, name)) continue;
      yield {
        message: `\`${site.coordinate}\` has the argument \`${name}\`, which the conventions do not know.`,
        hint: suggestion(
          name,
          Object.keys(known),
          Object.keys(known).length === 0 ? 'Remove it: the field takes none.' : undefined,
        ),
        node: astNode,
        coordinate: `${site.coordinate}(${name}:)`,
      };
    }
  }
  yield* argumentsOfProperties(draft);
};

/** A property is answered as it is; fields of the root that REST lacks are the parity gate's business. */
function* argumentsOfProperties({ fields, schema }: SdlDraft): Generator<SdlFault> {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  for (const { field, type, coordinate, descriptor } of fields) {
    if (descriptor || roots.has(type)) continue;
    for (const { name, astNode } of field.args)
      yield {
        message: `\`${coordinate}\` has the argument \`${name}\`, but is a property, which takes none.`,
        hint: 'Remove it.',
        node: astNode,
        coordinate: `${coordinate}(${name}:)`,
      };
  }
}

/** An argument has the type of the conventions. */
export const argumentType: SdlCheck = function* (draft) {
  for (const { site, known } of conventionalFields(draft)) {
    for (const { name, type, astNode } of site.field.args) {
      const wanted = Object.hasOwn(known, name) ? known[name] : undefined;
      if (!wanted || wanted.type === type.toString()) continue;
      yield {
        message: `The argument \`${name}\` of \`${site.coordinate}\` is \`${type}\`, not \`${wanted.type}\`.`,
        hint: `Write \`${name}: ${wanted.type}\`.`,
        node: astNode,
        coordinate: `${site.coordinate}(${name}:)`,
      };
    }
  }
};

interface Conventional {
  readonly site: SdlField;
  readonly known: Readonly<Record<string, ConventionalArgument>>;
}

function* conventionalFields({ fields, resources }: SdlDraft): Generator<Conventional> {
  for (const site of fields) {
    const { descriptor } = site;
    const key = descriptor && 'resource' in descriptor ? descriptor.resource : '';
    const known = argumentsOf(site, resources.get(key), [...resources.values()]);
    if (known) yield { site, known };
  }
}
