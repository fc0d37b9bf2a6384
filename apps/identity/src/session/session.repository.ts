import { KnownSettings } from '@moothall/messaging';
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
  ) {}

  async start(cookie: string, session: Pick<Session, 'userId' | 'isComplete' | 'ip' | 'userAgent'>): Promise<void> {
    const lifetime = session.isComplete ? await this.lifetimeMs() : awaitingFactorMs;
    const now = Date.now();
    const times = { createdAt: new Date(now), expiresAt: new Date(now + lifetime) };
    await this.sessions.create({ _id: sha256(cookie), ...session, ...times });
  }

  /** A session that began with a longer lifetime setting ends by the current one. */
  async find(cookie: string): Promise<Session | null> {
    const begun = { $gt: new Date(Date.now() - (await this.lifetimeMs())) };
    const current = { _id: sha256(cookie), expiresAt: { $gt: new Date() }, createdAt: begun };
    return this.sessions.findOne(current).lean<Session>();
  }

  private async lifetimeMs(): Promise<number> {
    return (await this.instance.read()).session_expire_delay * minuteMs || week;
  }

  async end(cookie: string): Promise<void> {
    await this.sessions.deleteOne({ _id: sha256(cookie) });
  }

  /** All sessions of a user except one. */
  async endOfUser(userId: number, exceptCookie?: string): Promise<void> {
    await this.sessions.deleteMany({ userId, ...(exceptCookie && { _id: { $ne: sha256(exceptCookie) } }) });
  }
}
