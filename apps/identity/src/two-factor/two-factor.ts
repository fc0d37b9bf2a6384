import { randomBytes, timingSafeEqual } from 'node:crypto';
import { SecretBox, sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { Users } from '../user/user.repository';
import type { TwoFactor, User } from '../user/user.schema';

const issuer = 'Moothall';
const periodSeconds = 30;
const recoveryCodeCount = 10;

const totpOf = (secret: string, username: string): TOTP =>
  new TOTP({ issuer, label: username, secret: Secret.fromBase32(secret), period: periodSeconds });

/** The number of the time step of a code, if it is a current one. */
function counterOf(secret: string, code: string): number | undefined {
  const delta = totpOf(secret, '').validate({ token: code, window: 1 });
  return delta === null ? undefined : Math.floor(Date.now() / 1000 / periodSeconds) + delta;
}

/** Codes from an authenticator app, and recovery codes. */
@Injectable()
export class TwoFactors {
  constructor(
    private readonly users: Users,
    private readonly box: SecretBox,
  ) {}

  newSecret(): string {
    return new Secret({ size: 20 }).base32;
  }

  /** The URL that authenticator apps read from a link or a QR code. */
  addressOf(secret: string, user: User): string {
    return totpOf(secret, user.username).toString();
  }

  /**
   * Creates a second factor, once a code proves that the app has the secret.
   * @returns it with recovery codes, which are not stored; undefined for a wrong code
   */
  prove(secret: string, code: string): { twoFactor: TwoFactor; recoveryCodes: string[] } | undefined {
    const counter = /^[A-Z2-7]{16,64}$/.test(secret) ? counterOf(secret, code.replaceAll(' ', '')) : undefined;
    if (counter === undefined) return undefined;
    const recoveryCodes = Array.from({ length: recoveryCodeCount }, () => randomBytes(8).toString('hex'));
    const twoFactor: TwoFactor = {
      secret: this.box.seal(secret),
      recoveryCodes: recoveryCodes.map(sha256),
      lastCounter: counter,
      enabledAt: new Date(),
    };
    return { twoFactor, recoveryCodes };
  }

  async enable(user: User, twoFactor: TwoFactor): Promise<void> {
    await this.users.change(user, { twoFactor });
  }

  async disable(user: User): Promise<void> {
    await this.users.change(user, { twoFactor: null });
  }

  /** Whether a code is valid; it is used up then. */
  async take(user: User, text: string): Promise<boolean> {
    const code = text.replaceAll(/[\s-]/g, '').toLowerCase();
    if (!user.twoFactor) return false;
    if (/^\d{6}$/.test(code)) {
      const counter = counterOf(this.box.open(user.twoFactor.secret), code);
      return counter !== undefined && this.users.takeTotpCounter(user._id, counter);
    }
    const hash = sha256(code);
    const isKnown = user.twoFactor.recoveryCodes.some((known) =>
      timingSafeEqual(Buffer.from(known), Buffer.from(hash)),
    );
    return isKnown && this.users.takeRecoveryCode(user._id, hash);
  }
}
