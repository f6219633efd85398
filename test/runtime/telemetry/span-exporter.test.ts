import { expect, it, vi } from 'vitest';
import { SpanExporter } from '../../../src/runtime/telemetry/span-exporter.ts';

it('a collector that cannot be reached is logged once, and once when it is back', () => {
  const outcomes = [{ code: 1, error: new Error('refused') }, { code: 1, error: new Error('refused') }, { code: 0 }];
  const exporter = new SpanExporter({ url: 'http://127.0.0.1:1/v1/traces' });
  vi.spyOn(Object.getPrototypeOf(SpanExporter.prototype), 'export').mockImplementation((...args) =>
    (args[1] as (result: unknown) => void)(outcomes.shift()),
  );
  const lines: string[] = [];
  exporter.logTo({
    warn: (_: unknown, text?: string) => void lines.push(`warn ${text}`),
    info: (text: unknown) => void lines.push(`info ${text}`),
  });
  for (let i = 0; i < 3; i++) exporter.export([], () => undefined);
  expect(lines).toEqual(['warn the collector takes no traces', 'info the collector takes traces again']);
  vi.restoreAllMocks();
});
