import type { IncomingMessage } from 'node:http';

interface Watched {
  giveUp: () => void;
  /** Start of the time span, and the bytes of the connection at that time. */
  since: number;
  bytes: number;
}

/** Aborts bodies below this rate in any time span. Time that the server itself takes does not count. */
export class LeastRate {
  private readonly bodies = new Map<IncomingMessage, Watched>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly bytesPerSecond: number,
    private readonly spanMs: number,
  ) {
    this.timer = setInterval(() => this.look(), Math.max(spanMs / 4, 50)).unref();
  }

  /** Until the body has ended. */
  watch(request: IncomingMessage, giveUp: () => void): void {
    this.bodies.set(request, { giveUp, since: Date.now(), bytes: request.socket.bytesRead });
    const forget = () => this.bodies.delete(request);
    request.once('end', forget).once('close', forget);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const now = Date.now();
    for (const [request, watched] of this.bodies) {
      const { bytesRead } = request.socket;
      // Received bytes that are not read yet wait for the server.
      if (request.complete || request.readableLength > 0) Object.assign(watched, { since: now, bytes: bytesRead });
      const span = now - watched.since;
      if (span < this.spanMs) continue;
      if (bytesRead - watched.bytes < (this.bytesPerSecond * span) / 1000) {
        this.bodies.delete(request);
        watched.giveUp();
      } else {
        Object.assign(watched, { since: now, bytes: bytesRead });
      }
    }
  }
}
