import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getDirectiveValues,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { ASSUMED_LIST_LENGTH } from '../../../descriptor/graphql.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { filterCost } from './filter-cost.ts';

/** The cost of an operation (IBM's GraphQL Cost Directives): a number, unless variables decide. */
export type CostOf = number | ((variables: Readonly<Record<string, unknown>>) => number);

interface Run {
  readonly variables: Readonly<Record<string, unknown>>;
  /** The costs of fragments, by the length around them: each is computed once, however often it is spread. */
  readonly weighed: Map<Cost, Map<number, number>>;
}
/** `length` is the length of the enclosing connection. */
type Cost = (run: Run, length: number) => number;

/** Fields of a connection that contain lists of its length. */
type SizedFields = readonly string[];

interface Size {
  readonly fields: SizedFields;
  /** It is the length of a list that is given, of which each entry is work. */
  readonly isGiven: boolean;
  readonly length: (run: Run) => number;
}

/**
 * Compiles the cost of an operation, so that a request only needs to insert its variables. An object costs 1, scalars and
 * enums cost nothing the first time and 1 under each further name, and a list costs its length times the cost of an entry,
 * and what its filter combines.
 */
export function costOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): CostOf {
  const weigher = new Weigher(schema, document);
  const cost = weigher.operation(operation);
  const costWith = (variables: Run['variables']): number => cost({ variables, weighed: new Map() }, 1);
  return weigher.readsVariables ? costWith : costWith({});
}

class Weigher {
  readonly #schema: GraphQLSchema;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #costs = new Map<string, Cost>();
  /** The name in the answer that a scalar of a type has where it is selected first. */
  readonly #names = new Map<string, string>();
  #defaults: ReadonlyMap<string, ValueNode> = new Map();
  /** Whether the cost of the operation depends on its variables. */
  readsVariables = false;

  constructor(schema: GraphQLSchema, { definitions }: DocumentNode) {
    this.#schema = schema;
    for (const definition of definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition);
  }

  operation({ operation, selectionSet, variableDefinitions = [] }: OperationDefinitionNode): Cost {
    this.#defaults = new Map(
      variableDefinitions.flatMap(({ variable, defaultValue }) =>
        defaultValue ? [[variable.name.value, defaultValue] as const] : [],
      ),
    );
    return this.#selections(selectionSet, this.#schema.getRootType(operation)!, []);
  }

  #selections({ selections }: SelectionSetNode, parent: GraphQLNamedType, sized: SizedFields): Cost {
    return sum(selections.map((selection) => this.#selection(selection, parent, sized)));
  }

  #selection(selection: SelectionNode, parent: GraphQLNamedType, sized: SizedFields): Cost {
    switch (selection.kind) {
      case Kind.FIELD:
        return this.#field(selection, parent, sized);
      case Kind.INLINE_FRAGMENT: {
        const type = selection.typeCondition?.name.value;
        const on = type === undefined ? parent : this.#type(type);
        return this.#selections(selection.selectionSet, on, sized);
      }
      case Kind.FRAGMENT_SPREAD:
        return this.#spread(selection.name.value, sized);
    }
  }

  /** Documents are valid: the type is there. */
  #type(name: string): GraphQLNamedType {
    const type = this.#schema.getType(name);
    if (!type) throw new Error(`The schema has no type ${name}.`);
    return type;
  }

  /** A fragment may select sized fields of the enclosing connection: its cost depends on which fields those are. */
  #spread(name: string, sized: SizedFields): Cost {
    const key = [name, ...sized].join(' ');
    const known = this.#costs.get(key);
    if (known) return known;
    let made: Cost | undefined;
    const cost = oncePerRun((run, length) => made!(run, length));
    this.#costs.set(key, cost);
    const { selectionSet, typeCondition } = lookUp(this.#fragments, name);
    made = this.#selections(selectionSet, this.#type(typeCondition.name.value), sized);
    return cost;
  }

  #field(node: FieldNode, parent: GraphQLNamedType, sized: SizedFields): Cost {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    // Introspection has limits of its own.
    if (!field) return () => 0;
    const type = getNamedType(field.type);
    const again = isCompositeType(type) ? 0 : this.#weightAgain(node, parent);
    const own = this.#weight(field, type) + this.#argumentWeights(node, field) + again;
    const listed = this.#listSize(node, field);
    const child = node.selectionSet ? this.#selections(node.selectionSet, type, listed?.fields ?? []) : undefined;
    const given = listed?.isGiven ? listed.length : () => 0;
    const bare = (run: Run): number => own + given(run) + (child?.(run, listed?.length(run) ?? 1) ?? 0);
    const filter = listed && filterCost(node, field, this.#defaults);
    if (filter) this.readsVariables = true;
    const entry = filter ? (run: Run): number => bare(run) + filter(run.variables) : bare;
    if (sized.includes(node.name.value)) return (run, length) => length * entry(run);
    if (listed?.fields.length === 0) return (run) => listed.length(run) * entry(run);
    return isList(field.type) ? (run) => ASSUMED_LIST_LENGTH * entry(run) : entry;
  }

  #weight({ astNode }: GraphQLField<unknown, unknown>, type: GraphQLNamedType): number {
    const written = this.#directive('cost', astNode) ?? this.#directive('cost', type.astNode);
    return written ? Number(written['weight']) : isCompositeType(type) ? 1 : 0;
  }

  /** A text is in the answer as often as it is asked for, however long it is. */
  #weightAgain({ name: { value: name }, alias }: FieldNode, parent: GraphQLNamedType): number {
    const key = `${parent.name}.${name}`;
    const named = alias?.value ?? name;
    if (!this.#names.has(key)) this.#names.set(key, named);
    return this.#names.get(key) === named ? 0 : 1;
  }

  #argumentWeights(node: FieldNode, { args }: GraphQLField<unknown, unknown>): number {
    const given = new Set(node.arguments?.map(({ name }) => name.value));
    return args
      .filter(({ name }) => given.has(name))
      .reduce((total, { astNode }) => total + Number(this.#directive('cost', astNode)?.['weight'] ?? 0), 0);
  }

  /** The length that `@listSize` declares, and the subfields that have it; without any, the field itself has it. */
  #listSize(node: FieldNode, field: GraphQLField<unknown, unknown>): Size | undefined {
    const written = this.#directive('listSize', field.astNode);
    if (!written) return undefined;
    const {
      assumedSize,
      slicingArguments = [],
      sizedFields = [],
    } = written as {
      assumedSize?: number;
      slicingArguments?: readonly string[];
      sizedFields?: readonly string[];
    };
    const most = assumedSize ?? Number.POSITIVE_INFINITY;
    const slices = slicingArguments.map((name) => this.#argument(node, field, name));
    const length = (run: Run): number => {
      const given = slices.map((slice) => slice(run)).filter((value) => typeof value === 'number');
      const asked = given.length > 0 ? Math.max(...given) : (assumedSize ?? ASSUMED_LIST_LENGTH);
      // An argument beyond the bounds is refused later, by validation.
      return Math.min(Math.max(asked, 1), most);
    };
    const isGiven = slicingArguments.some((name) => field.args.some((arg) => arg.name === name && isList(arg.type)));
    return { fields: sizedFields, length, isGiven };
  }

  #argument(node: FieldNode, { args }: GraphQLField<unknown, unknown>, name: string): (run: Run) => unknown {
    const fallback = args.find((arg) => arg.name === name)?.defaultValue;
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    if (value?.kind === Kind.INT) return () => Number(value.value);
    if (value?.kind === Kind.LIST) return () => value.values.length;
    if (value?.kind === Kind.OBJECT) return () => 1;
    if (value?.kind !== Kind.VARIABLE) return () => fallback;
    this.readsVariables = true;
    const variable = value.name.value;
    const written = this.#defaults.get(variable);
    const otherwise =
      written?.kind === Kind.INT
        ? Number(written.value)
        : written?.kind === Kind.LIST
          ? written.values.length
          : undefined;
    return ({ variables }) => lengthOf(variables[variable] === undefined ? otherwise : variables[variable]) ?? fallback;
  }

  #directive(name: string, node: { readonly directives?: readonly ConstDirectiveNode[] } | null | undefined) {
    const definition = this.#schema.getDirective(name);
    return definition && node?.directives ? getDirectiveValues(definition, { directives: node.directives }) : undefined;
  }
}

function oncePerRun(cost: Cost): Cost {
  return (run, length) => {
    const known = run.weighed.get(cost) ?? new Map<number, number>();
    run.weighed.set(cost, known);
    const weight = known.get(length) ?? cost(run, length);
    known.set(length, weight);
    return weight;
  };
}

const isList = (type: GraphQLOutputType | GraphQLInputType): boolean =>
  isListType(isNonNullType(type) ? type.ofType : type);

/** The length that a value of a slicing argument asks for: a number, or that of a list; one entry stands for a list of it. */
function lengthOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? 1 : value;
}

function sum(costs: readonly Cost[]): Cost {
  if (costs.length === 1) return costs[0]!;
  return (run, length) => {
    let total = 0;
    for (const cost of costs) total += cost(run, length);
    return total;
  };
}
