import {
  type ContextOf,
  createOwnToken,
  createUserToken,
  forbidden,
  invalidRecord,
  issueKnownToken,
  type ParsedOf,
  type ResultOf,
  tokenErrors,
} from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { sha256 } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { isBeforeToday } from '../expiry/is-before-today';
import { Users } from '../user/user.repository';
import { AccessTokens, type IssuedToken } from './token.repository';
import { expiryOf, viewToken } from './token.view';

/** The value of a token is shown once, by the answer that creates it. */
export const viewIssued = ({ token, value }: IssuedToken) => ({ ...viewToken(token), token: value });

/** @throws common.invalid_record for a day in the past; today is accepted, and the token is expired */
export function futureExpiryOf(day: string | null | undefined): Date | null {
  const expiresAt = expiryOf(day);
  if (expiresAt && isBeforeToday(expiresAt)) throw invalidRecord({ expires_at: ['must be in the future'] });
  return expiresAt;
}

@Controller()
export class CreateToken {
  constructor(
    private readonly users: Users,
    private readonly tokens: AccessTokens,
  ) {}

  @Handles(createUserToken)
  async forUser(
    _context: ContextOf<typeof createUserToken>,
    { user_id, name, description, scopes, expires_at }: ParsedOf<typeof createUserToken>,
  ): Promise<ResultOf<typeof createUserToken>> {
    const user = await this.users.get(user_id);
    if ((user.kind !== 'human' && user.kind !== 'service_account') || user.state !== 'active')
      throw tokenErrors.refused();
    refuseSudo(scopes, user);
    const expiresAt = futureExpiryOf(expires_at);
    const issued = await this.tokens.issue({
      kind: 'personal',
      userId: user._id,
      name,
      description,
      scopes,
      expiresAt,
    });
    return viewIssued(issued);
  }

  @Handles(issueKnownToken)
  async known(
    _context: ContextOf<typeof issueKnownToken>,
    { user_id, name, scopes, expires_at, token }: ParsedOf<typeof issueKnownToken>,
  ): Promise<void> {
    const user = await this.users.get(user_id);
    const expiresAt = futureExpiryOf(expires_at);
    try {
      await this.tokens.issue({ kind: 'personal', userId: user._id, name, scopes, expiresAt }, token);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const present = await this.tokens.findByHash(sha256(token));
      if (present?.userId !== user._id) throw invalidRecord({ token: ['has already been taken'] });
    }
  }

  @Handles(createOwnToken)
  async forOneself(
    { caller }: ContextOf<typeof createOwnToken>,
    { name, description, scopes, expires_at }: ParsedOf<typeof createOwnToken>,
  ): Promise<ResultOf<typeof createOwnToken>> {
    // A token may not create a token with more scopes than its own. A browser session has none: it may do everything.
    const isLimited = caller.credential !== 'session';
    const beyond = scopes.filter(
      (scope) => isLimited && scope !== 'read_api' && scope !== 'read_user' && !isWithin(scope, caller.scopes),
    );
    if (beyond.length > 0) throw forbidden(`The token used does not carry ${beyond.join(', ')}`);
    refuseSudo(scopes, caller);
    const expiresAt = futureExpiryOf(expires_at);
    return viewIssued(
      await this.tokens.issue({ kind: 'personal', userId: caller.id, name, description, scopes, expiresAt }),
    );
  }
}

/** @throws common.invalid_record for the scope of administrators */
function refuseSudo(scopes: string[], { isAdmin }: { isAdmin: boolean }): void {
  if (scopes.includes('sudo') && !isAdmin) throw invalidRecord({ scopes: ['can only contain available scopes'] });
}

/** `api` includes everything except acting as another user. */
const isWithin = (scope: string, carried: string[]): boolean =>
  carried.includes(scope) || (carried.includes('api') && scope !== 'sudo');
