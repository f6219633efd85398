import { Socket } from 'node:net';

/** How long a client may go on writing after it has been answered, without a pause of so long. */
const LINGER_MS = 10_000;
const SILENCE_MS = 2_000;

/** As many connections linger at the same time; the first of them is closed for one more. Each holds what it has received last. */
const MAX_LINGERING = 256;

/** What is dropped is read of so many connections at once, with a pause between: to read all of it would take the server's time. */
const AT_ONCE = 8;
const PAUSE_MS = 5;

const lingering = new Set<Socket>();

/**
 * Closes a connection once what was written to it has been sent. A client that is still writing gets time to read its
 * answer: what it writes is dropped, because closing at once would reset the connection, and the answer could be lost
 * (RFC 9112, 9.6).
 */
export function closeLingering(socket: Socket): void {
  const destroy = (): unknown => socket.destroy();
  const silence = setTimeout(destroy, SILENCE_MS);
  const timers = [silence, setTimeout(destroy, LINGER_MS)];
  // Where nobody has taken a part of a body, Node has stopped reading, and begins again in this way alone.
  socket.resume();
  process.nextTick(() => dropEach(socket, () => silence.refresh()));
  socket.on('end', destroy);
  socket.once('close', () => {
    timers.forEach(clearTimeout);
    lingering.delete(socket);
  });
  socket.end();
  lingering.add(socket);
  if (lingering.size > MAX_LINGERING) lingering.values().next().value!.destroy();
}

/** Ends parsing: what comes is dropped, and nothing of it is read before somebody resumes the connection. */
export function dropInput(socket: Socket): void {
  socket.pause();
  dropEach(socket, () => undefined);
}

function dropEach(socket: Socket, onPart: () => void): void {
  socket.removeAllListeners('data').on('data', () => {
    onPart();
    dropLater(socket);
  });
}

const paused: Socket[] = [];

function dropLater(socket: Socket): void {
  socket.pause();
  if (paused.push(socket) === 1) setTimeout(dropNext, PAUSE_MS);
}

function dropNext(): void {
  for (const socket of paused.splice(0, AT_ONCE)) socket.resume();
  if (paused.length > 0) setTimeout(dropNext, PAUSE_MS);
}

/** Lets a connection linger if it closes after an answer and before the whole request has come. */
export function lingerUnlessWhole(socket: Socket, isWhole: () => boolean): void {
  // Node calls this method when the last response of a connection has been written.
  socket.destroySoon = () => {
    if (isWhole()) Socket.prototype.destroySoon.call(socket);
    else closeLingering(socket);
  };
}
