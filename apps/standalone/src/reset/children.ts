import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { Orderer, takeOrders } from '@moothall/processes';

type Order = 'hold' | 'release' | 'release as new';
/** Work of one process of services for all: it knows NATS and Redis, and the events of services. */
type OrderForOne = 'ensure administrator' | 'settle' | 'forget';
type Kind = 'services' | 'gateways';

interface Child {
  kind: Kind;
  orderer: Orderer<Order | OrderForOne>;
}

/** Limit for running work. */
const holdWithinMs = 5_000;

/** The running processes of this server, which can be paused together. */
export class Children {
  private readonly running = new Map<ChildProcess, Child>();

  /** @param onReset called when a gateway requests a reset */
  watch(kind: Kind, child: ChildProcess, onReset: () => Promise<void>): void {
    this.running.set(child, { kind, orderer: new Orderer(child) });
    child.once('exit', () => this.running.delete(child));
    if (kind === 'gateways') takeOrders(child, { reset: onReset });
  }

  /**
   * Runs work while all processes are paused: services first, because their jobs may need a gateway.
   * @throws Error if running work does not end within five seconds; then the work is not started
   */
  async whileHeld<T>(work: () => Promise<T>, after: 'release' | 'release as new'): Promise<T> {
    let released: Order = 'release';
    try {
      await this.giveAll('services', 'hold');
      await this.giveAll('gateways', 'hold');
      const done = await work();
      released = after;
      return done;
    } finally {
      await this.giveAll('services', released);
      await this.giveAll('gateways', released);
    }
  }

  /** @throws Error with the reason if it failed */
  async giveOne(order: OrderForOne, detail?: unknown): Promise<void> {
    const services = [...this.running.values()].find(({ kind }) => kind === 'services');
    if (!services) throw new Error('no process of services runs');
    await services.orderer.give(order, detail);
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
