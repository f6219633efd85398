import { describe, expect, it } from 'vitest';
import { documentText } from '../support/documents.ts';

const page = documentText('comparison.md');
const tables = page.split('\n').filter((line) => line.startsWith('| '));
const [header, ...rows] = tables.filter((line) => line.split(' | ').length > 5);
const cellsOf = (row: string): readonly string[] => row.slice(2, -2).split(' | ');
const compared = rows.filter((row) => row !== header).map(cellsOf);
const addresses = new Map(
  [...page.matchAll(/^\[([a-z]+\d+)\]: (\S+)$/gm)].map(([, name, address]) => [name!, address!]),
);

describe('docs/comparison.md', () => {
  it('begins with the cases that Lockstep does not suit', () => {
    expect(page.indexOf('does not suit')).toBeLessThan(page.indexOf('suits you'));
    expect(page.match(/^## .*/m)![0]).toBe('## Choose something else');
  });

  it('has a cell for each product in each row', () => {
    expect(compared.length).toBeGreaterThan(25);
    expect(compared.filter((cells) => cells.length !== 10)).toEqual([]);
  });

  it('claims nothing of another product without a page of it', () => {
    const claims = compared.flatMap(([, , ...others]) => others).filter((cell) => cell !== '?');
    expect(claims.length).toBeGreaterThan(100);
    const names = claims.map((cell) => /^\[[^\]]+\]\[([a-z]+\d+)\]$/.exec(cell)?.[1]);
    expect(claims.filter((_, at) => names[at] === undefined)).toEqual([]);
    expect(names.filter((name) => !addresses.has(name!))).toEqual([]);
  });

  it('names the commit of each page', () => {
    expect(
      [...addresses.values()].filter(
        (address) => !/^https:\/\/github\.com\/[^/]+\/[^/]+\/blob\/[0-9a-f]{7}\//.test(address),
      ),
    ).toEqual([]);
  });
});
