import { describe, expect, it } from 'vitest';
import { runHere } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';
import { started } from './support/started.ts';

describe('npm run token', () => {
  it('prints a token that the server accepts, and nothing else', () =>
    withFolder({}, async (folder) => {
      const args = ['--sub', '019bc0de-7c00-7000-8000-000000000001', '--scope', 'orders:read'];
      const { code, stdout, stderr } = await runHere('scripts/token.ts', args, { DATA_DIR: folder });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
      const tenant = await runHere('scripts/token.ts', ['--claims', '{"tenant":"acme","org":{"id":7}}'], {
        DATA_DIR: folder,
      });
      const [, payload = ''] = tenant.stdout.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      expect(claims).toMatchObject({ tenant: 'acme', org: { id: 7 }, sub: expect.any(String) });
      const { command, base } = await started(folder);
      const reply = await fetch(`${base}/orders`, { headers: { authorization: `Bearer ${stdout.trim()}` } });
      expect(reply.status).toBe(200);
      await command.stop();
    }));
});
