import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { Orderer, takeOrders } from '@moothall/processes';

type Order = 'hold' | 'release' | 'release as new';
type Kind = 'services' | 'gateways';

interface Child {
  kind: Kind;
  orderer: Orderer<Order>;
}

/** What still works after that is waited for no longer. */
const holdWithinMs = 5_000;

/** The processes of ours that run, so that all of them can be held at once. */
export class Children {
  private readonly running = new Map<ChildProcess, Child>();

  /** @param onReset what a gateway may ask for */
  watch(kind: Kind, child: ChildProcess, onReset: () => Promise<void>): void {
    this.running.set(child, { kind, orderer: new Orderer(child) });
    child.once('exit', () => this.running.delete(child));
    if (kind === 'gateways') takeOrders(child, { reset: onReset });
  }

  /**
   * Does the work while nothing else happens: services first, since what a job of theirs waits for may ask a gateway.
   * @throws Error when something under way does not end within five seconds; the work is not begun then
   */
  async whileHeld(work: () => Promise<void>, after: Exclude<Order, 'hold'>): Promise<void> {
    let released: Order = 'release';
    try {
      await this.giveAll('services', 'hold');
      await this.giveAll('gateways', 'hold');
      await work();
      released = after;
    } finally {
      await this.giveAll('services', released);
      await this.giveAll('gateways', released);
    }
  }

  private async giveAll(wanted: Kind, order: Order): Promise<void> {
    const done = new AbortController();
    const late = wait(holdWithinMs, undefined, { signal: done.signal }).then(
      () => Promise.reject(new Error(`${wanted} did not ${order} within ${holdWithinMs / 1000} s`)),
      () => undefined,
    );
    const those = [...this.running.values()].filter(({ kind }) => kind === wanted);
    try {
      await Promise.race([Promise.all(those.map(({ orderer }) => orderer.give(order))), late]);
    } finally {
      done.abort();
    }
  }
}
