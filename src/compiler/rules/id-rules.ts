import { isDeepStrictEqual } from 'node:util';
import type { Parameter } from '../../descriptor/document.ts';
import type { PropertyType } from '../../descriptor/resource.ts';
import { oneOf } from '../findings/wording.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import { enumValues, propertyType, typeName } from '../json-schema/property-type.ts';
import type { ObjectDraft, OperationDraft, PropertyDraft, ResourceDraft } from '../model/draft.ts';
import { parameterSchema } from '../model/resources/list-parameters.ts';
import { isBounded } from './input-rules.ts';
import { atParameter, atProperty, atPropertyKeyword, atResponse } from './place.ts';
import type { Check, Fault } from './rule.ts';

/** What an id may be. */
export const ID_TYPES: readonly PropertyType[] = ['uuid', 'string', 'integer', 'int64'];

/** Longer ids are refused by routers and by the indexes of databases. */
const MAX_LENGTH = 255;

/** The texts that no URL can end with: clients remove them before they send it (RFC 3986, 5.2.4). */
const UNREACHABLE = ['', '.', '..'];

export const idOf = ({ schema }: ResourceDraft): PropertyDraft => schema.properties.get('id')!;

/** A path parameter has the type of the id, or of the key, that it holds. */
export const idParameter: Check = function* ({ document, resources }) {
  for (const resource of resources) {
    for (const { property, operation, parameter: name } of namesOf(resource)) {
      const parameter = pathParameter(operation, name);
      if (parameter === undefined) continue;
      const declared = parameterSchema(document, parameter);
      if (propertyType(declared) === property.type) continue;
      const held = property.name === 'id' ? 'id' : `\`${property.name}\``;
      yield {
        severity: 'error',
        message: `\`{${name}}\` is the ${held} of a \`${resource.name}\`, which is ${typeName(property.flat)}, but is declared as ${typeName(declared)}.`,
        hint: `Write \`schema: { ${yamlOf(property.flat)} }\`.`,
        ...atParameter(parameter, 'schema'),
      };
    }
  }
};

/** A property that a path parameter holds, which names one. */
interface Name {
  readonly property: PropertyDraft;
  readonly operation: OperationDraft;
  readonly parameter: string;
}

/** What one is named by in paths: its id or its key, and the keys of its lookups. */
export function namesOf({
  schema,
  keyProperty = 'id',
  operations,
  idParameter,
  lookups,
}: ResourceDraft): readonly Name[] {
  return [
    { property: schema.properties.get(keyProperty)!, operation: operations.get!, parameter: idParameter },
    ...lookups.map(({ property, operation }) => ({
      property: schema.properties.get(property)!,
      operation,
      parameter: property,
    })),
  ];
}

/** Where the server cannot make up an id, every caller sends one; where the database counts, none does. */
export const idChosen: Check = function* ({ resources }) {
  for (const resource of resources) {
    const { input, name, operations } = resource;
    const id = idOf(resource);
    if (!operations.create || !input || id.type === 'uuid' || input.flat.required.has('id')) continue;
    const sent = input.properties.get('id');
    if (id.type !== 'string') {
      if (sent) yield halfChosen(input.name, sent);
      continue;
    }
    if (isSubject(resource)) continue;
    yield {
      severity: 'error',
      message: `\`${name}.id\` is a text, which the server does not make up, but \`${input.name}\` does not require it.`,
      hint: `Add \`id\` to the properties of \`${input.name}\` and to its \`required\`, or make it \`type: string, format: uuid\`.`,
      ...atProperty(sent ?? id),
    };
  }
};

/** An integer that some callers choose could be one that the database comes to later. */
const halfChosen = (input: string, sent: PropertyDraft): Fault => ({
  severity: 'error',
  message: `\`${input}.id\` is an integer that callers may send or leave out.`,
  hint: `Remove \`id\` from \`${input}\`, so that the database counts, or require it, so that every caller chooses.`,
  ...atProperty(sent),
});

/**
 * `PUT` gives a new row the id of its path: the parameter takes what the id may be, and the database does not count. An
 * input that requires the id holds it against the resource itself.
 */
export const idOfPath: Check = function* ({ document, resources }) {
  for (const resource of resources) {
    const { replace } = resource.operations;
    const [{ property: id }] = namesOf(resource) as [Name];
    if (!replace || !createsByPut(resource) || resource.input?.flat.required.has(id.name)) continue;
    const parameter = pathParameter(replace, resource.idParameter);
    const differing =
      parameter && BOUNDS.find((bound) => !isSame(parameterSchema(document, parameter), id.flat, bound));
    if (differing !== undefined) {
      yield {
        severity: 'error',
        message: `\`${replace.operationId}\` creates with the ${id.name} of its path, but \`${differing}\` of \`{${resource.idParameter}}\` is not that of \`${resource.name}.${id.name}\`.`,
        hint: 'Refer to one schema in both.',
        ...atParameter(parameter!, 'schema'),
      };
    }
    if (id.name !== 'id' || (id.type !== 'integer' && id.type !== 'int64')) continue;
    yield {
      severity: 'error',
      message: `\`${replace.operationId}\` declares 201, but the database counts the ids of \`${resource.name}\`.`,
      hint: `Remove the response \`'201'\`, or require \`id\` in \`${resource.input?.name ?? `${resource.name}Input`}\`, so that callers choose.`,
      ...atResponse(replace, 201),
    };
  }
};

/** A text that is an id or a key can stand in a path, and in an index. */
export const idText: Check = function* ({ resources }) {
  for (const resource of resources) for (const chosen of chosenNames(resource)) yield* unreachable(chosen);
};

function* unreachable({ schema, property }: ChosenName): Generator<Fault> {
  if (property.type !== 'string') return;
  const name = `\`${schema.name}.${property.name}\``;
  const reachable = UNREACHABLE.filter((text) => accepts(property.flat, text));
  if (reachable.length > 0) {
    yield {
      severity: 'error',
      message: `${name} may be ${oneOf(reachable.map((text) => text || '(empty)'))}, which cannot stand at the end of a path.`,
      hint: "Give it a `pattern` such as '^[a-z0-9][a-z0-9-]{0,62}$'.",
      ...atPropertyKeyword(property, 'pattern'),
    };
  }
  const maximum = property.flat.keywords.get('maxLength')?.value;
  if (isBounded(property.flat) && (maximum === undefined || Number(maximum) <= MAX_LENGTH)) return;
  yield {
    severity: 'error',
    message: `${name} may be longer than ${MAX_LENGTH} characters.`,
    hint: `Add \`maxLength\`, ${MAX_LENGTH} at most.`,
    ...atPropertyKeyword(property, 'maxLength'),
  };
}

interface ChosenName {
  readonly schema: ObjectDraft;
  readonly property: PropertyDraft;
}

/** What says which ids and keys callers may choose: the input, or of `PUT` that does not take them there, the resource. */
function chosenNames(resource: ResourceDraft): readonly ChosenName[] {
  const { input, schema, keyProperty } = resource;
  const names = new Set(['id', ...namesOf(resource).map(({ property }) => property.name)]);
  return [...names].flatMap((name) => {
    const sent = input?.properties.get(name);
    if (sent) return [{ schema: input!, property: sent }];
    const isMade = createsByPut(resource) && name === (keyProperty ?? 'id');
    return isMade ? [{ schema, property: schema.properties.get(name)! }] : [];
  });
}

const BOUNDS = ['pattern', 'minLength', 'maxLength', 'enum', 'minimum', 'maximum', 'const'];

const isSame = (a: FlatSchema, b: FlatSchema, keyword: string): boolean =>
  isDeepStrictEqual(a.keywords.get(keyword)?.value, b.keywords.get(keyword)?.value);

const createsByPut = ({ operations }: ResourceDraft): boolean =>
  operations.replace?.node.responses?.['201'] !== undefined;

/** `type: string, format: uuid`, as an author writes the type of a schema. */
export function yamlOf(schema: FlatSchema): string {
  const [type, format] = typeName(schema).split('/');
  return format === undefined ? `type: ${type}` : `type: ${type}, format: ${format}`;
}

/** Each row is its caller, without exception: the id is the `sub` of the token. */
function isSubject({ schema }: ResourceDraft): boolean {
  const owner = schema.flat.keywords.get('x-owner')?.value as { property?: string; scope?: string } | undefined;
  return owner?.property === 'id' && owner.scope === undefined;
}

function accepts(schema: FlatSchema, text: string): boolean {
  const keyword = (name: string): unknown => schema.keywords.get(name)?.value;
  const pattern = keyword('pattern');
  return (
    text.length >= Number(keyword('minLength') ?? 0) &&
    (enumValues(schema)?.includes(text) ?? true) &&
    (typeof pattern !== 'string' || matches(pattern, text))
  );
}

/** A pattern that is not a regular expression is reported by another rule. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

function pathParameter(operation: OperationDraft, name: string): Parameter | undefined {
  return operation.parameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
}
