import { describe, expect, it } from 'vitest';
import { TextQuery } from '../../../../src/runtime/storage/postgres/text-query.ts';

/** What is sent, by name, with the texts of bound values. */
function wire() {
  const sent: unknown[] = [];
  const connection = {
    parsedStatements: {} as Record<string, string>,
    submittedNamedStatements: {} as Record<string, string>,
    parse: ({ name }: { readonly name: string }) => void sent.push(`parse ${name}`),
    bind: ({ values }: { readonly values: readonly (string | null)[] }) => void sent.push(['bind', ...values]),
    execute: () => void sent.push('execute'),
    sync: () => void sent.push('sync'),
  };
  return { sent, connection };
}

const query = (name: string, values: readonly unknown[]) => new TextQuery('select $1', name, values, () => {});

describe('a statement with values', () => {
  it('is prepared once under its name, and does not ask which columns its rows have', () => {
    const { sent, connection } = wire();
    query('s1', ['a', 2, null]).prepare(connection);
    query('s1', ['b']).prepare(connection);
    expect(sent).toEqual(['parse s1', ['bind', 'a', '2', null], 'execute', 'sync', ['bind', 'b'], 'execute', 'sync']);
  });

  it('without a name is prepared each time', () => {
    const { sent, connection } = wire();
    for (let i = 0; i < 2; i++) query('', []).prepare(connection);
    expect(sent.filter((one) => one === 'parse ')).toHaveLength(2);
  });

  it('takes no value that would be stored as something else', () => {
    for (const value of [new Date(0), {}, ['a'], true]) expect(() => query('', [value])).toThrow(TypeError);
  });
});
