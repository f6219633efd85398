import pg from 'pg';
import type { Answer, WireRow } from './answer.ts';

interface Bound {
  readonly statement: string;
  readonly values: readonly (string | null)[];
}

/** What a query of pg speaks to, which its types declare in part. */
interface Wire {
  /** The texts of the statements that are prepared, and of those that are about to be, by name. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(bound: Bound): void;
  execute(): void;
  sync(): void;
}

export interface PreparedStatement {
  readonly name: string;
  readonly values: readonly unknown[];
}

/** Which columns its rows have, a statement of pg asks each time it runs: for those who know, this one does not. */
export class TextQuery extends pg.Query {
  readonly text: string;
  /** The name under which it is prepared; empty: it is not. */
  readonly name: string;
  readonly values: readonly (string | null)[];
  readonly queryMode = 'extended';
  readonly #found: WireRow[] = [];

  /** `settle` gets the answer, or why there is none. Throws `TypeError` for what is no stored value. */
  constructor(
    text: string,
    name: string,
    values: readonly unknown[],
    settle: (error: Error | undefined, answer: Answer) => void,
  ) {
    super(text, (error, result) => {
      const { rowCount, command } = result ?? {};
      settle(error, { rows: this.#found, count: rowCount ?? 0, command: command ?? '' });
    });
    this.text = text;
    this.name = name;
    this.values = values.map(textOf);
  }

  /** Called by `submit`. */
  prepare(connection: Wire): void {
    const { name, text, values } = this;
    if (!isPrepared(connection, name)) {
      connection.parse({ name, text });
      if (name !== '') connection.submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values });
    connection.execute();
    connection.sync();
  }

  handleDataRow({ fields }: { readonly fields: WireRow }): void {
    this.#found.push(fields);
  }
}

/** Statements that are prepared already, in one transaction: a single Sync follows all of them (PostgreSQL, 54.2.3). */
export class GroupQuery extends pg.Query {
  readonly queryMode = 'extended';
  readonly #statements: readonly Bound[];
  readonly #answers: Answer[] = [];
  #found: WireRow[] = [];

  /** `settle` gets an answer to each statement, or the error that undid all of them. Throws `TypeError` like `TextQuery`. */
  constructor(
    statements: readonly PreparedStatement[],
    settle: (error: Error | undefined, answers: readonly Answer[]) => void,
  ) {
    super('', (error) => settle(error, this.#answers));
    this.#statements = statements.map(({ name, values }) => ({ statement: name, values: values.map(textOf) }));
  }

  /** Called by `submit`. */
  prepare(connection: Wire): void {
    for (const statement of this.#statements) {
      connection.bind(statement);
      connection.execute();
    }
    connection.sync();
  }

  handleDataRow({ fields }: { readonly fields: WireRow }): void {
    this.#found.push(fields);
  }

  /** `text`: the command, and behind other numbers that of its rows. */
  handleCommandComplete({ text }: { readonly text: string }): void {
    const command = text.slice(0, text.indexOf(' '));
    this.#answers.push({ rows: this.#found, count: Number(text.slice(text.lastIndexOf(' ') + 1)), command });
    this.#found = [];
  }
}

const isPrepared = ({ parsedStatements, submittedNamedStatements }: Wire, name: string): boolean =>
  name !== '' && (parsedStatements[name] !== undefined || submittedNamedStatements[name] !== undefined);

/** A value as Postgres reads it: stored values are texts, numbers and null. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string' || value === null) return value;
  if (typeof value !== 'number') throw new TypeError(`Postgres gets no ${typeof value}.`);
  return String(value);
}
