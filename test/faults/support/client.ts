import { Agent, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Milliseconds until all of it was there. */
  readonly tookMs: number;
}

export interface Asked {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests over connections that stay open. Rejects when there is no answer. */
export class Client {
  readonly #agent: Agent;

  constructor(connections = 64) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  send(method: string, url: string, { token, body, headers }: Asked = {}): Promise<Answer> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const fields = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(payload !== undefined && { 'content-type': type, 'content-length': String(Buffer.byteLength(payload)) }),
      ...headers,
    };
    const begun = performance.now();
    return new Promise((resolve, reject) => {
      const asked = request(url, { method, agent: this.#agent, headers: fields, timeout: 20_000 }, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        reply.on('error', reject);
        reply.on('end', () => {
          const tookMs = performance.now() - begun;
          if (reply.complete) resolve({ status: reply.statusCode!, headers: reply.headers, text, tookMs });
          else reject(new Error('The answer is not complete.'));
        });
      });
      asked.on('timeout', () => asked.destroy(new Error('No answer in 20 s.')));
      asked.on('error', reject);
      asked.end(payload);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
