import type { Socket } from 'node:net';

/** Slower clients do not want the whole answer. */
export const usualLeastRate = 1024;

/** Whether the other side of a connection takes what is written to it, and at which rate. */
export class ReadingPace {
  private since = Date.now();
  private before: number;

  /**
   * @param bytesPerSecond fewer than that is too slow
   * @param spanMs over how long that is measured; a side that takes nothing is too slow after as long
   */
  constructor(
    private readonly socket: Socket,
    private readonly bytesPerSecond: number,
    private readonly spanMs: number,
  ) {
    this.before = taken(socket);
  }

  /** Call it regularly: a moment without unread bytes restarts the time. */
  isTooSlow(isUnread: boolean): boolean {
    const span = Date.now() - this.since;
    if (isUnread && span < this.spanMs) return false;
    const now = taken(this.socket);
    if (isUnread && now - this.before < (this.bytesPerSecond * span) / 1000) return true;
    this.since = Date.now();
    this.before = now;
    return false;
  }
}

/** Bytes that the system has for the other side; what Node still holds of those it was given is not among them. */
function taken(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
