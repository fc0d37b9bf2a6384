import {
  authenticateBasic,
  type Caller,
  type ContextOf,
  errorTable,
  issueRegistryToken,
  OperationError,
  type ParsedOf,
  Reply,
  registryAudience,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { readBasic } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { lifetimeSeconds, signToken } from '../signing/sign-token';
import { TokenKey } from '../signing/token-key';
import { credentialAllows, imageActions } from './allowed-actions';
import { GrantAccess } from './grant-access';
import { parseScopes } from './parse-scopes';
import { denied, TokenRefusal, unauthorized, unavailable } from './token-refusal';

type Context = ContextOf<typeof issueRegistryToken>;

/** Issues tokens for clients of the registry. See docs/api/registry.md#8. */
@Controller()
export class IssueToken {
  constructor(
    private readonly client: OperationClient,
    private readonly access: GrantAccess,
    private readonly key: TokenKey,
  ) {}

  @Handles(issueRegistryToken)
  async handle({ client }: Context, input: ParsedOf<typeof issueRegistryToken>): Promise<Reply<string>> {
    try {
      return answer(200, await this.issue(client, input), {});
    } catch (error) {
      if (error instanceof TokenRefusal) return answer(error.status, error.body, error.headers);
      throw error;
    }
  }

  private async issue(client: Context['client'], { service, scope }: ParsedOf<typeof issueRegistryToken>) {
    const { key } = this.key;
    if (!key) throw unavailable('registry not enabled');
    if (service !== registryAudience) throw unavailable('unknown service');
    const caller = client?.authorization ? await this.signIn(client.authorization, client.ip) : undefined;
    if (!imageActions.some((action) => credentialAllows(caller, action))) throw denied();
    const access = await this.access.grant(parseScopes(scope), caller);
    if (!caller && access.length === 0) throw denied();
    const now = new Date();
    const token = signToken(key, caller?.username ?? '', access, now);
    return { token, expires_in: lifetimeSeconds, issued_at: now.toISOString() };
  }

  /** @throws TokenRefusal for unknown callers; other errors of identity unchanged */
  private async signIn(authorization: string, ip: string): Promise<Caller> {
    const credential = readBasic(authorization);
    if (!credential) throw unauthorized();
    try {
      return (await this.client.call(authenticateBasic, { ...credential, ip })).caller;
    } catch (error) {
      const status = error instanceof OperationError ? errorTable.get(error.code)?.status : undefined;
      if (status === 401) throw unauthorized();
      if (status === 403) throw denied();
      throw error;
    }
  }
}

const answer = (status: number, body: object, headers: Record<string, string>): Reply<string> =>
  new Reply(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });
