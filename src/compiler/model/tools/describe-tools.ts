import { contentOf, isJson } from '../../../descriptor/content.ts';
import { conventionNames } from '../../../descriptor/convention-names.ts';
import { isRead, type OpenApiDocument, type Schema } from '../../../descriptor/document.ts';
import { BODY_INPUT, inputName } from '../../../descriptor/operation-inputs.ts';
import { hasTextVersion, isAction, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { ROLES } from '../../../descriptor/roles.ts';
import {
  FIELDS_ARGUMENT,
  type ToolDescriptor,
  type ToolGroup,
  type ToolsDescriptor,
} from '../../../descriptor/tools.ts';
import type { ContractModel, OperationModel } from '../model.ts';
import { snakeCase } from '../naming.ts';
import { type OfferedOperation, offeredOperations, offerOf } from './offers.ts';
import { briefSchema, type ToolSchema, toolSchema } from './tool-schema.ts';

/** The tools of a contract; undefined where it offers none. */
export function describeTools(model: ContractModel): ToolsDescriptor | undefined {
  const offer = offerOf(model.document);
  if (!offer) return undefined;
  return {
    ...(offer.instructions !== undefined && { instructions: offer.instructions }),
    ...(offer.alwaysSignsIn && { alwaysSignsIn: true }),
    tools: offeredOperations(model, offer).map((one) => describeTool(model, one)),
  };
}

/** A tool as hosts get it. */
export const published = ({ operationId: _, ...tool }: ToolDescriptor): Omit<ToolDescriptor, 'operationId'> => tool;

/** How many tokens a list takes of the context of a model, about. */
export const tokensOf = (tools: readonly ToolDescriptor[]): number =>
  Math.ceil(JSON.stringify(tools.map(published)).length / 4);

function describeTool(model: ContractModel, { operation, group, own }: OfferedOperation): ToolDescriptor {
  const { operationId, method, node } = operation;
  const description = own?.description ?? textOf(node['description']) ?? textOf(node['summary']);
  return {
    operationId,
    name: own?.name ?? operationId,
    ...(typeof node['summary'] === 'string' && { title: node['summary'] }),
    ...(description !== undefined && { description }),
    inputSchema: inputSchema(model, operation, group),
    annotations: isRead(method)
      ? { readOnlyHint: true, openWorldHint: false }
      : {
          readOnlyHint: false,
          destructiveHint: group !== 'create',
          idempotentHint: method === 'put' || method === 'delete',
          openWorldHint: false,
        },
  };
}

const textOf = (text: unknown): string | undefined =>
  typeof text === 'string' && text.trim() !== '' ? text.trim().replaceAll(/\s+/g, ' ') : undefined;

/** The first sentence of a text that may be long. */
const firstSentence = (text: string | undefined): string | undefined => textOf(text)?.replace(/(?<=[^.][.!?]) .*$/, '');

interface Argument {
  readonly name: string;
  readonly schema: ToolSchema;
  readonly required?: boolean;
}

function inputSchema(model: ContractModel, operation: OperationModel, group: ToolGroup): ToolSchema {
  const args = [...parameterArguments(model, operation, group), ...furtherArguments(model, operation, group)];
  const required = args.filter((one) => one.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(args.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Parameters and the body. What actions read of the header has arguments of its own. */
function parameterArguments(model: ContractModel, operation: OperationModel, group: ToolGroup): readonly Argument[] {
  const { document } = model;
  const { parameters, body } = operation;
  const isCustom = group === 'custom';
  const known = wordsOfLists(model, operation);
  const args = parameters.flatMap((parameter): Argument[] => {
    const {
      description: given,
      schema = true,
      content,
      in: place,
      required,
    } = parameter as typeof parameter & Described;
    const name = isCustom || place === 'path' || place === 'query' ? inputName(parameter) : undefined;
    if (name === undefined) return [];
    const [media] = Object.values(content ?? {});
    const shown = (place === 'query' ? briefSchema : toolSchema)(document, media?.schema ?? schema);
    const description = place === 'query' && known.has(name) ? known.get(name)?.(shown) : wordsFor(name, given);
    return [{ name, schema: described(shown, description), ...(required && { required }) }];
  });
  const input = body && bodyOf(document, body);
  if (input === undefined) return args;
  return [
    ...args,
    { name: BODY_INPUT, schema: toolSchema(document, input), required: !isCustom || body?.required === true },
  ];
}

/** What the parameters that all lists have mean to an agent. Each tool is read beside many others, which say the same. */
function wordsOfLists(
  { resources }: ContractModel,
  { default: standard }: OperationModel,
): ReadonlyMap<string, (schema: ToolSchema) => string | undefined> {
  const resource = resources.find(({ key }) => key === standard?.resource);
  if (!resource || (standard?.action !== 'list' && standard?.action !== 'totals')) return new Map();
  const { nextCursor, totalCount } = conventionNames(resource.nameCase);
  const order = standard.action === 'list' ? 'id' : 'group';
  return new Map<string, (schema: ToolSchema) => string | undefined>([
    ['limit', () => undefined],
    ['cursor', () => `\`page.${nextCursor}\` of the page before.`],
    ['count', () => `Adds \`page.${totalCount}\`.`],
    ['sort', ({ default: own }) => `\`-\` is descending${own ? '' : `; the default is by ${order}`}.`],
  ]);
}

/** The first sentence of a description, as far as it says more than the name, and of what arguments are. */
function wordsFor(name: string, description: string | undefined): string | undefined {
  // The spelling of a query string.
  const sentence = firstSentence(description)?.replace(/[:,]? `[^`\s]+\[?\w*\]?=[^`]*`(?=\.?$)/, '');
  const own = snakeCase(name).split('_');
  const said = sentence?.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  return said.every((word) => FILLERS.has(word) || own.includes(word)) ? undefined : sentence;
}

const FILLERS: ReadonlySet<string> = new Set(['a', 'an', 'id', 'of', 'the']);

interface Described {
  readonly description?: string;
}

const described = (schema: ToolSchema, description: string | undefined): ToolSchema =>
  description === undefined ? schema : { ...schema, description };

/** The schema of the body that is sent; that of JSON where there are several. */
function bodyOf(document: OpenApiDocument, body: NonNullable<OperationModel['body']>): Schema | undefined {
  const media = Object.entries(contentOf(document, body.content));
  const [, chosen] = media.find(([type]) => isJson(type)) ?? media[0] ?? [];
  return chosen && (chosen.schema ?? true);
}

/** What REST has in header fields, as GraphQL has it in arguments, and the properties that a read is narrowed to. */
function furtherArguments(
  { resources }: ContractModel,
  { default: standard, parameters }: OperationModel,
  group: ToolGroup,
): readonly Argument[] {
  const resource = resources.find(({ key }) => key === standard?.resource);
  if (!standard || !resource) return [];
  const isRequired = (field: string): boolean =>
    parameters.some(({ in: place, name, required }) => place === 'header' && required && name.toLowerCase() === field);
  const key = { name: 'idempotencyKey', schema: KEY, required: isRequired('idempotency-key') };
  if (!isAction(standard.action)) return ROLES[standard.action].heeds === 'key' ? [key] : [];
  switch (group) {
    case 'read':
      return [{ name: FIELDS_ARGUMENT, schema: FIELDS }];
    case 'create':
      return [key];
    default: {
      const creates = resource.actions[standard.action]?.creates === true;
      const version = { name: 'ifVersion', schema: versionOf(resource), required: isRequired('if-match') };
      return creates ? [version, { name: 'ifAbsent', schema: { type: 'boolean' } }] : [version];
    }
  }
}

const KEY = { type: 'string', minLength: 1, maxLength: 255 };

/** Those of tables of others are hashes, or counted from 0 on. */
function versionOf(resource: ResourceDescriptor): ToolSchema {
  if (hasTextVersion(resource)) return { type: 'string' };
  return { type: 'integer', minimum: resource.mapped ? 0 : 1 };
}

const FIELDS = { type: 'array', items: { type: 'string' }, description: 'Only these properties.' };
