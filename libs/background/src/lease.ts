import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isGone, type Owner, thisProcess } from './owner';

/** As stored; `_id` is the purpose of the lease. */
export interface LeaseRecord {
  _id: string;
  owner: Owner & { lease: string };
  /** Counted up while the owner lives. */
  beat: number;
  takenAt: Date;
}

/** The methods of a collection that a lease uses, which mongodb and mongoose share. */
export interface Records {
  findOne(filter: object): Promise<unknown>;
  updateOne(
    filter: object,
    update: object,
    options?: { upsert: boolean },
  ): Promise<{ matchedCount: number; upsertedCount: number }>;
  deleteOne(filter: object): Promise<unknown>;
}

export interface LeaseOptions {
  /** Called once, when another process has taken over; this process must stop the work of the lease. */
  onLost?: (by: Owner | undefined) => void;
  renewEveryMs?: number;
  /** A process may take over a lease after it has seen no renewal for this time, by its own clock. */
  lostAfterMs?: number;
  /** How often a process polls a lease of another one, also after {@link lostAfterMs}. */
  lookEveryMs?: number;
}

/**
 * The right to do something exclusively, on any machine. Clocks are not compared: a waiting process measures by
 * itself how long the lease has not changed.
 */
export class Lease {
  private readonly owner = { ...thisProcess(), lease: randomUUID() };
  private readonly options: Required<LeaseOptions>;
  private renewing: Promise<void> = Promise.resolve();
  private timer?: NodeJS.Timeout;
  private held = false;
  private renewedAt = now();

  constructor(
    private readonly records: Records,
    readonly name: string,
    options: LeaseOptions = {},
  ) {
    this.options = {
      onLost: () => undefined,
      renewEveryMs: 2000,
      lostAfterMs: 7000,
      lookEveryMs: 500,
      ...options,
    };
  }

  get isHeld(): boolean {
    return this.held;
  }

  /**
   * Whether no other process can have it yet; checked before work that must not run twice. A process that was
   * suspended asks the database first.
   */
  async isCertain(): Promise<boolean> {
    const isFresh = () => this.held && passedSince(this.renewedAt) < this.options.lostAfterMs / 2;
    if (this.held && !isFresh()) await this.renew();
    return isFresh();
  }

  /**
   * Waits until this process owns the lease.
   * @param onWaiting called once for each owner that it waits for
   * @throws the reason of `signal`
   */
  async take(onWaiting: (holder: Owner) => void = () => undefined, signal?: AbortSignal): Promise<void> {
    let seen: { key: string; at: number } | undefined;
    let logged = '';
    for (;;) {
      signal?.throwIfAborted();
      const askedAt = now();
      const record = await this.find();
      if (!record) {
        if (await this.insert()) return this.begin(askedAt);
        continue;
      }
      const key = `${record.owner.lease} ${record.beat}`;
      if (seen?.key !== key) seen = { key, at: performance.now() };
      const isLost = performance.now() - seen.at >= this.options.lostAfterMs || isGone(record.owner);
      if (isLost && (await this.replace(record))) return this.begin(askedAt);
      if (!isLost && logged !== record.owner.lease) {
        logged = record.owner.lease;
        onWaiting(record.owner);
      }
      const untilLostMs = this.options.lostAfterMs - (performance.now() - seen.at);
      await delay(Math.max(1, Math.min(this.options.lookEveryMs, untilLostMs)), undefined, { signal });
    }
  }

  /** @returns whether the lease is this process's now, without waiting for another */
  async tryTake(): Promise<boolean> {
    const askedAt = now();
    const record = await this.find();
    const isTaken = record ? isGone(record.owner) && (await this.replace(record)) : await this.insert();
    if (isTaken) this.begin(askedAt);
    return isTaken;
  }

  /** Releases the lease for the next process. */
  async giveUp(): Promise<void> {
    this.end();
    await this.renewing;
    await this.records.deleteOne(this.mine());
  }

  private begin(askedAt: Moment): void {
    this.held = true;
    this.renewedAt = askedAt;
    this.timer = setInterval(() => {
      this.renewing = this.renew();
    }, this.options.renewEveryMs).unref();
  }

  private end(): void {
    this.held = false;
    clearInterval(this.timer);
  }

  /**
   * While the database is unavailable nobody can take over. Only another owner in the record means that the lease is
   * lost.
   */
  private async renew(): Promise<void> {
    const askedAt = now();
    try {
      const { matchedCount } = await this.records.updateOne(this.mine(), { $inc: { beat: 1 } });
      if (!this.held) return;
      const holder = matchedCount > 0 ? undefined : (await this.find())?.owner;
      if (matchedCount > 0 || (!holder && (await this.insert()))) {
        this.renewedAt = askedAt;
        return;
      }
      this.end();
      this.options.onLost(holder);
    } catch {
      // Retried at the next renewal.
    }
  }

  private mine() {
    return { _id: this.name, 'owner.lease': this.owner.lease };
  }

  private async find(): Promise<LeaseRecord | null> {
    return (await this.records.findOne({ _id: this.name })) as LeaseRecord | null;
  }

  private async insert(): Promise<boolean> {
    const $setOnInsert = { owner: this.owner, beat: 0, takenAt: new Date() };
    return (await this.records.updateOne({ _id: this.name }, { $setOnInsert }, { upsert: true })).upsertedCount > 0;
  }

  private async replace({ owner, beat }: LeaseRecord): Promise<boolean> {
    const { matchedCount } = await this.records.updateOne(
      { _id: this.name, 'owner.lease': owner.lease, beat },
      { $set: { owner: this.owner, beat: 0, takenAt: new Date() } },
    );
    return matchedCount > 0;
  }
}

/** By two clocks: one that cannot be set, and one that runs while the machine sleeps. */
interface Moment {
  steady: number;
  wall: number;
}

const now = (): Moment => ({ steady: performance.now(), wall: Date.now() });
const passedSince = ({ steady, wall }: Moment): number => Math.max(performance.now() - steady, Date.now() - wall);
