import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const longestMs = 30_000;
const silenceMs = 5_000;
const hangingUp = new WeakSet<Socket>();

/**
 * Ends a connection so that its client sees the answer. Closed at once, while the client still sends, the answer would be
 * lost by a reset: what comes is thrown away for a while.
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

/** Nothing more is read of the request than to throw it away, and no other is taken on its connection. */
export function hangUpAfterAnswer(request: IncomingMessage): void {
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  // Called by Node's server when the last answer of a connection is out.
  socket.destroySoon = () => {
    if (request.complete) return destroySoon();
    request.once('end', () => socket.destroy());
    request.unpipe();
    request.resume();
    hangUp(socket);
  };
}

/** Whether what comes is to be thrown away. */
export const isHangingUp = (socket: Socket): boolean => hangingUp.has(socket);
