/** What an iteration gives, to its end. */
export async function all<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of iterable) entries.push(entry);
  return entries;
}

/**
 * A WebSocket whose server says hello, then these payloads to who subscribes to a field, by its name, and that this is all.
 */
export function scriptedSocket(payloads: Readonly<Record<string, readonly object[]>>) {
  return class Scripted extends EventTarget {
    static readonly OPEN = 1;
    static readonly CLOSED = 3;
    static readonly CONNECTING = 0;
    static readonly CLOSING = 2;
    readyState = 1;
    onopen?: () => void;
    onmessage?: (event: { data: string }) => void;
    onclose?: (event: object) => void;

    constructor() {
      super();
      queueMicrotask(() => this.onopen?.());
    }

    send(text: string): void {
      const { type, id, payload } = JSON.parse(text);
      const say = (message: object) => queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(message) }));
      if (type === 'connection_init') say({ type: 'connection_ack' });
      if (type !== 'subscribe') return;
      const [, field] = /\{ (\w+)/.exec(payload.query)!;
      for (const one of payloads[field!]!) say({ type: 'next', id, payload: one });
      say({ type: 'complete', id });
    }

    close(): void {
      this.onclose?.({ code: 1000, reason: 'Normal Closure', wasClean: true });
    }
  };
}
