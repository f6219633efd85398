import type { Resources } from '../../generated/handlers.ts';
import type { Random } from '../../src/tools/random.ts';
import { uuidAt } from '../../src/tools/uuid.ts';
import { colours, goods, guides, materials } from './words.ts';

export type Product = Resources['products']['resource'];

const OPENED_MS = Date.UTC(2025, 0, 1);
const MINUTE_MS = 60_000;
/** Share of the catalogue that is sold in each currency. */
const CURRENCIES = ['EUR', 'EUR', 'EUR', 'GBP', 'USD'] as const;
/** Share of the catalogue in each state. */
const STATUSES = ['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ARCHIVED', 'DRAFT'] as const;

/** The catalogue. Nothing is sold yet. */
export function makeProducts(count: number, random: Random): Product[] {
  return Array.from({ length: count }, (_, index) => makeProduct(index, random));
}

function makeProduct(index: number, random: Random): Product {
  const createdMs = OPENED_MS + index * MINUTE_MS;
  const status = random.pick(STATUSES);
  return {
    id: uuidAt(createdMs, random),
    version: 1 + ['DRAFT', 'ACTIVE', 'ARCHIVED'].indexOf(status),
    createdAt: new Date(createdMs).toISOString(),
    updatedAt: new Date(createdMs + MINUTE_MS).toISOString(),
    ...(random.chance(0.1) ? guide(index, random) : good(index, random)),
    price: random.integer(4, 200) * 50 - 1,
    currency: random.pick(CURRENCIES),
    stock: random.chance(0.05) ? 0 : random.integer(5, 500),
    status,
    unitsSold: '0',
  };
}

type Article = Pick<Product, 'sku' | 'name' | 'description' | 'taxRate' | 'tags' | 'delivery' | 'imageUrl'>;

function good(index: number, random: Random): Article {
  const { noun, tag } = random.pick(goods);
  const colour = random.pick(colours);
  const material = random.pick(materials);
  const sku = `${noun}-${colour}-${String(index).padStart(4, '0')}`.toUpperCase();
  return {
    sku,
    name: `${colour} ${material} ${noun}`,
    description: random.chance(0.8) ? `A ${noun} of ${material}, in ${colour.toLowerCase()}.` : null,
    taxRate: '0.19',
    tags: [tag, material],
    delivery: { kind: 'PHYSICAL', weightGrams: random.integer(50, 4000), dimensions: dimensions(random) },
    imageUrl: random.chance(0.7) ? `https://images.example.com/${sku.toLowerCase()}.jpg` : null,
  };
}

function dimensions(random: Random): { lengthMm: number; widthMm: number; heightMm: number } {
  const [heightMm, widthMm, lengthMm] = [0, 0, 0].map(() => random.integer(40, 600)).sort((a, b) => a - b);
  return { lengthMm: lengthMm!, widthMm: widthMm!, heightMm: heightMm! };
}

function guide(index: number, random: Random): Article {
  const subject = random.pick(guides);
  const sku = `GUIDE-${subject}-${String(index).padStart(4, '0')}`.toUpperCase();
  return {
    sku,
    name: `${subject} for beginners, part ${index}`,
    description: null,
    taxRate: '0.07',
    tags: ['download', 'books'],
    delivery: {
      kind: 'DIGITAL',
      downloadUrl: `https://downloads.example.com/${sku.toLowerCase()}.pdf`,
      sizeBytes: random.integer(100_000, 90_000_000),
    },
    imageUrl: null,
  };
}
