import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync('CONTRIBUTING.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** What stands in a line, and in the lines of code. */
const code = [...text.matchAll(/`([^`\n]+)`|^ {4}(.+)$/gm)].map(([, inline, line]) => inline ?? line!);
const foundIn = (pattern: RegExp): readonly string[] => [
  ...new Set(code.flatMap((one) => [...one.matchAll(pattern)].map(([, name]) => name!))),
];

describe('CONTRIBUTING.md', () => {
  it('names files and folders that there are', () => {
    const paths = foundIn(/^((?:src|test|docs|scripts|contracts|generated|deploy|\.ci|\.github)\/[^ `]*)$/g);
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => !existsSync(path) && globSync(path).length === 0)).toEqual([]);
  });

  it('runs scripts that there are', () => {
    const names = foundIn(/\bnpm run ([\w:]+)/g);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('runs tests that there are, by configurations that there are', () => {
    const paths = foundIn(/\bnpx vitest .*?(test\/\S+)$/g);
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter((path) => globSync([path, `${path}*.ts`, `${path}/*.ts`]).length === 0)).toEqual([]);
    const configurations = foundIn(/--config (\S+)/g);
    expect(configurations.filter((path) => !existsSync(path))).toEqual([]);
  });
});
