import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReadingPace, usualLeastRate } from './reading-pace';

/**
 * Ends an exchange that the other side stalls: it stops sending, or does not read the answer. A slow answer of ours
 * continues.
 * @returns a function that stops the check
 */
export function endWhenIdle(request: IncomingMessage, response: ServerResponse, idleMs: number): () => void {
  const { socket } = request;
  const pace = new ReadingPace(socket, usualLeastRate, idleMs);
  let last = moved(request);
  let since = Date.now();
  const timer = setInterval(
    () => {
      const now = moved(request);
      if (now !== last || !waitsForOther(request, response)) {
        last = now;
        since = Date.now();
      }
      // By the socket: neither stream would end while the other side keeps the connection open.
      if (pace.isTooSlow(isUnread(response)) || Date.now() - since >= idleMs) socket.destroy();
    },
    Math.min(idleMs / 4, 5000),
  ).unref();
  return () => clearInterval(timer);
}

const moved = ({ socket }: IncomingMessage): number => socket.bytesRead + socket.bytesWritten;

const isUnread = (response: ServerResponse): boolean =>
  response.writableLength > 0 || (response.socket?.writableLength ?? 0) > 0;

const waitsForOther = (request: IncomingMessage, response: ServerResponse): boolean =>
  isUnread(response) || (!request.complete && request.readableLength === 0);
