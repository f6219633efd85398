import {
  type DefinitionNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  type NamedTypeNode,
  type OperationTypeDefinitionNode,
  parse,
  Source,
} from 'graphql';
import { applyFixes, type Fix } from '../../compiler/findings/index.ts';
import {
  type Definition,
  type Member,
  printArgument,
  printDefinition,
  printMember,
  printOnOneLine,
} from '../../compiler/graphql/convention/index.ts';
import { addAfter, addAt, setDefault } from '../../compiler/graphql/parity/index.ts';

/** What a definition or an extension holds. */
export type MemberNode =
  | FieldDefinitionNode
  | InputValueDefinitionNode
  | EnumValueDefinitionNode
  | OperationTypeDefinitionNode
  | NamedTypeNode;

/** One `*.graphql` file: additions are edits of it, and what is there is never printed again. Throws `GraphQLError`. */
export class SdlFile {
  readonly path: string;
  readonly #text: string;
  readonly #definitions: readonly DefinitionNode[];
  readonly #fixes: Fix[] = [];
  /** Added at the end. */
  readonly #parts: string[] = [];

  constructor(path: string, text: string) {
    this.path = path;
    this.#text = text;
    this.#definitions = text.replace(/#.*|[\s,]/g, '') === '' ? [] : parse(new Source(text, path)).definitions;
  }

  get text(): string {
    const head = applyFixes(this.#text, this.#fixes).replace(/\n+$/, '');
    return [...(head.trim() === '' ? [] : [head]), ...this.#parts].map((part) => `${part}\n`).join('\n');
  }

  get isChanged(): boolean {
    return this.#fixes.length > 0 || this.#parts.length > 0;
  }

  get definedNames(): readonly string[] {
    return this.#definitions.filter(isTypeDefinitionNode).map(({ name }) => name.value);
  }

  /** Nodes that define or extend a type; for the empty name, the schema. */
  holders(name: string): readonly DefinitionNode[] {
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
  addMembers(holder: DefinitionNode, members: readonly Member[], order: readonly string[]): void {
    const present = membersOf(holder);
    if (holder.kind === 'UnionTypeDefinition' || holder.kind === 'UnionTypeExtension') {
      this.#add(addAfter(holder, members.map(({ name }) => ` | ${name}`).join('')));
      return;
    }
    const last = present.at(-1);
    if (!last) {
      this.#add(addAfter(holder, ` {\n${members.map((member) => `${printMember(member, '  ')}\n`).join('')}}`));
      return;
    }
    for (const member of members) {
      const { before, after } = neighbours(present, member, order);
      const indent = before || !after ? undefined : this.#indentOf(after);
      if (after?.loc && indent !== undefined)
        this.#add(addAt(after.loc, after.loc.start - indent.length, `${printMember(member, indent)}\n`));
      else this.#addBehind(before ?? last, member, ` ${printOnOneLine(member)}`);
    }
  }

  /** Adds a member behind another: on lines of its own where that stands on one, else as `inline` has it. */
  #addBehind(anchor: MemberNode, member: Member, inline: string): void {
    const indent = this.#indentOf(anchor);
    if (indent === undefined || !anchor.loc) this.#add(addAfter(anchor, inline));
    else this.#add(addAt(anchor.loc, this.#endOfLine(anchor.loc.end), `\n${printMember(member, indent)}`));
  }

  /** The white space before a node that begins a line. */
  #indentOf({ loc }: MemberNode): string | undefined {
    const before = this.#text.slice(0, loc?.start);
    const indent = before.slice(before.lastIndexOf('\n') + 1);
    return indent.trim() === '' ? indent : undefined;
  }

  /** The end of a line, behind a comment that belongs to it. */
  #endOfLine(offset: number): number {
    const rest = /^[ \t,]*(?:#[^\n]*)?(?=\n|$)/.exec(this.#text.slice(offset));
    return rest ? offset + rest[0].length : offset;
  }

  /** Adds what a member that is there lacks: arguments, a default, directives. Its types stay. */
  complete(node: MemberNode, { args = [], value, directives = [] }: Member): void {
    if (node.kind === 'FieldDefinition') for (const argument of args) this.#argument(node, argument, args);
    if (value !== undefined && node.kind === 'InputValueDefinition' && !node.defaultValue)
      this.#add(setDefault(node, value));
    const written = new Set('directives' in node ? node.directives?.map(({ name }) => `@${name.value}`) : []);
    const missing = directives.filter((directive) => !written.has(/^@\w+/.exec(directive)![0]));
    if (missing.length > 0) this.#add(addAfter(node, missing.map((directive) => ` ${directive}`).join('')));
  }

  #argument(node: FieldDefinitionNode, argument: Member, order: readonly Member[]): void {
    const present = node.arguments ?? [];
    const found = present.find(({ name }) => name.value === argument.name);
    const last = present.at(-1);
    if (found) this.complete(found, { name: argument.name, value: argument.value });
    else if (last) {
      const { before } = neighbours(
        present,
        argument,
        order.map(({ name }) => name),
      );
      this.#addBehind(before ?? last, argument, `, ${printArgument(argument)}`);
    } else {
      const [open, close] = [order[0] === argument ? '(' : ', ', order.at(-1) === argument ? ')' : ''];
      this.#add(addAfter(node.name, `${open}${printArgument(argument)}${close}`));
    }
  }

  #add(fix: Fix | undefined): void {
    if (fix) this.#fixes.push(fix);
  }
}

/** The nearest of the members that are there which stand before and after one in `order`. */
function neighbours<T extends MemberNode>(
  present: readonly T[],
  { name }: Member,
  order: readonly string[],
): { readonly before: T | undefined; readonly after: T | undefined } {
  const at = order.indexOf(name);
  const first = (names: readonly string[]): T | undefined =>
    names.map((one) => present.find((node) => nameOf(node) === one)).find((one) => one !== undefined);
  return { before: first(order.slice(0, at).toReversed()), after: first(order.slice(at + 1)) };
}

/** The members of a definition or extension, in their order. */
export function membersOf(holder: DefinitionNode): readonly MemberNode[] {
  if ('fields' in holder) return holder.fields ?? [];
  if ('values' in holder) return holder.values ?? [];
  if ('operationTypes' in holder) return holder.operationTypes ?? [];
  return 'types' in holder ? (holder.types ?? []) : [];
}

/** The name of a member; that of an operation type is the operation. */
export const nameOf = (member: MemberNode): string => ('operation' in member ? member.operation : member.name.value);
