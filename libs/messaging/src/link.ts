import { commonErrors } from '@moothall/contracts';
import { unattended } from '@moothall/logging';
import type { NatsConnection } from 'nats';

/** As long as a server of NATS takes to start, or a connection to find another of its cluster. */
const toleratedMs = 1_000;

/** Whether the connection to NATS stands. */
export class Link {
  isUp = true;
  private isClosed = false;
  private downSince = 0;
  private readonly waiting = new Set<() => void>();

  /** @param hear called when the connection is lost, temporarily or permanently, and when it is back */
  constructor(
    connection: NatsConnection,
    private readonly hear: { lost(): void; back(): void },
  ) {
    unattended('NATS', this.watch(connection));
    const closed = connection.closed().then(() => {
      this.isClosed = true;
      this.goDown();
    });
    unattended('NATS', closed);
  }

  private async watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') this.goDown();
      if (type === 'reconnect') this.comeUp();
    }
  }

  private goDown(): void {
    if (this.isUp) this.downSince = Date.now();
    this.isUp = false;
    this.hear.lost();
  }

  private comeUp(): void {
    this.isUp = true;
    this.hear.back();
    for (const tell of this.waiting) tell();
  }

  /** Resolves once the connection stands. @throws common.unavailable when it has been away for a second */
  async up(): Promise<void> {
    if (this.isUp) return;
    const patienceMs = this.downSince + toleratedMs - Date.now();
    if (this.isClosed || patienceMs <= 0) throw commonErrors.unavailable();
    await new Promise<void>((resolve, reject) => {
      const settle = (end: () => void) => () => {
        clearTimeout(timer);
        this.waiting.delete(tell);
        end();
      };
      const timer = setTimeout(
        settle(() => reject(commonErrors.unavailable())),
        patienceMs,
      );
      const tell = settle(resolve);
      this.waiting.add(tell);
    });
  }
}
