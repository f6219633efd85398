import { sqlName } from './catalogue.ts';
import { listOf, memberOf, namesIn, parseQuery, type SqlNode } from './expressions.ts';

/** A column of one of the relations of a query, by the name that it has there. */
type Place = readonly [alias: string, column: string];

interface Source {
  readonly alias: string;
  /** As SQL names it. */
  readonly relation: string;
  /** Rows of others may stand without one of its own: it is on the optional side of an outer join. */
  readonly isOptional: boolean;
}

interface Equality {
  readonly sides: readonly [Place, Place];
  /** The relations that it may find rows of: of an outer join, the optional ones. */
  readonly finds: ReadonlySet<string>;
}

/** What keys and columns the relations of a query have, by their names in SQL. */
export interface ViewContext {
  readonly keyOf: (relation: string) => readonly string[];
  readonly hasColumn: (relation: string, column: string) => boolean;
  /** Functions that return sets of rows, or one for many. */
  readonly changesRows: (name: string) => boolean;
}

/**
 * The columns of a view that hold the key of one of its tables, which has at most one row there for each of its own: every other
 * table is joined by its whole key. Undefined for other views.
 */
export async function keyOfView(sql: string, context: ViewContext): Promise<readonly string[] | undefined> {
  const query = await parseQuery(sql.replace(/;\s*$/, '')).catch((): SqlNode => ({}));
  const targets = listOf(query['targetList']).map((target) => memberOf(target, 'ResTarget') ?? {});
  const isPlain = ['distinctClause', 'groupClause', 'havingClause', 'withClause'].every((part) => !query[part]);
  if (query['op'] !== 'SETOP_NONE' || !isPlain || functionsIn(targets).some(context.changesRows)) return undefined;
  const found = new Sources(context);
  if (!listOf(query['fromClause']).every((node) => found.add(node, false) !== undefined)) return undefined;
  found.equate(query['whereClause'], new Set(found.sources.map(({ alias }) => alias)));
  for (const source of found.sources.filter((one) => !one.isOptional && found.determinesAll(one))) {
    const columns = context.keyOf(source.relation).map((column) => outputOf(targets, found, [source.alias, column]));
    if (columns.length > 0 && columns.every((column) => column !== undefined)) return columns;
  }
  return undefined;
}

class Sources {
  readonly sources: Source[] = [];
  readonly #equalities: Equality[] = [];
  readonly #context: ViewContext;

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /** Adds the relations below a node of `FROM`; their names, or undefined for anything but tables and joins. */
  add(node: unknown, isOptional: boolean): readonly Source[] | undefined {
    const table = memberOf(node, 'RangeVar');
    const join = memberOf(node, 'JoinExpr');
    if (table) {
      const relation = sqlName({ schema: String(table['schemaname']), name: String(table['relname']) });
      const alias = String(memberOf(table, 'alias')?.['aliasname'] ?? table['relname']);
      const source = { alias, relation, isOptional };
      this.sources.push(source);
      return [source];
    }
    if (!join || join['jointype'] === 'JOIN_FULL' || join['alias']) return undefined;
    const [isLeft, isRight] = [join['jointype'] === 'JOIN_LEFT', join['jointype'] === 'JOIN_RIGHT'];
    const left = this.add(join['larg'], isOptional || isRight);
    const right = this.add(join['rarg'], isOptional || isLeft);
    if (!left || !right) return undefined;
    const found = isLeft ? right : isRight ? left : [...left, ...right];
    const finds = new Set(found.map(({ alias }) => alias));
    this.equate(join['quals'], finds);
    for (const column of namesIn(join['usingClause'])) {
      const [a, b] = [left, right].map((side) => side.find((one) => this.#context.hasColumn(one.relation, column)));
      if (a && b)
        this.#equalities.push({
          sides: [
            [a.alias, column],
            [b.alias, column],
          ],
          finds,
        });
    }
    return [...left, ...right];
  }

  /** Notes the equalities of columns that a condition demands. */
  equate(condition: unknown, finds: ReadonlySet<string>): void {
    const both = memberOf(condition, 'BoolExpr');
    if (both?.['boolop'] === 'AND_EXPR') for (const arg of listOf(both['args'])) this.equate(arg, finds);
    const { name, lexpr, rexpr } = memberOf(condition, 'A_Expr') ?? {};
    const [left, right] = [this.placeOf(lexpr), this.placeOf(rexpr)];
    if (namesIn(name).join('.') === '=' && left && right) this.#equalities.push({ sides: [left, right], finds });
  }

  /** A query of one relation has names without it. */
  placeOf(node: unknown): Place | undefined {
    const names = namesIn(memberOf(node, 'ColumnRef')?.['fields']);
    const column = names.at(-1);
    const alias = names.at(-2) ?? (this.sources.length === 1 ? this.sources[0]?.alias : undefined);
    return alias === undefined || column === undefined ? undefined : [alias, column];
  }

  /** Whether a row of this relation stands at most once in the result. */
  determinesAll({ alias: first }: Source): boolean {
    const known = new Set([first]);
    const isFound = ({ alias, relation }: Source): boolean => {
      const key = this.#context.keyOf(relation);
      return key.length > 0 && key.every((column) => this.#isKnown([alias, column], known));
    };
    for (let next: Source | undefined; ; known.add(next.alias)) {
      next = this.sources.find((one) => !known.has(one.alias) && isFound(one));
      if (!next) return known.size === new Set(this.sources.map(({ alias }) => alias)).size;
    }
  }

  /** Whether two columns have the same value in every row: an inner join may demand it. */
  isSame(one: Place | undefined, other: Place): boolean {
    const is = (place: Place | undefined, own: Place): boolean => place?.[0] === own[0] && place[1] === own[1];
    const isEqual = ({ sides: [a, b], finds }: Equality): boolean =>
      finds.has(a[0]) && finds.has(b[0]) && ((is(one, a) && is(other, b)) || (is(one, b) && is(other, a)));
    return is(one, other) || this.#equalities.some(isEqual);
  }

  #isKnown([alias, column]: Place, known: ReadonlySet<string>): boolean {
    return this.#equalities.some(({ sides, finds }) =>
      [sides, sides.toReversed()].some(
        ([own, other]) => own?.[0] === alias && own[1] === column && finds.has(alias) && known.has(other?.[0] ?? ''),
      ),
    );
  }
}

/** The name that a column has in the result. */
function outputOf(targets: readonly SqlNode[], found: Sources, place: Place): string | undefined {
  const target = targets.find(({ val }) => found.isSame(found.placeOf(val), place));
  return target && String(target['name'] ?? found.placeOf(target['val'])?.[1]);
}

/** The names of functions in a part of a query, but for those of its subqueries. */
function functionsIn(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null || 'SubLink' in node) return [];
  const own = memberOf(node, 'FuncCall');
  const name = own === undefined ? [] : [namesIn(own['funcname']).at(-1) ?? ''];
  return [...name, ...Object.values(node).flatMap(functionsIn)];
}
