import { describe, expect, it } from 'vitest';
import { filled } from '../../../src/readers/docs/guides/template.ts';

const program = (action: string) => ({
  values: { call: `shop.${action}()` },
  write: (statements: string) => `<${statements.trim()}>`,
});

describe('filled', () => {
  it.each([
    ['names a value', 'A {{word}}.', { word: 'list' }, 'A list.'],
    [
      'calls with values, and with words that are none',
      '{{call a b}}',
      { a: 1, call: (...all: unknown[]) => all.join() },
      '1,b',
    ],
    ['shows what is met', '{{if is}}yes{{else}}no{{end}}.', { is: true }, 'yes.'],
    ['shows what stands for it otherwise', '{{if is}}yes{{else}}no{{end}}.', { is: '' }, 'no.'],
    ['shows nothing else', '{{if is}}{{if other}}a{{else}}b{{end}}{{else}}c{{end}}', { is: false, other: true }, 'c'],
    ['leaves no line of a condition', 'a\n\n{{if is}}\nb\n\n{{end}}\nc', { is: false }, 'a\n\nc'],
    ['leaves no paragraph without a text', 'a\n\n{{b}}\n\nc', { b: undefined }, 'a\n\nc'],
    ['indents what has several lines', 'try {\n  {{body}}\n}', { body: '{\n  a\n}' }, 'try {\n  {\n    a\n  }\n}'],
    ['does not read what is filled in', '{{text}} {{b}}', { text: '{{b}}', b: 'c' }, '{{b}} c'],
    ['writes programs', '{{program get}}\nawait {{call}};\n{{end}}\n', { program }, '<await shop.get();>'],
    [
      'writes no program of nothing',
      'a\n\n{{program get}}\n{{call}}\n{{end}}\n\nb',
      { program: () => undefined },
      'a\n\nb',
    ],
  ])('%s', (_, template, values, text) => {
    expect(filled(template, values)).toBe(text);
  });

  it('throws for a value that is missing, also in a condition', () => {
    expect(() => filled('{{word}}', {})).toThrow('word');
    expect(() => filled('{{if word}}{{end}}', {})).toThrow('word');
  });
});
