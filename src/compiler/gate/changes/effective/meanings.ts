import { isDeepStrictEqual } from 'node:util';
import type { MediaType, OpenApiDocument, RequestBody, Schema } from '../../../../descriptor/document.ts';
import { childPointer, pointerTokens, valueAt } from '../../../../descriptor/json-pointer.ts';
import { isReference, nodeAt } from '../../../../descriptor/references.ts';
import { type Gap, Inclusion, sidesOf } from '../../../json-schema/inclusion.ts';
import { namesReached } from '../../../json-schema/names-reached.ts';
import { collectOperations } from '../../../model/operations.ts';
import type { Difference } from './difference.ts';

type OperationDraft = ReturnType<typeof collectOperations>[number];
type Contents = Readonly<Record<string, MediaType>> | undefined;

const CONSTRAINT = 'schema-constraint-changed';
const PROBLEM = /^application\/problem\+json/;

/** What the schemas of two effective documents accept and answer, whatever way they are written. */
export class Meanings {
  readonly #before: OpenApiDocument;
  readonly #after: OpenApiDocument;
  readonly #operations: readonly (readonly [OperationDraft, OperationDraft])[];
  readonly #sent: ReadonlySet<string>;
  readonly #answered: ReadonlySet<string>;
  readonly #places: readonly [ReadonlyMap<unknown, string>, ReadonlyMap<unknown, string>];
  readonly #requests: Inclusion;
  readonly #answers: Inclusion;
  readonly #narrowed: Inclusion;
  readonly #widened: Inclusion;

  constructor(before: OpenApiDocument, after: OpenApiDocument) {
    this.#before = before;
    this.#after = after;
    const current = new Map(collectOperations(after).map((operation) => [keyOf(operation), operation]));
    this.#operations = collectOperations(before).flatMap((operation) => {
      const now = current.get(keyOf(operation));
      return now ? [[operation, now] as const] : [];
    });
    const operations = this.#operations.flat();
    const reached = (nodes: readonly unknown[]) =>
      new Set([before, after].flatMap((one) => [...namesReached(one, nodes)]));
    this.#sent = reached(operations.flatMap(({ node, parameters }) => [node.requestBody, ...parameters]));
    this.#answered = reached(operations.map(({ responses }) => [...responses.values()]));
    this.#places = [placesOf(before), placesOf(after)];
    const [old, now] = sidesOf(before, after);
    this.#requests = new Inclusion(old, now, { leavesOut: 'readOnly', isOpen: false });
    this.#answers = new Inclusion(now, old, { leavesOut: 'writeOnly', isOpen: true });
    this.#narrowed = new Inclusion(now, old, { leavesOut: 'writeOnly', isOpen: false });
    this.#widened = new Inclusion(old, now, { leavesOut: 'writeOnly', isOpen: false });
  }

  /** Whether a difference only writes the same in another way: nothing that was sent is refused, and answers are the same. */
  isSame({ base, revision, typeName, path }: Difference): boolean {
    if (typeName === 'Parameter' || typeName === 'ParameterList')
      return this.#hasSameParameters((base ?? revision)?.pointer ?? '');
    const [old, now] = [rootOf((base ?? revision)?.pointer ?? path), rootOf((revision ?? base)?.pointer ?? path)];
    const [before, after] = [schemaAt(this.#before, old), schemaAt(this.#after, now)];
    if (before === undefined || after === undefined) return false;
    const [isSent, isAnswered] = [isWithin(old, this.#sent, 'sent'), isWithin(old, this.#answered, 'answered')];
    if (!isSent && !isAnswered) return false;
    return (
      (!isSent || !this.#requests.gap(before, after)) &&
      (!isAnswered || (!this.#narrowed.gap(after, before) && !this.#widened.gap(before, after)))
    );
  }

  /** Whether requests have the schema of this name. */
  isSent(name: string): boolean {
    return this.#sent.has(name);
  }

  /** What clients may no longer send, or have not met before, as differences: of schemas that are not known to break them. */
  losses(breaking: ReadonlySet<string>): readonly Difference[] {
    const losses = this.#operations.flatMap(([before, after]) => [
      ...this.#refused(before, after),
      ...this.#unforeseen(before, after),
    ]);
    return losses.filter((loss) => !this.#isTold(loss, breaking));
  }

  /** Whether a difference says so already, of the schema or of one that it refers to. */
  #isTold({ path, base, revision }: Difference, breaking: ReadonlySet<string>): boolean {
    const pointers = [base?.pointer ?? path, revision?.pointer ?? path];
    const within = [this.#before, this.#after].flatMap((document, side) => [
      ...namesReached(document, [nodeAt(document, pointers[side] ?? '')]),
    ]);
    return [...pointers.map(rootOf), ...within.map((name) => childPointer('/components/schemas', name))].some((root) =>
      breaking.has(root),
    );
  }

  #refused(before: OperationDraft, after: OperationDraft): readonly Difference[] {
    const parameters = before.parameters.flatMap((old) => {
      const now = after.parameters.find(({ in: place, name }) => place === old.in && name === old.name);
      return now ? this.#gapOf(this.#requests, true, old.schema, now.schema) : [];
    });
    const bodies = pairs(this.#bodyOf(before, this.#before), this.#bodyOf(after, this.#after)).flatMap(([old, now]) => [
      ...this.#gapOf(this.#requests, true, old.schema, now.schema),
      ...this.#encoding(old, now),
    ]);
    return [...parameters, ...bodies];
  }

  #bodyOf({ node }: OperationDraft, document: OpenApiDocument): Contents {
    const { requestBody } = node;
    const body = isReference(requestBody) ? nodeAt(document, requestBody.$ref) : requestBody;
    return (body as RequestBody | undefined)?.content;
  }

  #unforeseen(before: OperationDraft, after: OperationDraft): readonly Difference[] {
    return [...before.responses].flatMap(([status, response]) =>
      pairs(response.content, after.responses.get(status)?.content).flatMap(([old, now]) =>
        this.#gapOf(this.#answers, false, now.schema, old.schema),
      ),
    );
  }

  #gapOf(
    inclusion: Inclusion,
    isSent: boolean,
    narrow: Schema | undefined,
    wide: Schema | undefined,
  ): readonly Difference[] {
    const gap = inclusion.gap(narrow, wide);
    if (!gap) return [];
    const [base, revision] = this.#pointers(isSent ? gap : { narrow: gap.wide, wide: gap.narrow });
    const pointer = revision ?? base;
    if (pointer === undefined) return [];
    const message = isSent
      ? 'Values that were accepted may now be refused.'
      : 'Answers may now have values that they did not have.';
    return [loss(base ?? pointer, revision ?? pointer, message)];
  }

  /** Where the schemas of both documents stand, the released one first. */
  #pointers({ narrow, wide }: Gap): readonly [string | undefined, string | undefined] {
    const at = (side: 0 | 1, schemas: readonly object[]): string | undefined =>
      schemas
        .map((schema) => (isReference(schema) ? schema.$ref : this.#places[side].get(schema)))
        .find((pointer) => pointer !== undefined);
    return [at(0, narrow), at(1, wide)];
  }

  #encoding(old: MediaType, now: MediaType): readonly Difference[] {
    const [before, after] = [encodingOf(old), encodingOf(now)];
    const pointer = this.#places[1].get(now);
    if (pointer === undefined || isDeepStrictEqual(before, after)) return [];
    return [loss(this.#places[0].get(old) ?? pointer, pointer, 'The encoding of the body changed.')];
  }

  /** Whether every operation of a path has the parameters that it had. */
  #hasSameParameters(pointer: string): boolean {
    const [root, path] = pointerTokens(pointer.replace(/^#/, ''));
    const own = this.#operations.filter(([before]) => before.path === path);
    return (
      root === 'paths' &&
      own.length > 0 &&
      own.every(([before, after]) => isDeepStrictEqual(sorted(before), sorted(after)))
    );
  }
}

const keyOf = ({ method, shape }: OperationDraft): string => `${method} ${shape}`;
const sorted = ({ parameters }: OperationDraft) =>
  parameters.toSorted((a, b) => `${a.in} ${a.name}`.localeCompare(`${b.in} ${b.name}`));
const encodingOf = (media: MediaType): object => (media as { readonly encoding?: object }).encoding ?? {};

const loss = (base: string, revision: string, message: string): Difference => ({
  path: revision,
  typeName: 'Schema',
  kind: 'modified',
  impact: 'major',
  verdicts: [{ ruleId: CONSTRAINT, impact: 'major', message }],
  base: { pointer: base },
  revision: { pointer: revision },
});

/** Contents of one media type in both documents; problems are of the server. */
function pairs(before: Contents, after: Contents): readonly (readonly [MediaType, MediaType])[] {
  return Object.entries(before ?? {}).flatMap(([type, media]) => {
    const now = PROBLEM.test(type) ? undefined : after?.[type];
    return now ? [[media, now] as const] : [];
  });
}

/** The pointer to the schema that a pointer leads into, a component or one that stands in an operation; else the pointer. */
export function rootOf(pointer: string): string {
  const tokens = pointerTokens(pointer.replace(/^#/, ''));
  const isComponent = tokens[0] === 'components' && tokens[1] === 'schemas';
  const length = isComponent ? 3 : tokens.indexOf('schema') + 1;
  return tokens.slice(0, length === 0 ? undefined : length).reduce(childPointer, '');
}

function schemaAt(document: OpenApiDocument, root: string): Schema | undefined {
  const isSchema = root.startsWith('/components/schemas/') || root.endsWith('/schema');
  const schema = isSchema ? valueAt(document, pointerTokens(root)) : undefined;
  return typeof schema === 'object' && schema !== null ? (schema as Schema) : undefined;
}

/** Whether a schema is sent, or answered: one of these components, or one that stands there. */
function isWithin(root: string, names: ReadonlySet<string>, where: 'sent' | 'answered'): boolean {
  const [first, , name = ''] = pointerTokens(root);
  if (first === 'components' && root.startsWith('/components/schemas/')) return names.has(name);
  const isAnswer = pointerTokens(root).includes('responses');
  return isAnswer === (where === 'answered');
}

function placesOf(document: OpenApiDocument): ReadonlyMap<unknown, string> {
  const places = new Map<unknown, string>();
  const visit = (node: unknown, pointer: string): void => {
    if (typeof node !== 'object' || node === null || places.has(node)) return;
    places.set(node, pointer);
    for (const [key, value] of Object.entries(node)) visit(value, childPointer(pointer, key));
  };
  visit(document, '#');
  return places;
}
