import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const longestMs = 30_000;
const silenceMs = 5_000;
const hangingUp = new WeakSet<Socket>();

/**
 * Closes a connection so that its client gets the response. Closing it at once, while the client still sends, would
 * reset it and lose the response: incoming bytes are discarded for a while.
 */
export function hangUp(socket: Socket): void {
  if (hangingUp.has(socket)) return;
  hangingUp.add(socket);
  const timer = setTimeout(() => socket.destroy(), longestMs).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.setTimeout(silenceMs, () => socket.destroy());
  socket.end();
  socket.resume();
}

/** The rest of the request is discarded, and its connection accepts no further request. */
export function hangUpAfterAnswer(request: IncomingMessage): void {
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  // Called by Node's server after the last response of a connection.
  socket.destroySoon = () => {
    if (request.complete) return destroySoon();
    request.once('end', () => socket.destroy());
    request.unpipe();
    request.resume();
    hangUp(socket);
  };
}

/** Whether incoming bytes are to be discarded. */
export const isHangingUp = (socket: Socket): boolean => hangingUp.has(socket);
