import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { AccessTokens } from '../personal-access-token/token.repository';
import type { AccessToken } from '../personal-access-token/token.schema';
import { Users } from '../user/user.repository';
import type { User } from '../user/user.schema';

const tokenPrecisionMs = 60_000;

/** Records the last activity of tokens and users. Requests do not wait for it, and it writes rarely. */
@Injectable()
export class Usage implements BeforeApplicationShutdown {
  private readonly log = new Logger(Usage.name);
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly users: Users,
    private readonly tokens: AccessTokens,
  ) {}

  tokenUsed(token: AccessToken): void {
    const now = new Date();
    if (token.lastUsedAt && now.getTime() - token.lastUsedAt.getTime() < tokenPrecisionMs) return;
    this.later(this.tokens.markUsed(token._id, now));
  }

  userActive(user: User): void {
    const today = new Date().toISOString().slice(0, 10);
    if (user.lastActivityOn !== today) this.later(this.users.note(user._id, { lastActivityOn: today }));
  }

  private later(write: Promise<void>): void {
    const noted = write
      .catch((error: unknown) => this.log.warn(`the use of a credential was not recorded: ${error}`))
      .finally(() => this.pending.delete(noted));
    this.pending.add(noted);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }
}
