import { LoadConnection } from './connection.ts';
import { makeToken } from './settings.ts';

/** Changes a product over a connection of its own. Throws unless it is answered with 200. */
export async function updateProduct(port: number, id: string, change: object): Promise<void> {
  const body = JSON.stringify(change);
  const connection = await LoadConnection.open(port);
  const { status, body: answer } = await connection.send(
    `PATCH /v1/products/${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${makeToken()}\r\n` +
      `Content-Type: application/merge-patch+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  connection.close();
  if (status !== 200) throw new Error(answer);
}
