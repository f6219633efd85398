import { describe, it } from 'vitest';
import { fartherPlaces, places } from './histories/places.ts';
import { runHistory } from './histories/run-history.ts';

/** How long a nemesis acts, again and again. */
const secondsEach = Number(process.env['HISTORIES_SECONDS'] ?? 20);
/** What clients and nemeses choose. When it comes, the machine decides. */
const seed = Number(process.env['HISTORIES_SEED'] ?? Date.now() % 1_000_000);

const BRIEF = new Set([
  ...['an instance is killed', 'an instance is frozen', 'another process holds the file'],
  ...['connections to Postgres are cut', 'Redis is killed'],
]);

const options = { timeout: 300_000 + 15 * secondsEach * 1_000 };

describe.each(places)('histories on $name', (place) => {
  it.each(place.nemeses)('are those of the database while $name', options, async (nemesis) => {
    await runHistory({ place, nemeses: [nemesis], secondsEach, seed });
  });
});

describe.each(places)('histories on $name', ({ nemeses, ...place }) => {
  it('are those of the database while some of it happens once', options, async () => {
    const brief = nemeses.filter(({ name }) => BRIEF.has(name));
    await runHistory({ place, nemeses: brief, secondsEach: 0, seed });
  });
});

describe.each([...places, ...fartherPlaces])('histories on $name', (place) => {
  it('are those of the database while all this happens in turn', options, async () => {
    await runHistory({ place, nemeses: place.nemeses, secondsEach, seed });
  });
});
