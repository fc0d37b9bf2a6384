import { expiresAfter } from '@moothall/background';
import {
  applicationSettingsChanged,
  type EventRecord,
  type OutputOf,
  type UserSummary,
  userChanged,
  userDeleted,
  userErrors,
  userSummaries,
} from '@moothall/contracts';
import { listen, natsConnection, OperationClient } from '@moothall/messaging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { NatsConnection } from 'nats';

/** A user as identity returns it: the summary of views, and fields for services only. */
export type UserRecord = OutputOf<typeof userSummaries>[number];

const heard = [userChanged.name, userDeleted.name, applicationSettingsChanged.name];
const keptUsers = 20_000;
/** Bounds how long a lost event can be felt. */
const keptForMs = 60_000;
const idsPerCall = 1000;

/** Summaries of users by id, for views; never one request per row. */
@Injectable()
export class UserDirectory implements OnApplicationShutdown {
  private readonly kept = new LRUCache<number, UserRecord>({ max: keptUsers, ...expiresAfter(keptForMs) });
  private readonly stopListening: () => void;
  /** Incremented with each change, so that an older answer is not cached. */
  private changes = 0;

  constructor(
    private readonly client: OperationClient,
    @Inject(natsConnection) connection: NatsConnection,
  ) {
    this.stopListening = listen(
      connection,
      heard,
      (event) => this.hear(event),
      () => this.forgetAll(),
    );
  }

  /** Records by id; missing users are omitted. */
  async records(ids: Iterable<number>): Promise<Map<number, UserRecord>> {
    const found = new Map<number, UserRecord>();
    const missing: number[] = [];
    for (const id of new Set(ids)) {
      const record = this.kept.get(id);
      if (record) found.set(id, record);
      else if (isId(id)) missing.push(id);
    }
    for (let at = 0; at < missing.length; at += idsPerCall) {
      for (const record of await this.ask(missing.slice(at, at + idsPerCall))) found.set(record.id, record);
    }
    return found;
  }

  /** Summaries by id, as views embed them; missing users are omitted. */
  async summaries(ids: Iterable<number>): Promise<Map<number, UserSummary>> {
    const records = await this.records(ids);
    return new Map([...records].map(([id, record]) => [id, summaryOf(record)]));
  }

  /** @throws user.not_found */
  async get(id: number): Promise<UserRecord> {
    const record = (await this.records([id])).get(id);
    if (!record) throw userErrors.notFound();
    return record;
  }

  /** @throws user.not_found */
  async summary(id: number): Promise<UserSummary> {
    return summaryOf(await this.get(id));
  }

  private async ask(ids: number[]): Promise<UserRecord[]> {
    const before = this.changes;
    const records = await this.client.call(userSummaries, { ids });
    if (this.changes === before) for (const record of records) this.kept.set(record.id, record);
    return records;
  }

  private hear(event: EventRecord): void {
    this.changes += 1;
    // Whether users without an avatar get one is a setting.
    if (event.name === applicationSettingsChanged.name) this.forgetAll();
    else this.kept.delete((event.data as { user_id: number }).user_id);
  }

  private forgetAll(): void {
    this.changes += 1;
    this.kept.clear();
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }
}

/** Callers name users by numbers that none can have. */
const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0;

const summaryOf = ({ id, username, name, state, avatar_url, web_url }: UserRecord): UserSummary => ({
  id,
  username,
  name,
  state,
  avatar_url,
  web_url,
});
