import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { Random } from '../../../../src/tools/random.ts';
import type { GraphqlParameters } from '../../../support/transports.ts';

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly input: GraphQLInputType;
  readonly fallback: string | undefined;
}

/** A document of one to three operations that share fragments, and a request for each. */
export function randomDocument(schema: GraphQLSchema, seed: number): readonly GraphqlParameters[] {
  const random = new Random(seed);
  return new DocumentWriter(schema, () => random.next()).write();
}

class DocumentWriter {
  readonly #schema: GraphQLSchema;
  readonly #random: () => number;
  #variables: Variable[] = [];
  /** Fragments without variables, which any operation may spread. */
  readonly #fragments: { readonly name: string; readonly on: string; readonly text: string }[] = [];
  #isShared = false;

  constructor(schema: GraphQLSchema, random: () => number) {
    this.#schema = schema;
    this.#random = random;
  }

  write(): readonly GraphqlParameters[] {
    this.#isShared = true;
    for (let i = this.#below(3); i > 0; i--) this.#fragment();
    this.#isShared = false;
    const operations = Array.from({ length: 1 + this.#below(3) }, (_, i) => this.#operation(`O${i}`));
    const fragments = this.#fragments.filter(({ name }) => operations.some(({ text }) => this.#needs(text, name)));
    const query = [...operations, ...fragments].map(({ text }) => text).join('\n');
    return operations.flatMap(({ name, variables }) =>
      [0, 1].map(() => ({ query, operationName: name, variables: this.#values(variables) })),
    );
  }

  #needs(text: string, name: string): boolean {
    const spreads = [...text.matchAll(/\.\.\.(F\d+)/g)].map(([, spread]) => spread!);
    return spreads.some((spread) => {
      if (spread === name) return true;
      return this.#needs(this.#fragments.find((fragment) => fragment.name === spread)!.text, name);
    });
  }

  #fragment(): void {
    const types = Object.values(this.#schema.getTypeMap()).filter(
      (type) => (isObjectType(type) || isAbstractType(type)) && !type.name.startsWith('__') && type.name !== 'Mutation',
    );
    const type = this.#oneOf(types);
    const selections = this.#selections(type, 2);
    const name = `F${this.#fragments.length}`;
    this.#fragments.push({ name, on: type.name, text: `fragment ${name} on ${type.name} ${selections}` });
  }

  #operation(name: string) {
    this.#variables = [];
    const selections = this.#selections(this.#schema.getQueryType()!, 3);
    const variables = this.#variables;
    const definitions = variables.map(
      ({ name: variable, type, fallback }) => `$${variable}: ${type}${fallback === undefined ? '' : ` = ${fallback}`}`,
    );
    const head = definitions.length > 0 ? `(${definitions.join(', ')})` : '';
    return { name, variables, text: `query ${name}${head} ${selections}` };
  }

  #selections(type: GraphQLNamedType, depth: number): string {
    const selections = Array.from({ length: 1 + this.#below(3) }, () => this.#selection(type, depth));
    return `{ __typename ${selections.join(' ')} }`;
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    const kind = this.#random();
    const fitting = this.#fragments.filter(({ on }) => on === type.name || this.#overlaps(on, type));
    if (kind < 0.2 && fitting.length > 0) return `...${this.#oneOf(fitting).name} ${this.#condition()}`;
    if (kind < 0.35 || !('getFields' in type)) {
      const on = isAbstractType(type) ? this.#oneOf([type, ...this.#schema.getPossibleTypes(type)]) : type;
      const condition = this.#random() < 0.7 || on !== type ? `on ${on.name}` : '';
      return `... ${condition} ${this.#condition()} ${this.#selections(on, depth - 1)}`;
    }
    return this.#field(type as GraphQLObjectType, depth);
  }

  #overlaps(on: string, type: GraphQLNamedType): boolean {
    const other = this.#schema.getType(on);
    return isAbstractType(type) && isObjectType(other) && this.#schema.isSubType(type, other);
  }

  #field(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields()).filter((field) => depth > 0 || isLeafType(getNamedType(field.type)));
    if (fields.length === 0) return '__typename';
    const field = this.#oneOf(fields);
    const given = field.args.filter(
      (arg) => (isNonNullType(arg.type) && arg.defaultValue === undefined) || this.#random() < 0.6,
    );
    const args = given.map((arg) => `${arg.name}: ${this.#value(arg.type, arg.defaultValue !== undefined)}`);
    const list = args.length > 0 ? `(${args.join(', ')})` : '';
    // Another name for other arguments or another parent, so that nothing conflicts.
    const alias =
      args.length > 0 || this.#random() < 0.3 ? `a${this.#below(1_000_000)}: ` : `${this.#plain(type, field.name)}`;
    const named = getNamedType(field.type as GraphQLOutputType);
    const sub = isLeafType(named) ? '' : this.#selections(named, depth - 1);
    return `${alias}${field.name}${list} ${this.#condition()} ${sub}`;
  }

  /** Members of a union may have fields of one name and different types. */
  #plain(type: GraphQLObjectType, field: string): string {
    return isInterfaceType(type) || type.name === 'Query' ? '' : `${type.name}_${field}: `;
  }

  #condition(): string {
    if (this.#random() < 0.75) return '';
    const value = this.#random() < 0.3 ? String(this.#random() < 0.5) : this.#conditionVariable();
    return `@${this.#random() < 0.5 ? 'skip' : 'include'}(if: ${value})`;
  }

  #conditionVariable(): string {
    if (this.#isShared) return 'true';
    const type = this.#schema.getType('Boolean') as GraphQLInputType;
    return this.#variable(type, this.#random() < 0.6 ? 'Boolean!' : 'Boolean', this.#random() < 0.5 ? 'true' : 'false');
  }

  /** A fallback makes a nullable variable fit where null does not. */
  #variable(input: GraphQLInputType, type: string, fallback: string | undefined): string {
    const name = `v${this.#variables.length}`;
    this.#variables.push({ name, type, input, fallback: type.endsWith('!') ? undefined : fallback });
    return `$${name}`;
  }

  #value(type: GraphQLInputType, hasDefault: boolean): string {
    if (!this.#isShared && this.#random() < 0.45) return this.#variableFor(type, hasDefault);
    return this.#literal(type);
  }

  #variableFor(type: GraphQLInputType, hasDefault: boolean): string {
    if (!isNonNullType(type))
      return this.#variable(type, String(type), this.#random() < 0.4 ? this.#constant(type) : undefined);
    if (hasDefault && this.#random() < 0.3) return this.#variable(type.ofType, String(type.ofType), undefined);
    return this.#variable(type, String(type), undefined);
  }

  #literal(type: GraphQLInputType): string {
    if (isNonNullType(type)) return this.#literal(type.ofType);
    if (this.#random() < 0.12) return this.#isTop(type) ? 'null' : this.#present(type);
    return this.#present(type);
  }

  #isTop(type: GraphQLInputType): boolean {
    return !isNonNullType(type);
  }

  #present(type: GraphQLInputType): string {
    if (isNonNullType(type)) return this.#present(type.ofType);
    if (isListType(type)) {
      const items = Array.from({ length: this.#below(4) }, () => this.#value(type.ofType, false));
      return `[${items.join(', ')}]`;
    }
    if (isInputObjectType(type) && type.isOneOf) {
      const field = this.#oneOf(Object.values(type.getFields()));
      return `{${field.name}: ${this.#present(field.type)}}`;
    }
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => (isNonNullType(field.type) && field.defaultValue === undefined) || this.#random() < 0.4,
      );
      return `{${fields.map((field) => `${field.name}: ${this.#nonNull(field.type)}`).join(', ')}}`;
    }
    return this.#leaf(type);
  }

  #nonNull(type: GraphQLInputType): string {
    return isNonNullType(type) && this.#random() < 0.6 ? this.#present(type.ofType) : this.#value(type, false);
  }

  #constant(type: GraphQLInputType): string {
    const isShared = this.#isShared;
    this.#isShared = true;
    const text = this.#literal(type);
    this.#isShared = isShared;
    return text;
  }

  #leaf(type: GraphQLInputType): string {
    const named = getNamedType(type);
    if (isEnumType(named)) return this.#oneOf(named.getValues()).name;
    switch (named.name) {
      case 'Boolean':
        return String(this.#random() < 0.5);
      case 'Int':
        return String(this.#below(100) - 50);
      case 'Float':
        return String(this.#below(1000) / 8);
      default:
        return `"t${this.#below(100)}"`;
    }
  }

  /** Present, null, absent, or now and then of a wrong type. */
  #values(variables: readonly Variable[]): object {
    const values: Record<string, unknown> = {};
    for (const { name, input, type } of variables) {
      const kind = this.#random();
      const isRequired = type.endsWith('!');
      if (kind < 0.02) values[name] = this.#random() < 0.5 ? { wrong: [1.5] } : [];
      else if (kind < (isRequired ? 0.04 : 0.2)) values[name] = null;
      else if (kind > (isRequired ? 0.98 : 0.75)) continue;
      else values[name] = this.#json(input);
    }
    return values;
  }

  #json(type: GraphQLInputType): unknown {
    if (isNonNullType(type)) return this.#json(type.ofType);
    if (isListType(type)) return Array.from({ length: this.#below(4) }, () => this.#json(type.ofType));
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isNonNullType(field.type) || this.#random() < 0.5,
      );
      return Object.fromEntries(fields.map((field) => [field.name, this.#nullable(field.type)]));
    }
    const text = this.#leaf(type);
    return isEnumType(getNamedType(type)) ? text : JSON.parse(text);
  }

  #nullable(type: GraphQLInputType): unknown {
    return !isNonNullType(type) && this.#random() < 0.2 ? null : this.#json(type);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #oneOf<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)]!;
  }
}
