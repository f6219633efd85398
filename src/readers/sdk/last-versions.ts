/** How many rows a subscription remembers: those of its latest events. */
const MAX_ROWS = 10_000;

/**
 * The last version of each row that the events of a subscription show. One server sends the events of a row in the order of
 * its versions; where several write, an older event may come after a newer one.
 */
export class LastVersions {
  readonly #versions = new Map<string, number>();

  /** Whether an event, the value of its field, is older than one before it; if not, it is remembered. */
  isOlder(event: unknown): boolean {
    const { id, version, createdAt } = Object(event) as Readonly<Record<string, unknown>>;
    if (id === undefined || createdAt === undefined || typeof version !== 'number') return false;
    // What is created again with the same id is another row, whose versions begin anew.
    const row = `${createdAt} ${id}`;
    if (version < (this.#versions.get(row) ?? 0)) return true;
    this.#versions.delete(row);
    this.#versions.set(row, version);
    if (this.#versions.size > MAX_ROWS) this.#versions.delete(this.#versions.keys().next().value!);
    return false;
  }
}
