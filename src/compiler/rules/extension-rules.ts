import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { closest, oneOf } from '../findings/wording.ts';
import type { ContractDraft, ExtensionUse } from '../model/draft.ts';
import { EXTENSIONS, type ExtensionPlace } from '../model/extensions/extensions.ts';
import { type Check, type Fault, severityIn } from './rule.ts';

const names = Object.keys(EXTENSIONS);
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
(ajvFormats as unknown as (ajv: Ajv2020) => void)(ajv);

/** The value of an extension matches its definition. */
export const extensionValue: Check = function* (draft) {
  for (const site of ownSites(draft)) {
    if (EXTENSIONS[site.name]?.hasOwnRule) continue;
    const validate = validatorOf(site.name, site.place);
    if (validate === undefined || validate(site.value)) continue;
    const faults = telling(validate.errors ?? []).map(describeError);
    yield fault(draft, site, `\`${site.name}\` has an invalid value: ${faults.join('; ')}.`, exampleOf(site));
  }
};

/** An extension occurs only where it has an effect. */
export const extensionPlace: Check = function* (draft) {
  for (const site of ownSites(draft)) {
    const { shapes } = EXTENSIONS[site.name]!;
    if (shapes[site.place] !== undefined) continue;
    const message = `\`${site.name}\` has no effect on ${nounOf(site.place)}.`;
    yield fault(
      draft,
      site,
      message,
      `Put it on ${Object.keys(shapes)
        .map((place) => nounOf(place as ExtensionPlace))
        .join(' or ')}.`,
    );
  }
};

/** A misspelled extension would be ignored silently. */
export const extensionUnknown: Check = function* (draft) {
  for (const site of draft.extensions) {
    if (Object.hasOwn(EXTENSIONS, site.name)) continue;
    const near = closest(
      site.name.slice(2),
      names.map((name) => name.slice(2)),
    );
    if (near === undefined) continue;
    yield fault(draft, site, `\`${site.name}\` is not an extension of the conventions.`, `Did you mean \`x-${near}\`?`);
  }
};

/** What is said of schemas that are no resources, too. */
const ANYWHERE = new Set(['x-error-codes', 'x-parity', 'x-resource']);

/** Extensions of resources are read from their own schemas; on any other schema they have no effect. */
export const extensionWithoutEffect: Check = function* (draft) {
  const effective = nodesOfResources(draft);
  for (const site of ownSites(draft)) {
    const onSchema = site.place === 'property' || site.place === 'schema';
    if (!onSchema || ANYWHERE.has(site.name) || effective.has(site.node)) continue;
    yield {
      severity: 'warning',
      message: `\`${site.name}\` has no effect here, because this is not the schema of a resource.`,
      hint: `Put it on the schema that \`GET /collection/{id}\` returns, or on one of its properties.`,
      node: site.node,
      key: site.name,
    };
  }
};

function ownSites(draft: ContractDraft): readonly ExtensionUse[] {
  return draft.extensions.filter(({ name }) => Object.hasOwn(EXTENSIONS, name));
}

function nodesOfResources({ resources }: ContractDraft): ReadonlySet<object> {
  return new Set(
    resources.flatMap(({ schema }) => [
      ...schema.flat.nodes,
      ...[...schema.properties.values()].flatMap((property) => property.flat.nodes),
    ]),
  );
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string, place: ExtensionPlace): ValidateFunction | undefined {
  const shape = EXTENSIONS[name]!.shapes[place];
  if (shape === undefined) return undefined;
  const key = `${name} ${place}`;
  const validate = validators.get(key) ?? ajv.compile(shape);
  validators.set(key, validate);
  return validate;
}

/** Without what `anyOf` only sums up, and without the alternatives of another type where one of them fits better. */
function telling(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const summed = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath);
  const causes = errors.filter(({ keyword }) => keyword !== 'anyOf');
  const fitting = causes.filter(({ keyword, instancePath }) => keyword !== 'type' || !summed.includes(instancePath));
  return fitting.some(({ keyword }) => keyword !== 'const') ? fitting : causes;
}

function describeError({ instancePath, keyword, message, params }: ErrorObject): string {
  return `${instancePath} ${wordsOf(keyword, params) ?? message}`.trim();
}

function wordsOf(keyword: string, params: ErrorObject['params']): string | undefined {
  switch (keyword) {
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'enum':
      return `must be ${oneOf(params['allowedValues'])}`;
    case 'additionalProperties':
      return `must not have \`${params['additionalProperty']}\``;
    default:
      return undefined;
  }
}

function exampleOf({ name, place }: ExtensionUse): string {
  return `For example, write \`${EXTENSIONS[name]!.examples[place]}\`.`;
}

function nounOf(place: ExtensionPlace): string {
  return {
    property: 'a property',
    schema: 'an object schema',
    operation: 'an operation',
    parameter: 'a parameter',
    response: 'a response',
    info: '`info`',
    document: 'the document',
  }[place];
}

function fault(draft: ContractDraft, site: ExtensionUse, message: string, hint: string): Fault {
  return { severity: severityIn(draft), message, hint, node: site.node, key: site.name };
}
