import type { ASTNode } from 'graphql';
import type { Reliance } from '../../compiler/findings/index.ts';
import { type Change, type Edition, type Touched, touchedIn } from '../../compiler/gate/changes/index.ts';
import type { ContractModel, OperationModel } from '../../compiler/model/index.ts';
import { findOperation, type Half, type Passed, passedBy, routeOf } from './call-values.ts';
import { type Use, usesIn } from './document-uses.ts';
import type { Call, Registered } from './read-consumers.ts';

/** What breaks callers of REST alone; what the conventions say holds for both protocols, and for all of a row. */
const OF_REST =
  /^(?:(?:operation|path|parameter|request-body|media-type|response|security|schema|enum-values|property|required-properties)-|(?:added|removed|changed)$)/;
/** What is added, or left out, concerns those that use what it is added to. */
const OF_PARENT = /-(?:added|default-changed|default-value-changed)$/;

/** Finds where consumers rely on what a change between two editions breaks; undefined for nowhere, if some could not be read. */
export function relianceOn(
  { consumers, findings }: Registered,
  released: Edition,
  current: Edition,
): (change: Change) => readonly Reliance[] | undefined {
  const editions = [released, current];
  const touchedBy = touchedIn(editions);
  const known = consumers.map(({ name, definitions, calls }) => ({
    name,
    definitions,
    uses: editions.flatMap(({ schema }) => (schema ? usesIn(schema, definitions) : [])),
    calls: calls.map((call) => ({ call, isHurt: hurtBy(call, editions) })),
  }));
  return (change) => {
    const touched = touchedBy(change);
    const found = known.flatMap(({ name, definitions, uses, calls }) => {
      const hit = uses.filter((use) => isHit(use, change, touched)).map(({ node }) => node);
      const places = [
        ...(isOfAllDocuments(change) ? definitions : hit).flatMap(placeOf),
        ...calls.filter(({ isHurt }) => isHurt(change, touched)).map(({ call }) => call.locate()),
      ];
      // One for each line.
      const byLine = new Map(places.map((location) => [`${location.file}:${location.line}`, location]));
      return [...byLine.values()].map((location) => ({ consumer: name, location }));
    });
    return found.length === 0 && findings.length > 0 ? undefined : found;
  };
}

const isOfAllDocuments = ({ area, rule, subject }: Change): boolean =>
  area === 'graphql' && (rule === 'limit-changed' || subject === 'schema' || rule.startsWith('schema-'));

function isHit({ coordinate }: Use, { area, rule, subject }: Change, { fields }: Touched): boolean {
  if (area === 'rest') return !OF_REST.test(rule) && fields.includes(coordinate);
  const parent = OF_PARENT.test(rule) ? subject.slice(0, subject.lastIndexOf('.')) : subject;
  return area === 'graphql' && (coordinate === subject || coordinate === parent);
}

function placeOf({ loc }: ASTNode): Reliance['location'][] {
  if (!loc) return [];
  const { line, column } = loc.startToken;
  return [{ file: loc.source.name, line, column, pointer: '' }];
}

/** Whether a call relies on what a change is about; one of an operation that neither edition has does not. */
function hurtBy(call: Call, editions: readonly Edition[]): (change: Change, touched: Touched) => boolean {
  const edition = editions.find(({ model }) => findOperation(model, call.operation));
  const operation = edition && findOperation(edition.model, call.operation);
  if (!operation) return () => false;
  const passed = (half: Half, pointers: readonly string[]): readonly Passed[] =>
    pointers.map((pointer) => nearestPassed(edition.model, operation, half, pointer));
  const stated = [...passed('reads', call.reads ?? ['']), ...passed('sends', call.sends ?? [''])];
  const whole = [...passed('reads', ['']), ...passed('sends', [''])];
  const isCalled = (operationId: string): boolean =>
    editions.some(({ model }) => {
      const touched = findOperation(model, operationId);
      return touched && routeOf(touched) === routeOf(operation);
    });
  return ({ area, rule, subject }, { operations }) => {
    if (area !== 'rest' || !operations.some(isCalled)) return area === 'versions';
    const parameter = operation.parameters.find(({ name }) => isParameter(subject, operation, name));
    if (parameter) return !call.parameters || /required|added/.test(rule) || call.parameters.includes(parameter.name);
    const isPart = OF_REST.test(rule) && whole.some((one) => isWithin(subject, one));
    return !isPart || stated.some((one) => isWithin(subject, one));
  };
}

/** Of a pointer that leads nowhere in this edition, what its beginning passes, and all below it. */
function nearestPassed(model: ContractModel, operation: OperationModel, half: Half, pointer: string): Passed {
  const passed = passedBy(model, operation, half, pointer);
  const isFound = passed.through.length > 0 || pointer === '';
  return isFound ? passed : nearestPassed(model, operation, half, pointer.slice(0, pointer.lastIndexOf('/')));
}

const isBelow = (subject: string, name: string): boolean => subject === name || subject.startsWith(`${name}.`);

const isParameter = (subject: string, { operationId, path }: OperationModel, name: string): boolean =>
  [`${operationId}.${name}`, `${path}.${name}`, name].some((one) => isBelow(subject, one));

const isWithin = (subject: string, { through, to }: Passed): boolean =>
  through.includes(subject) || to.some((name) => isBelow(subject, name));
