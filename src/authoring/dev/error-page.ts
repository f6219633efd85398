import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { standardErrors } from '../../descriptor/standard-errors.ts';
import { ApiError } from '../../runtime/errors/index.ts';
import { createProblemRenderer } from '../../runtime/http/index.ts';

export interface ErrorReport {
  readonly title: string;
  /** Text for people, which may have several lines. */
  readonly text: string;
}

/** The path that the page polls for changes. */
const STATE = '/__dev';

/** Answers in place of the server while it cannot run: with a page for browsers, with a problem for other clients. */
export class ErrorPage {
  readonly #host: string;
  readonly #port: number;
  readonly #render = createProblemRenderer(standardErrors);
  #server: Server | undefined;
  #report: ErrorReport = { title: '', text: '' };
  #state = 0;

  constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
  }

  /** Rejects when the port is not free. */
  async show(report: ErrorReport): Promise<void> {
    this.#report = report;
    this.#state += 1;
    if (this.#server) return;
    const server = createServer((request, response) => this.#answer(request, response));
    server.listen(this.#port, this.#host);
    await once(server, 'listening');
    this.#server = server;
  }

  async hide(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  #answer({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
    response.setHeader('connection', 'close');
    if (url === STATE) response.end(String(this.#state));
    else if (headers.accept?.includes('text/html'))
      response.writeHead(503, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(this.#report, this.#state));
    else {
      const error = new ApiError('SERVICE_UNAVAILABLE', { detail: `${this.#report.title}\n\n${this.#report.text}` });
      const context = { instance: url.split('?', 1)[0]!, requestId: `dev-${this.#state}` };
      const { status, headers: fields, body } = this.#render(error, context);
      response.writeHead(status, fields).end(body);
    }
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The page reloads when the report changes or the server answers again. */
const pageOf = ({ title, text }: ErrorReport, state: number): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
  h1 { font-size: 1.3rem }
  pre { font: 14px/1.5 ui-monospace, monospace; overflow-x: auto; padding: 1rem; border: 1px solid; border-radius: 6px }
</style>
<h1>${escaped(title)}</h1>
<pre>${escaped(text)}</pre>
<p>This page reloads when the files change.</p>
<script>
  setInterval(async () => {
    const now = await fetch('${STATE}').then((response) => (response.ok ? response.text() : 'served'), () => undefined)
    if (now !== undefined && now !== '${state}') location.reload()
  }, 300)
</script>
</html>
`;
