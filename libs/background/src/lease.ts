import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isGone, type Owner, thisProcess } from './owner';

/** As it is stored; `_id` says what the lease is for. */
export interface LeaseRecord {
  _id: string;
  owner: Owner & { lease: string };
  /** Counted up while the owner lives. */
  beat: number;
  takenAt: Date;
}

/** What a lease needs of a collection, as mongodb and mongoose have it. */
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
  /** Called once, when another process has taken over from this one, which must stop what the lease is for. */
  onLost?: (by: Owner | undefined) => void;
  renewEveryMs?: number;
  /** A lease that somebody has seen unrenewed for so long, by his own clock, is his to take. */
  lostAfterMs?: number;
  /** How often a lease that another holds is looked at; also when it has been silent for {@link lostAfterMs}. */
  lookEveryMs?: number;
}

/**
 * The right to do what only one process may do, on any machine. No two clocks are compared: a process that waits sees
 * itself that nothing changes.
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
   * Whether nobody else can have it yet: asked before what must not double. A process that slept cannot know by itself,
   * and finds out first.
   */
  async isCertain(): Promise<boolean> {
    const isFresh = () => this.held && passedSince(this.renewedAt) < this.options.lostAfterMs / 2;
    if (this.held && !isFresh()) await this.renew();
    return isFresh();
  }

  /**
   * Waits until the lease is this process's.
   * @param onWaiting called once for each owner that it waits for
   * @throws what `signal` was aborted with
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

  /** Lets the next one take it at once. */
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

  /** While the database is away nobody can take over either: only somebody else's name in it means that it is lost. */
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
      // Tried again at the next beat.
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
