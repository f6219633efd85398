import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type InputValueDefinitionNode,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  type NameNode,
  parse,
  type Token,
  type TypeNode,
} from 'graphql';
import {
  type Definition,
  type Member,
  printArgument,
  printDefinition,
  printMember,
  printOnOneLine,
} from '../../compiler/graphql/convention/definition.ts';

/** A definition or extension that can hold members. */
type Holder = DefinitionNode;

/** What a field, an argument or a value of an enum has in the syntax tree. */
interface MemberNode {
  readonly name: NameNode;
  readonly loc?: { readonly start: number; readonly end: number; readonly startToken: Token };
  readonly type?: TypeNode;
  readonly arguments?: readonly InputValueDefinitionNode[];
  readonly defaultValue?: { readonly loc?: { readonly end: number } };
  readonly directives?: readonly ConstDirectiveNode[];
}

/** One `*.graphql` file: additions go in by position, and what is there is never printed again. Throws `GraphQLError`. */
export class SdlFile {
  readonly path: string;
  readonly #text: string;
  readonly #definitions: readonly Holder[];
  readonly #insertions: Insertion[] = [];
  /** Added at the end. */
  readonly #parts: string[] = [];

  constructor(path: string, text: string) {
    this.path = path;
    this.#text = text;
    this.#definitions = text.replace(/#.*|[\s,]/g, '') === '' ? [] : parse(text).definitions;
  }

  get text(): string {
    const text = withInsertions(this.#text, this.#insertions);
    const head = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    return [
      ...(head.trim() === '' ? [] : [head.replace(/\n+$/, '\n')]),
      ...this.#parts.map((part) => `${part}\n`),
    ].join('\n');
  }

  get isChanged(): boolean {
    return this.#insertions.length > 0 || this.#parts.length > 0;
  }

  get definedNames(): readonly string[] {
    return this.#definitions.filter(isTypeDefinitionNode).map(({ name }) => name.value);
  }

  /** Nodes that define or extend a type; for the empty name, the schema. */
  holders(name: string): readonly Holder[] {
    return this.#definitions.filter((node) =>
      name === ''
        ? node.kind === 'SchemaDefinition' || node.kind === 'SchemaExtension'
        : (isTypeDefinitionNode(node) || isTypeExtensionNode(node)) && node.name.value === name,
    );
  }

  append(definition: Definition, isExtension: boolean): void {
    this.#parts.push(printDefinition(definition, isExtension));
  }

  /** Adds members to a holder, next to those that they follow or precede in `order`, which has the names of all. */
  addMembers(holder: Holder, members: readonly Member[], order: readonly string[]): void {
    const present = membersOf(holder);
    if (holder.kind === 'UnionTypeDefinition' || holder.kind === 'UnionTypeExtension') {
      this.#insert(holder.loc!.end, members.map(({ name }) => ` | ${name}`).join(''));
      return;
    }
    if (present.length === 0) {
      const end = holder.loc!.end;
      this.#insert(end, ` {\n${members.map((member) => `${printMember(member, '  ')}\n`).join('')}}`);
      return;
    }
    const named = (names: readonly string[]): MemberNode | undefined =>
      names.map((name) => present.find((one) => nameOf(one) === name)).find((one) => one !== undefined);
    for (const member of members) {
      const at = order.indexOf(member.name);
      const before = named(order.slice(0, at).toReversed());
      const after = before ? undefined : named(order.slice(at + 1));
      if (!after || !this.#addBefore(after, member)) this.#addBehind(before ?? present.at(-1)!, member);
    }
  }

  /** Adds a member before one that stands on a line of its own; false for any other. */
  #addBefore({ loc }: MemberNode, member: Member): boolean {
    const lineStart = this.#text.lastIndexOf('\n', loc!.start - 1) + 1;
    const indent = this.#text.slice(lineStart, loc!.start);
    if (indent.trim() !== '') return false;
    this.#insert(lineStart, `${printMember(member, indent)}\n`);
    return true;
  }

  #addBehind(anchor: MemberNode, member: Member): void {
    const { start, end } = anchor.loc!;
    const lineStart = this.#text.lastIndexOf('\n', start - 1) + 1;
    const isOnOwnLine = this.#text.slice(lineStart, start).trim() === '';
    if (!isOnOwnLine) this.#insert(end, ` ${printOnOneLine(member)}`);
    else this.#insert(this.#endOfLine(end), `\n${printMember(member, indentAt(this.#text, start))}`);
  }

  /** The end of a line, behind a comment that belongs to it. */
  #endOfLine(offset: number): number {
    const rest = /^[ \t,]*(?:#[^\n]*)?(?=\n|$)/.exec(this.#text.slice(offset));
    return rest ? offset + rest[0].length : offset;
  }

  /** Adds what a member that is there lacks: arguments, a default, directives. Its types stay. */
  complete(node: MemberNode, { args = [], value, directives = [] }: Member): void {
    for (const argument of args) this.#argument(node, argument, args);
    if (value !== undefined && node.type && !node.defaultValue && !node.arguments)
      this.#insert(node.type.loc!.end, ` = ${value}`);
    const written = new Set(node.directives?.map(({ name }) => `@${name.value}`));
    const missing = directives.filter((directive) => !written.has(/^@\w+/.exec(directive)![0]));
    if (missing.length > 0) this.#insert(node.loc!.end, missing.map((directive) => ` ${directive}`).join(''));
  }

  #argument(node: MemberNode, argument: Member, order: readonly Member[]): void {
    const present = node.arguments ?? [];
    const found = present.find(({ name }) => name.value === argument.name);
    if (found) {
      if (argument.value !== undefined && !found.defaultValue)
        this.#insert(found.type.loc!.end, ` = ${argument.value}`);
      return;
    }
    if (present.length === 0) {
      const isFirst = order[0] === argument;
      const isLast = order.at(-1) === argument;
      this.#insert(node.name.loc!.end, `${isFirst ? '(' : ', '}${printArgument(argument)}${isLast ? ')' : ''}`);
      return;
    }
    const names = order.map(({ name }) => name);
    const before = names.slice(0, names.indexOf(argument.name)).toReversed();
    const anchor = before
      .map((name) => present.find((one) => one.name.value === name))
      .find((one) => one !== undefined);
    const { start, end } = (anchor ?? present.at(-1)!).loc!;
    const isOnOwnLine = this.#text.slice(this.#text.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
    if (isOnOwnLine) this.#insert(this.#endOfLine(end), `\n${printMember(argument, indentAt(this.#text, start))}`);
    else this.#insert(end, `, ${printArgument(argument)}`);
  }

  #insert(offset: number, text: string): void {
    this.#insertions.push({ offset, text });
  }
}

/** The members of a definition or extension, in their order. */
export function membersOf(holder: Holder): readonly MemberNode[] {
  const { fields, values, operationTypes, types } = holder as unknown as Record<
    'fields' | 'values' | 'operationTypes' | 'types',
    readonly MemberNode[] | undefined
  >;
  return fields ?? values ?? operationTypes ?? types ?? [];
}

/** The name of a member; that of an operation type is the operation. */
export const nameOf = (member: MemberNode): string => (member as { operation?: string }).operation ?? member.name.value;

/** A text put into another at an offset. */
interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** The text with all insertions, those at one offset in their order. */
function withInsertions(text: string, insertions: readonly Insertion[]): string {
  let result = '';
  let done = 0;
  for (const { offset, text: added } of insertions.toSorted((a, b) => a.offset - b.offset)) {
    result += text.slice(done, offset) + added;
    done = offset;
  }
  return result + text.slice(done);
}

/** The white space that the line of an offset begins with. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))![0];
}
