import { sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Session } from './session.schema';

const lifetimeMs = { complete: 7 * 24 * 60 * 60 * 1000, awaitingFactor: 10 * 60 * 1000 };

/** Every query on browser sessions. */
@Injectable()
export class Sessions {
  constructor(@InjectModel('Session') private readonly sessions: Model<Session>) {}

  async start(cookie: string, session: Pick<Session, 'userId' | 'isComplete' | 'ip' | 'userAgent'>): Promise<void> {
    const lifetime = session.isComplete ? lifetimeMs.complete : lifetimeMs.awaitingFactor;
    const now = Date.now();
    const times = { createdAt: new Date(now), expiresAt: new Date(now + lifetime) };
    await this.sessions.create({ _id: sha256(cookie), ...session, ...times });
  }

  find(cookie: string): Promise<Session | null> {
    return this.sessions.findOne({ _id: sha256(cookie), expiresAt: { $gt: new Date() } }).lean<Session>();
  }

  async end(cookie: string): Promise<void> {
    await this.sessions.deleteOne({ _id: sha256(cookie) });
  }

  /** All of a user's, but for one. */
  async endOfUser(userId: number, exceptCookie?: string): Promise<void> {
    await this.sessions.deleteMany({ userId, ...(exceptCookie && { _id: { $ne: sha256(exceptCookie) } }) });
  }
}
