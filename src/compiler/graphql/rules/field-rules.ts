import { suggestion } from '../../findings/wording.ts';
import type { SdlCheck } from './sdl-rule.ts';

/** A subscription field is an event of a resource. */
export const subscriptionField: SdlCheck = function* ({ schema, fields, resources }) {
  const known = [...resources.values()].flatMap(({ name }) =>
    ['Created', 'Updated', 'Deleted'].map((kind) => `${name.charAt(0).toLowerCase()}${name.slice(1)}${kind}`),
  );
  for (const { type, field, coordinate, descriptor } of fields) {
    if (type !== schema.getSubscriptionType() || descriptor?.kind !== 'custom') continue;
    yield {
      message: `\`${coordinate}\` is not an event of a resource.`,
      hint: suggestion(field.name, known),
      node: field.astNode,
      coordinate,
    };
  }
};
