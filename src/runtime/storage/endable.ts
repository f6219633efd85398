import { readingFrom } from './reading-from.ts';
import type { Transaction } from './store.ts';

type Use = <T>(statement: (transaction: Transaction) => T) => T;

/** A transaction that code may go on to use when it is over, though nobody waits for that code. */
export class Endable {
  readonly transaction: Transaction;
  readonly #underWay = new Set<Promise<unknown>>();
  #isOver = false;

  constructor(transaction: Transaction) {
    this.transaction = this.#of(transaction);
  }

  /** Refuses statements from now on. Resolves when those that are under way have ended: they belong to the transaction. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#underWay);
  }

  #of(transaction: Transaction): Transaction {
    const use: Use = (statement) => {
      if (this.#isOver) throw new Error('The transaction has ended.');
      return this.#followed(statement(transaction));
    };
    return {
      ...readingFrom(use),
      unlocked: readingFrom((read) => use(({ unlocked }) => read(unlocked))),
      jobs: {
        send: (...args) => use(({ jobs }) => jobs.send(...args)),
        emit: (...args) => use(({ jobs }) => jobs.emit(...args)),
        hold: (lease) => use(({ jobs }) => jobs.hold(lease)),
        complete: (lease) => use(({ jobs }) => jobs.complete(lease)),
      },
      within: (scope) => this.#of(transaction.within(scope)),
      whereReferred: (key) => this.#of(transaction.whereReferred(key)),
      insert: (...args) => use((own) => own.insert(...args)),
      insertAll: (...args) => use((own) => own.insertAll(...args)),
      update: (...args) => use((own) => own.update(...args)),
      lockReferences: (...args) => use((own) => own.lockReferences(...args)),
      delete: (...args) => use((own) => own.delete(...args)),
      deleteEach: (...args) => use((own) => own.deleteEach(...args)),
      deferReferences: () => use((own) => own.deferReferences()),
      claim: (key) => use((own) => own.claim(key)),
      lock: (keys) => use((own) => own.lock(keys)),
      recall: (...args) => use((own) => own.recall(...args)),
      remember: (...args) => use((own) => own.remember(...args)),
      importOwnRows: (pages) => use((own) => own.importOwnRows(pages)),
    };
  }

  #followed<T>(result: T): T {
    if (!(result instanceof Promise)) return result;
    this.#underWay.add(result);
    const ended = () => this.#underWay.delete(result);
    result.then(ended, ended);
    return result;
  }
}
