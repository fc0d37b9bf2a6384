import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ReadingPace } from '@moothall/data-port';

/**
 * Aborts responses that the client reads too slowly: below this rate over the given time. Bytes that the client sends
 * do not count.
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
