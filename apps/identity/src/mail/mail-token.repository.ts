import { randomBytes } from 'node:crypto';
import { sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { MailToken } from './mail-token.schema';

const lifetimeMs = { reset_password: 6 * 60 * 60 * 1000, confirm_email: 3 * 24 * 60 * 60 * 1000 };

/** Every query on mailed links. */
@Injectable()
export class MailTokens {
  constructor(@InjectModel('MailToken') private readonly tokens: Model<MailToken>) {}

  /** @returns the token for the link */
  async issue(purpose: MailToken['purpose'], userId: number, email: string): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(Date.now() + lifetimeMs[purpose]);
    await this.tokens.create({ _id: sha256(token), purpose, userId, email, expiresAt });
    return token;
  }

  find(purpose: MailToken['purpose'], token: string): Promise<MailToken | null> {
    return this.tokens.findOne({ _id: sha256(token), purpose, expiresAt: { $gt: new Date() } }).lean<MailToken>();
  }

  async drop(token: string): Promise<void> {
    await this.tokens.deleteOne({ _id: sha256(token) });
  }

  async dropAll(purpose: MailToken['purpose'], userId: number): Promise<void> {
    await this.tokens.deleteMany({ userId, purpose });
  }
}
