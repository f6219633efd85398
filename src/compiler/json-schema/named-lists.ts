import { schemaNameOf } from '../../descriptor/references.ts';

type Node = Record<string, unknown>;

const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf'];

/** How one named schema leads to another without a property between them: TypeScript reads all of it at once. */
interface Step {
  readonly to: string;
  /** The outermost array on the way. */
  readonly list?: Node;
  /** The composition that has the reference as a member. */
  readonly leave: () => void;
}

/**
 * Gives names, in `member`, to arrays of named schemas that lead to themselves: TypeScript requires it. Members of compositions that
 * apply a schema to a value to which it applies anyway are left out.
 */
export function nameLists(schemas: object, member: string): void {
  const steps = new Map(Object.entries(schemas).map(([name, schema]) => [name, [...stepsFrom(schema)]]));
  const taken = new Set<string>();
  for (const [name, own] of steps)
    for (const { to, list, leave } of own) {
      if (!list && leads(steps, to, name, ({ list }) => !list)) leave();
      if (!list || member in list || !leads(steps, to, name, () => true)) continue;
      const base = `$${name.replace(/\W/g, '_')}List`;
      let free = base;
      for (let number = 2; taken.has(free); number += 1) free = base + number;
      taken.add(free);
      list[member] = free;
    }
}

function leads(
  steps: ReadonlyMap<string, readonly Step[]>,
  from: string,
  to: string,
  isWay: (step: Step) => boolean,
): boolean {
  const found = new Set([from]);
  for (const name of found) for (const step of steps.get(name) ?? []) if (isWay(step)) found.add(step.to);
  return found.has(to);
}

function* stepsFrom(schema: unknown, list?: Node, leave = () => {}): Generator<Step> {
  if (!isSchema(schema)) return;
  const to = schemaNameOf(schema);
  if (to !== undefined) yield { to, leave, ...(list && { list }) };
  for (const keyword of COMPOSITIONS) {
    const members = schema[keyword];
    if (Array.isArray(members))
      for (const member of members) yield* stepsFrom(member, list, () => withoutMember(schema, keyword, member));
  }
  const { items, prefixItems = [] } = schema;
  const within = list ?? schema;
  for (const item of [items, ...(prefixItems as readonly unknown[])]) yield* stepsFrom(item, within);
}

function withoutMember(schema: Node, keyword: string, member: unknown): void {
  const left = (schema[keyword] as readonly unknown[]).filter((one) => one !== member);
  if (left.length > 0) schema[keyword] = left;
  else delete schema[keyword];
}

const isSchema = (value: unknown): value is Node => typeof value === 'object' && value !== null;
