import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ReadingPace } from '@moothall/data-port';

/**
 * Gives up answers that nobody reads, or nearly so: of which the client takes fewer bytes a second over that long. What
 * it sends meanwhile does not count.
 */
export function giveUpIdleAnswers(server: Server, bytesPerSecond: number, idleMs: number): void {
  const connections = new Map<Socket, ReadingPace>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, new ReadingPace(socket, bytesPerSecond, idleMs));
    socket.once('close', () => connections.delete(socket));
  });
  const look = () => {
    for (const [socket, pace] of connections) {
      if (pace.isTooSlow(socket.writableLength > 0)) socket.destroy();
    }
  };
  const timer = setInterval(look, Math.min(idleMs / 4, 5000)).unref();
  server.once('close', () => clearInterval(timer));
}
