import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { withFolder } from '../../support/folder.ts';
import { Instance } from '../../support/instance.ts';

describe('a server whose collector does not answer', () => {
  it('ends all the same', () =>
    withFolder({}, async (folder) => {
      const silent = createServer((socket) => socket.on('error', () => socket.destroy())).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const instance = await Instance.start({
        DATA_DIR: folder,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_TIMEOUT: '3600000',
        SHUTDOWN_TIMEOUT_MS: '3600000',
      });
      await fetch(`${instance.base}/products`);
      // Would it wait for the collector, it would not end within this test.
      expect((await instance.end('SIGTERM'))?.code).toBe(0);
      silent.close();
    }));
});

describe('a server that nobody watches', () => {
  it('neither serves metrics nor loads what would', () =>
    withFolder({}, async (folder) => {
      const instance = await Instance.start({ DATA_DIR: folder });
      expect((await fetch(`${instance.origin}/metrics`)).status).toBe(404);
      await instance.end('SIGTERM');
    }));
});
