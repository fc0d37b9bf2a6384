import { commonErrors } from '@moothall/contracts';
import { unattended } from '@moothall/logging';
import type { NatsConnection } from 'nats';

/** The time in which a NATS server starts, or a connection finds another server of the cluster. */
const toleratedMs = 1_000;

/** The state of the connection to NATS. */
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

  /** Resolves when the connection is open. @throws common.unavailable after a second without one */
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
