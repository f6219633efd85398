import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Sink } from './outbox.ts';

/** Close code for a client that does not keep up (RFC 6455, 7.4.1; IANA registry: Try Again Later). */
const TRY_AGAIN_LATER = 1013;

/** A WebSocket over its connection. Messages written together leave together. */
export function webSocketSink(socket: WebSocket, connection: Duplex): Sink {
  return {
    write(messages, written) {
      if (socket.readyState !== socket.OPEN) return written();
      connection.cork();
      for (const message of messages.slice(0, -1)) socket.send(message);
      // That the socket has closed in the meantime is not an error.
      socket.send(messages.at(-1)!, () => written());
      connection.uncork();
    },
    unsentBytes: () => socket.bufferedAmount,
    cutOff() {
      socket.close(TRY_AGAIN_LATER, 'The client does not keep up.');
      socket.terminate();
    },
  };
}

/** A response that is a stream. `onCutOff` is called when its client does not keep up. */
export function responseSink(response: ServerResponse, onCutOff: () => void): Sink {
  return {
    write(messages, written) {
      if (response.destroyed) return written();
      response.write(messages.join(''), () => written());
    },
    unsentBytes: () => response.writableLength,
    cutOff() {
      onCutOff();
      response.destroy();
    },
  };
}
