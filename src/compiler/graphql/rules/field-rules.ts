import { parseType, typeFromAST } from 'graphql';
import { suggestion } from '../../findings/wording.ts';
import { typeOf } from './conventional-field.ts';
import type { SdlCheck } from './sdl-rule.ts';

/** A field of an action has the type of the conventions. */
export const fieldType: SdlCheck = function* ({ schema, fields, resources }) {
  for (const { field, coordinate, descriptor } of fields) {
    const name = descriptor && 'resource' in descriptor ? resources.get(descriptor.resource)!.name : '';
    const wanted = typeOf(descriptor, name);
    if (wanted === undefined || wanted === field.type.toString()) continue;
    const exists = typeFromAST(schema, parseType(wanted) as never) !== undefined;
    yield {
      message: `\`${coordinate}\` is \`${field.type}\`, not \`${wanted}\`.`,
      hint: exists ? `Write \`${field.name}: ${wanted}\`.` : `Write \`${field.name}: ${wanted}\`, and define the type.`,
      node: field.astNode?.type,
      coordinate,
    };
  }
};

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

/** `@operation` names a custom operation. */
export const operationKnown: SdlCheck = function* ({ fields, operations, custom }) {
  for (const { field, coordinate, descriptor } of fields) {
    const id = descriptor?.kind === 'custom' ? descriptor.operationId : undefined;
    if (id === undefined || custom.includes(id)) continue;
    const isServed = operations.some(({ operationId }) => operationId === id);
    yield {
      message: isServed
        ? `\`@operation\` of \`${coordinate}\` names \`${id}\`, which is not a custom operation: the conventions implement it.`
        : `\`@operation\` of \`${coordinate}\` names \`${id}\`, which is not an operation.`,
      hint: suggestion(id, custom),
      node: field.astNode?.directives?.find(({ name }) => name.value === 'operation'),
      coordinate,
    };
  }
};
