import { type Page, sessionsEnded } from '@moothall/contracts';
import { findPage, newEvent } from '@moothall/database';
import { EventPublisher, KnownSettings } from '@moothall/messaging';
import { sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Session } from './session.schema';

const week = 7 * 24 * 60 * 60 * 1000;
const awaitingFactorMs = 10 * 60 * 1000;
const minuteMs = 60_000;

/** Every query on browser sessions. */
@Injectable()
export class Sessions {
  constructor(
    @InjectModel('Session') private readonly sessions: Model<Session>,
    private readonly instance: KnownSettings,
    private readonly publisher: EventPublisher,
  ) {}

  async start(cookie: string, session: Pick<Session, 'userId' | 'isComplete' | 'ip' | 'userAgent'>): Promise<void> {
    const lifetime = session.isComplete ? await this.lifetimeMs() : awaitingFactorMs;
    const now = Date.now();
    const times = { createdAt: new Date(now), expiresAt: new Date(now + lifetime) };
    await this.sessions.create({ _id: sha256(cookie), ...session, ...times });
  }

  /** A session that began with a longer lifetime setting ends by the current one. */
  async find(cookie: string): Promise<Session | null> {
    return this.sessions.findOne({ _id: sha256(cookie), ...(await this.current()) }).lean<Session>();
  }

  /** When a session ends, unless the setting changes. */
  async endOf({ createdAt, expiresAt }: Session): Promise<Date> {
    return new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + (await this.lifetimeMs())));
  }

  private async current() {
    const begun = new Date(Date.now() - (await this.lifetimeMs()));
    return { expiresAt: { $gt: new Date() }, createdAt: { $gt: begun } };
  }

  private async lifetimeMs(): Promise<number> {
    return (await this.instance.read()).session_expire_delay * minuteMs || week;
  }

  /** Sessions in which the user is signed in, the latest first. */
  async ofUser(userId: number, paging: { page: number; per_page: number }): Promise<Page<Session>> {
    return findPage(this.sessions, { userId, isComplete: true, ...(await this.current()) }, { createdAt: -1 }, paging);
  }

  /** @returns false if the user has no such session */
  async endOne(userId: number, id: string): Promise<boolean> {
    const { deletedCount } = await this.sessions.deleteOne({ _id: id, userId });
    if (deletedCount === 1) await this.publishEnd(userId);
    return deletedCount === 1;
  }

  async end(cookie: string): Promise<void> {
    const ended = await this.sessions.findOneAndDelete({ _id: sha256(cookie) }).lean<Session>();
    if (ended) await this.publishEnd(ended.userId);
  }

  /** All sessions of a user except one. */
  async endOfUser(userId: number, exceptCookie?: string): Promise<void> {
    await this.sessions.deleteMany({ userId, ...(exceptCookie && { _id: { $ne: sha256(exceptCookie) } }) });
    await this.publishEnd(userId);
  }

  private async publishEnd(userId: number): Promise<void> {
    await this.publisher.publish(newEvent(sessionsEnded, { user_id: userId }));
  }
}
