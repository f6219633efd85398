import { getNamedType, isNonNullType, isObjectType } from 'graphql';
import type { Schema } from '../../../descriptor/document.ts';
import type { CustomField } from '../../../descriptor/graphql.ts';
import type { Fix } from '../../findings/fix.ts';
import { suggestion } from '../../findings/wording.ts';
import { customOperations, type OperationDraft } from '../../model/draft.ts';
import { upperFirst } from '../../model/naming.ts';
import { type Member, printOnOneLine } from '../convention/definition.ts';
import { answerType, deriveCustom, operationArguments } from '../convention/derive-custom.ts';
import { givenByParent, operationAnswer } from '../convention/operation-inputs.ts';
import { TypeDeriver } from '../convention/type-deriver.ts';
import { typeText } from '../convention/type-text.ts';
import { wayFact } from './action-facts.ts';
import { type FieldSite, fieldFacts } from './field-facts.ts';
import type { Field, Parity } from './parity.ts';
import { addMember, setDirectives } from './sdl-edits.ts';
import { enumFacts, inlineFacts } from './type-facts.ts';

const AREA = 'custom';

/** Custom operations and custom fields. */
export function customFacts(parity: Parity): void {
  const custom = customOperations(parity.draft);
  const fields = parity.fields.flatMap(([coordinate, descriptor, field]) =>
    descriptor.kind === 'custom' ? [{ coordinate, descriptor, field }] : [],
  );
  const named = new Set(fields.map(({ descriptor }) => descriptor.operationId));
  const free = custom.filter(({ operationId }) => !named.has(operationId));
  for (const one of fields) customFact(parity, one, custom, free);
  for (const operation of free) {
    const rest = parity.rest(operation.operationId, operation.item, operation.method);
    const { holder, text, isComplete } = expectedField(parity, operation);
    const node = parity.schema.getType(holder)?.astNode;
    const graphql = {
      ...parity.graphql(undefined, { astNode: node }, holder),
      ...(text !== undefined && { expected: `${holder}.${text}` }),
    };
    parity.add(AREA, 'custom', operation.operationId, rest, graphql, () =>
      text !== undefined && isComplete ? addMember(node, text) : undefined,
    );
  }
}

interface CustomSite {
  readonly coordinate: string;
  readonly descriptor: CustomField;
  readonly field: Field;
}

/** Whether a custom field has an operation, and the signature of both. */
function customFact(
  parity: Parity,
  { coordinate, descriptor: { operationId }, field }: CustomSite,
  custom: readonly OperationDraft[],
  free: readonly OperationDraft[],
): void {
  const found = custom.find((one) => one.operationId === operationId);
  const isMixed = found !== undefined && operationAnswer(parity.document, found).isMixed;
  const operation = isMixed ? undefined : found;
  const rest = operation
    ? parity.rest(operationId, operation.item, operation.method)
    : parity.rest(undefined, parity.document, 'paths');
  // A field with `@operation` is not declared to stand alone.
  const graphql =
    operationId === undefined || operation
      ? parity.graphql(operationId ?? coordinate, field, coordinate)
      : parity.own(operationId, field, coordinate);
  parity.add(
    AREA,
    'custom',
    coordinate,
    { ...rest, because: undefined },
    graphql,
    () => operationIdFix(coordinate, field, free),
    operationId === undefined ? undefined : isMixed ? MIXED : operationHint(parity, operationId, custom),
  );
  if (!operation) return;
  const site = { area: AREA, coordinate, field };
  fieldFacts(parity, site, operation, signatureOf(parity, site, operation), ({ schemas = [] }, type) => {
    enumFacts(parity, AREA, schemas, getNamedType(type));
    inlineFacts(parity, AREA, schemas, type);
  });
  const isAtRoot = parity.fields.some(
    ([at, one]) => one.kind === 'custom' && one.operationId === operationId && typeOf(at) === parity.rootNames.query,
  );
  if (!isAtRoot) wayFact(parity, AREA, coordinate, operation);
}

const MIXED = 'The successes of the operation have different schemas, which one field cannot have.';

/** What `@operation` names instead of a custom operation, or may have meant. */
function operationHint({ draft }: Parity, operationId: string, custom: readonly OperationDraft[]): string {
  const isServed = draft.operations.some((one) => one.operationId === operationId);
  if (isServed) return `The conventions implement \`${operationId}\`: name a custom operation.`;
  return suggestion(
    operationId,
    custom.map((one) => one.operationId),
  );
}

/** The field that an operation has beside it, as far as it follows from the one that is there. */
function signatureOf(parity: Parity, { coordinate, field }: FieldSite, operation: OperationDraft): Member {
  const { document, rootNames } = parity;
  const { name, args } = field;
  const holder = typeOf(coordinate);
  const type = parity.schema.getType(holder);
  const parent = isObjectType(type) && !Object.values(rootNames).includes(holder) ? type : undefined;
  const answer = operationAnswer(document, operation).schema;
  const typed = (schemas: readonly Schema[]): string => typeText(document, schemas, 'output', field.type);
  const site = { document, resources: parity.resources, operation, parent, args };
  // Without a path parameter there is nothing to answer.
  const mayLack = [...givenByParent(site).values()].some((property) => {
    const given = parent?.getFields()[property];
    return given !== undefined && !isNonNullType(given.type);
  });
  const answered = answerType(parity, operation, holder === rootNames.query, typed, field.type);
  return {
    name,
    type: mayLack ? answered.replace(/!$/, '') : answered,
    schemas: answer === undefined || answer === 'text' ? [] : [answer],
    args: operationArguments(parity, { operation, parent, args }, (schemas, argument) =>
      typeText(document, schemas, 'input', args.find((one) => one.name === argument)?.type),
    ),
  };
}

interface ExpectedField {
  /** Name of the type that would have the field. */
  readonly holder: string;
  /** Undefined where GraphQL has no field for what the operation takes. */
  readonly text?: string;
  /** Whether the SDL has all of its types. */
  readonly isComplete: boolean;
}

/** The field that an operation without one would have. */
function expectedField(parity: Parity, operation: OperationDraft): ExpectedField {
  const { rootNames, schema } = parity;
  const types = new TypeDeriver(parity);
  const custom = deriveCustom(parity, types, operation);
  if (typeof custom === 'string') return { holder: rootNames.query, isComplete: false };
  const holder = 'root' in custom.type ? rootNames[custom.type.root] : custom.type.resource.name;
  const isComplete = types.definitions.every(({ name }) => schema.getType(name) !== undefined);
  return { holder, text: printOnOneLine(custom.member), isComplete };
}

/** Names the operation that a field without one most likely stands beside: the one that is called like it. */
function operationIdFix(
  coordinate: string,
  { astNode, name }: Field,
  free: readonly OperationDraft[],
): Fix | undefined {
  const names = [name, `get${upperFirst(name)}`, `get${typeOf(coordinate)}${upperFirst(name)}`];
  const found = free.find(({ operationId }) => names.includes(operationId));
  return found && setDirectives(astNode, 'operation', `@operation(id: ${JSON.stringify(found.operationId)})`);
}

const typeOf = (coordinate: string): string => coordinate.split('.')[0]!;
