import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Ends an exchange that stands still by the other side's fault: it has more to send and does not, or leaves the answer
 * unread. What takes us long is nobody's fault and goes on.
 * @returns stops watching
 */
export function endWhenIdle(request: IncomingMessage, response: ServerResponse, idleMs: number): () => void {
  const { socket } = request;
  const moved = () => socket.bytesRead + socket.bytesWritten;
  let last = moved();
  let since = Date.now();
  const timer = setInterval(
    () => {
      const now = moved();
      if (now !== last || !waitsForOther(request, response)) {
        last = now;
        since = Date.now();
      } else if (Date.now() - since >= idleMs) {
        // By the socket: neither stream would end by itself while the other side holds it open.
        socket.destroy();
      }
    },
    Math.min(idleMs / 4, 5000),
  ).unref();
  return () => clearInterval(timer);
}

function waitsForOther(request: IncomingMessage, response: ServerResponse): boolean {
  const isUnread = response.writableLength > 0 || (response.socket?.writableLength ?? 0) > 0;
  const isAwaited = !request.complete && request.readableLength === 0;
  return isUnread || isAwaited;
}
