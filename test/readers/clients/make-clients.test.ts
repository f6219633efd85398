import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runTool } from '../../../src/readers/clients/common/run-tool.ts';
import { pythonTemplates } from '../../../src/readers/clients/python/python-templates.ts';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';

const clients = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runHere('scripts/clients.ts', ['--contracts', 'test/fixtures/cats', ...args], environment);

describe('clients', () => {
  test.each([
    ['python', 'needs Python 3.11 or newer'],
    ['go', 'needs Go 1.24 or newer'],
    ['java', 'needs a JDK'],
  ])('says what to install where the tools of %s are missing', (language, sentence) =>
    withFolder({}, async (out) => {
      const empty = { PATH: join(out, 'none'), XDG_CACHE_HOME: out };
      const { code, stderr } = await clients(['--language', language, '--out', out], empty);
      expect(code).toBe(1);
      expect(stderr).toContain(sentence);
      expect(stderr).not.toContain('    at ');
    }),
  );

  test('leaves a folder alone that it has not written', () =>
    withFolder({ 'go/main.go': 'package main' }, async (out) => {
      const { code, stderr } = await clients(['--language', 'go', '--out', out]);
      expect(code).toBe(1);
      expect(stderr).toContain('choose another --out');
    }));

  test('asks for one language where a package is named', async () => {
    const { code, stderr } = await clients(['--package', 'example.com/cats']);
    expect(code).toBe(1);
    expect(stderr).toContain('--language');
  });

  test('asks for a version that registries take', async () => {
    const { code, stderr } = await clients(['--package-version', '1.4']);
    expect(code).toBe(1);
    expect(stderr).toContain('--package-version 1.4 is no version such as 1.4.0');
  });

  test('asks for documents where a folder has none', () =>
    withFolder({ 'queries/README.md': '' }, async (out) => {
      const { code, stderr } = await clients(['--documents', join(out, 'queries'), '--out', out]);
      expect(code).toBe(1);
      expect(stderr).toContain('no file ends in .graphql');
    }));

  test('refuses a language that it does not know', async () => {
    expect(await clients(['--language', 'jaba'])).toMatchObject({ code: 2, stderr: expect.stringContaining('java') });
  });

  test('tells what a tool has written last when it fails', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-tool-'));
    await writeFile(join(folder, 'tool'), '#!/bin/sh\necho out; echo wrong $1 >&2; exit 3\n');
    await chmod(join(folder, 'tool'), 0o755);
    const environment = { PATH: folder + delimiter + process.env['PATH'] };
    const call = runTool({ command: join(folder, 'tool'), args: ['here'], missing: '', environment });
    await expect(call).rejects.toThrow(/failed:\nout\nwrong here$/);
  });

  test('refuses templates of another version of the generator for Python', () =>
    withFolder({ 'endpoint_macros.py.jinja': 'something else' }, async (folder) => {
      const publication = { license: {}, contact: {}, licenseText: undefined };
      await expect(pythonTemplates(folder, { graphql: undefined, document: {}, publication })).rejects.toThrow(
        'endpoint_macros.py.jinja',
      );
    }));
});
