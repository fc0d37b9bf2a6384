import { randomBytes } from 'node:crypto';
import { sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { AuthorizationCode } from './authorization-code.schema';

const lifetimeMs = 10 * 60 * 1000;

/** Every query on authorization codes. */
@Injectable()
export class AuthorizationCodes {
  constructor(@InjectModel('AuthorizationCode') private readonly codes: Model<AuthorizationCode>) {}

  /** @returns the code */
  async issue(grant: Omit<AuthorizationCode, '_id' | 'expiresAt' | 'usedAt'>): Promise<string> {
    const code = randomBytes(32).toString('hex');
    await this.codes.create({ _id: sha256(code), ...grant, expiresAt: new Date(Date.now() + lifetimeMs) });
    return code;
  }

  find(code: string): Promise<AuthorizationCode | null> {
    return this.codes.findById(sha256(code)).lean<AuthorizationCode>();
  }

  /** Uses a code. @returns false if it was used, also by a concurrent request */
  async use(code: string): Promise<boolean> {
    const unused = { _id: sha256(code), usedAt: null };
    return (await this.codes.findOneAndUpdate(unused, { $set: { usedAt: new Date() } })) !== null;
  }
}
