import { type ContextOf, ensureAdministrator, type ParsedOf, type ResultOf, tokenScopes } from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Handles, KnownSettings } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { hashPassword } from '../password/password';
import { AccessTokens } from '../personal-access-token/token.repository';

import { newUser } from '../user/new-user';
import { Users } from '../user/user.repository';

@Controller()
export class EnsureAdministrator {
  constructor(
    private readonly users: Users,
    private readonly tokens: AccessTokens,
    private readonly instance: KnownSettings,
  ) {}

  @Handles(ensureAdministrator)
  async handle(
    _context: ContextOf<typeof ensureAdministrator>,
    input: ParsedOf<typeof ensureAdministrator>,
  ): Promise<ResultOf<typeof ensureAdministrator>> {
    const present = await this.users.findAdministrator();
    if (present) return { username: present.username, created: false };
    const { default_projects_limit } = await this.instance.read().catch(() => this.instance.latest);
    const id = await this.users.nextId();
    // The token comes first: once the user exists, a retry would not create what a crash left out.
    await this.issueToken(id, input.token);
    try {
      await this.users.add(
        newUser({
          _id: id,
          username: input.username,
          name: 'Administrator',
          email: input.email,
          passwordHash: await hashPassword(input.password),
          isAdmin: true,
          projectsLimit: default_projects_limit,
          confirmedAt: new Date(),
        }),
      );
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return { username: input.username, created: false };
    }
    return { username: input.username, created: true };
  }

  private async issueToken(userId: number, value: string): Promise<void> {
    if (await this.tokens.reassign(value, userId)) return;
    const scopes = [...tokenScopes];
    await this.tokens.issue({ kind: 'personal', userId, name: 'First sign-in', scopes, expiresAt: null }, value);
  }
}
