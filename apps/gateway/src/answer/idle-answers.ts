import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Gives up answers that nobody reads: of which the client takes nothing for that long. What it sends meanwhile does not
 * count.
 */
export function giveUpIdleAnswers(server: Server, idleMs: number): void {
  const connections = new Map<Socket, { mark: string; since: number }>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { mark: '', since: Date.now() });
    socket.once('close', () => connections.delete(socket));
  });
  const look = () => {
    for (const [socket, seen] of connections) {
      const mark = taken(socket);
      if (socket.writableLength === 0 || mark !== seen.mark) Object.assign(seen, { mark, since: Date.now() });
      else if (Date.now() - seen.since >= idleMs) socket.destroy();
    }
  };
  const timer = setInterval(look, Math.min(idleMs / 4, 5000)).unref();
  server.once('close', () => clearInterval(timer));
}

/** Changes with every byte that the client takes; what Node has handed on, the system may still hold. */
function taken(socket: Socket): string {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize: number } };
  return `${socket.bytesWritten} ${handle?.writeQueueSize}`;
}
