import { AsyncLocalStorage } from 'node:async_hooks';

const around = new AsyncLocalStorage<{ isOver: boolean }>();

/** Throws in the code of a transaction: another one would wait for the rows of that one, which waits for its code. */
export function refuseNested(): void {
  if (around.getStore()?.isOver === false)
    throw new Error('A transaction does not run within another one: use the context of the outer one.');
}

/** Runs the code of a transaction. */
export async function asTransaction<T>(code: () => Promise<T>): Promise<T> {
  const transaction = { isOver: false };
  try {
    return await around.run(transaction, code);
  } finally {
    transaction.isOver = true;
  }
}
