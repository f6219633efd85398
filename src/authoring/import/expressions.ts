import { loadModule, parseSync } from 'pgsql-parser';

/** What of an expression of Postgres can have a counterpart in JSON Schema; `other` is the rest. */
export type Expression =
  | { readonly kind: 'column'; readonly name: string; readonly cast?: Cast | undefined }
  | { readonly kind: 'constant'; readonly text: string; readonly cast?: Cast | undefined }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'compare'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'null-test'; readonly isNull: boolean; readonly arg: Expression }
  | { readonly kind: 'and' | 'or'; readonly args: readonly Expression[] }
  | { readonly kind: 'other' };

type Cast = 'text' | 'number';

/** A node of Postgres' parse tree: one member, named for its kind. */
export type SqlNode = Readonly<Record<string, unknown>>;

const OTHER: Expression = { kind: 'other' };

const CASTS: Readonly<Record<string, Cast>> = {
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  float4: 'number',
  float8: 'number',
};

/** The parse tree of a query. Throws for a text that this version of the parser does not know. */
export async function parseQuery(sql: string): Promise<SqlNode> {
  await loadModule();
  const [statement] = parseSync(sql).stmts ?? [];
  return memberOf(statement?.stmt, 'SelectStmt') ?? {};
}

/** Reads an expression as `pg_get_expr` prints it. */
export async function readExpression(sql: string): Promise<Expression> {
  try {
    const [target] = listOf((await parseQuery(`select ${sql}`))['targetList']);
    return expressionOf(memberOf(target, 'ResTarget')?.['val']);
  } catch {
    return OTHER;
  }
}

export const memberOf = (node: unknown, kind: string): SqlNode | undefined =>
  (node as Readonly<Record<string, SqlNode | undefined>> | undefined)?.[kind];

export const listOf = (node: unknown): readonly unknown[] => (Array.isArray(node) ? node : []);

/** The texts of a list of names, such as a qualified column. */
export const namesIn = (node: unknown): readonly string[] =>
  listOf(node).map((name) => String(memberOf(name, 'String')?.['sval'] ?? ''));

function expressionOf(node: unknown): Expression {
  const [kind, own] = Object.entries(Object(node) as Readonly<Record<string, SqlNode>>)[0] ?? ['', {}];
  switch (kind) {
    case 'ColumnRef':
      return { kind: 'column', name: namesIn(own['fields']).at(-1) ?? '' };
    case 'A_Const':
      return constantOf(own);
    case 'TypeCast':
      return castOf(expressionOf(own['arg']), memberOf(own, 'typeName') ?? {});
    case 'A_ArrayExpr':
      return { kind: 'list', items: listOf(own['elements']).map(expressionOf) };
    case 'FuncCall':
      return { kind: 'call', name: namesIn(own['funcname']).join('.'), args: listOf(own['args']).map(expressionOf) };
    case 'NullTest':
      return { kind: 'null-test', isNull: own['nulltesttype'] === 'IS_NULL', arg: expressionOf(own['arg']) };
    case 'BoolExpr':
      return booleanOf(own);
    case 'A_Expr':
      return comparisonOf(own);
    default:
      return OTHER;
  }
}

function constantOf(node: SqlNode): Expression {
  const [text, integer, fraction] = ['sval', 'ival', 'fval'].map((kind) => memberOf(node, kind));
  if (text) return { kind: 'constant', text: String(text['sval'] ?? '') };
  // The parser leaves a zero out.
  if (integer) return { kind: 'constant', text: String(integer['ival'] ?? 0), cast: 'number' };
  return fraction ? { kind: 'constant', text: String(fraction['fval']), cast: 'number' } : OTHER;
}

/** A cast to a type with a length, such as `varchar(3)`, changes values. */
function castOf(arg: Expression, type: SqlNode): Expression {
  const cast = CASTS[namesIn(type['names']).at(-1) ?? ''];
  if (!cast || type['typmods'] !== undefined) return OTHER;
  if (arg.kind === 'list') return cast === 'text' ? arg : OTHER;
  return arg.kind === 'column' || arg.kind === 'constant' ? { ...arg, cast } : OTHER;
}

function booleanOf({ boolop, args }: SqlNode): Expression {
  const kind = ({ AND_EXPR: 'and', OR_EXPR: 'or' } as const)[String(boolop)];
  return kind ? { kind, args: listOf(args).map(expressionOf) } : OTHER;
}

/** `= ANY (…)` is `in`; an operator of another schema than `pg_catalog` may mean anything. */
function comparisonOf({ kind, name, lexpr, rexpr }: SqlNode): Expression {
  const names = namesIn(name);
  const operator = names.at(-1) ?? '';
  if (names.length !== 1 || lexpr === undefined) return OTHER;
  const sides = { left: expressionOf(lexpr), right: expressionOf(rexpr) };
  if (kind === 'AEXPR_OP') return { kind: 'compare', operator, ...sides };
  return kind === 'AEXPR_OP_ANY' && operator === '=' ? { kind: 'compare', operator: 'in', ...sides } : OTHER;
}
