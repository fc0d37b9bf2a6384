import type { Socket } from 'node:net';

/** Slower clients are disconnected. */
export const usualLeastRate = 1024;

/** Measures whether and how fast the other side of a connection reads. */
export class ReadingPace {
  private since = Date.now();
  private before: number;

  /**
   * @param bytesPerSecond the minimum rate
   * @param spanMs the time over which it is measured; a side that reads nothing is too slow after this time
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

/** Bytes in the buffers of the system; bytes that Node still buffers are not included. */
function taken(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
