import { appendFileSync } from 'node:fs';
import type { Resources } from '../../../../generated/handlers.ts';
import { handlers } from '../../../../src/handlers/index.ts';
import { type EventHandlers, type RowEvent, start } from '../../../../src/index.ts';
import { explainBootFault } from '../../../../src/runtime/boot-fault.ts';
import type { Handled } from '../check-events.ts';

/** To which all instances append, each line at once. */
const file = process.env['HANDLED_FILE']!;

type Product = RowEvent<Resources['products']>;

function note(kind: Handled['kind'], { row, version }: Product): void {
  const line: Handled = { kind, id: row.id, version: Number(version), name: row.name };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** What is handled is written down at once, and each new name is also counted in the row, in the transaction that ends the job. */
const on: EventHandlers<Resources> = {
  products: {
    created: (event) => note('created', event),
    updated: {
      of: ['name'],
      async run(event, { transaction, retryAfter }) {
        note('updated', event);
        const count = async ({ store }: Parameters<Parameters<typeof transaction>[0]>[0]) => {
          const product = await store.products.get(event.row.id);
          if (product) await store.products.update(product.id, { unitsSold: String(Number(product.unitsSold) + 1) });
        };
        await transaction(count, { completes: true }).catch(() => {
          throw retryAfter(100);
        });
      },
    },
    deleted: (event) => note('deleted', event),
  },
};

try {
  await start({ generated: new URL('../../../../generated/', import.meta.url), handlers: { ...handlers, on } });
} catch (error) {
  console.error(explainBootFault(error) ?? error);
  process.exit(1);
}
