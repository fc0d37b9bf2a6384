import type { Scope } from '@moothall/contracts';
import type { KnownSettings } from '@moothall/messaging';
import OAuth2Server from '@node-oauth/oauth2-server';
import type { Applications } from '../../application/application.repository';
import type { Application } from '../../application/application.schema';
import { type CheckPassword, isPasswordDue } from '../../sign-in/check-password';
import { refusalOf } from '../../user/caller';
import type { Users } from '../../user/user.repository';
import type { AuthorizationCodes } from '../authorization-code.repository';
import type { AuthorizationCode } from '../authorization-code.schema';
import type { IssuedOauthToken, OauthTokens } from '../oauth-token.repository';
import { readScopes } from '../read-scopes';

type Client = OAuth2Server.Client & { application: Application | null };

/** The user of a grant, and the data that its tokens share. */
interface GrantUser {
  userId: number | null;
  familyId?: string;
  code?: AuthorizationCode;
}

/** Parts of a request that the library does not pass on. */
interface TokenRequest {
  ip: string;
  clientId: string | undefined;
  redirectUri: string | undefined;
  scope: string | undefined;
}

export interface TokenModelParts {
  applications: Applications;
  codes: AuthorizationCodes;
  tokens: OauthTokens;
  passwords: CheckPassword;
  instance: KnownSettings;
  users: Users;
}

/** Placeholder for the application if a password is exchanged without one. See docs/api/oauth.md#4. */
export const noApplication = 'no-application';

const grantsOfAll = ['authorization_code', 'refresh_token', 'password'];

/** The storage model of the OAuth library, for one token request. */
export class TokenModel
  // Codes are issued by the consent page, not by the library.
  implements
    Omit<OAuth2Server.AuthorizationCodeModel, 'saveAuthorizationCode'>,
    OAuth2Server.RefreshTokenModel,
    OAuth2Server.PasswordModel,
    OAuth2Server.ClientCredentialsModel
{
  /** The issued token, if any. */
  issued?: IssuedOauthToken;
  code?: AuthorizationCode | undefined;
  /**
   * Uses up the exchanged code or token, after its successor is written, which nobody knows until then: so a client
   * that gets a server error can retry, and does not look like a thief.
   * @returns false if it was used, also by a concurrent request
   */
  spend: () => Promise<boolean> = async () => true;

  constructor(
    private readonly parts: TokenModelParts,
    private readonly request: TokenRequest,
  ) {}

  async getClient(clientId: string, clientSecret: string | null): Promise<Client | undefined> {
    if (clientId === noApplication)
      return { id: noApplication, grants: ['password', 'refresh_token'], application: null };
    const application = await this.parts.applications.authenticate(clientId, clientSecret ?? undefined);
    return application ? clientOf(application) : undefined;
  }

  async getAuthorizationCode(code: string): Promise<OAuth2Server.AuthorizationCode | undefined> {
    const found = await this.parts.codes.find(code);
    const application = found && (await this.parts.applications.find(found.applicationId));
    if (!found || !application || !this.namesRedirectUri(found, application)) return undefined;
    // Only the client that requested the code can prove it. Source: RFC 9700 2.1.1.
    if (!application.isConfidential && found.codeChallenge === null) return undefined;
    if (found.usedAt) {
      // Two clients have the same code: the tokens of the first one are not safe either.
      await this.parts.tokens.revokeFamily(found.familyId);
      return undefined;
    }
    if (!(await this.mayAct(found.userId))) return undefined;
    const user: GrantUser = { userId: found.userId, familyId: found.familyId, code: found };
    return {
      authorizationCode: code,
      expiresAt: found.expiresAt,
      redirectUri: found.redirectUri ?? '',
      scope: found.scopes,
      client: clientOf(application),
      user,
      ...(found.codeChallenge && {
        codeChallenge: found.codeChallenge,
        codeChallengeMethod: found.codeChallengeMethod ?? 'plain',
      }),
    };
  }

  /** The same as in the authorization request, or none if that named none. Source: RFC 6749 4.1.3. */
  private namesRedirectUri(code: AuthorizationCode, application: Application): boolean {
    const { redirectUri } = this.request;
    if (code.redirectUri !== null) return redirectUri === code.redirectUri;
    return redirectUri === undefined || application.redirectUris.includes(redirectUri);
  }

  async revokeAuthorizationCode({ authorizationCode }: OAuth2Server.AuthorizationCode): Promise<boolean> {
    this.spend = () => this.parts.codes.use(authorizationCode);
    return true;
  }

  async getRefreshToken(refreshToken: string): Promise<OAuth2Server.RefreshToken | undefined> {
    const token = await this.parts.tokens.findByRefreshToken(refreshToken);
    if (!token) return undefined;
    if (token.refreshUsedAt) {
      await this.parts.tokens.revokeFamily(token.familyId);
      return undefined;
    }
    const application = token.applicationId === null ? null : await this.parts.applications.find(token.applicationId);
    const client = application ? clientOf(application) : { id: noApplication, grants: grantsOfAll };
    // Other clients learn nothing about it, not even its limits.
    if (client.id !== this.request.clientId || !(await this.mayAct(token.userId))) return undefined;
    // Checked before the token is used up: a request for too many scopes changes nothing.
    if (!this.isWithin(token.scopes)) throw new OAuth2Server.InvalidScopeError('the refresh token does not reach that');
    return { refreshToken, scope: token.scopes, client, user: { userId: token.userId, familyId: token.familyId } };
  }

  private isWithin(scopes: Scope[]): boolean {
    const asked = this.request.scope?.split(/\s+/).filter(Boolean) ?? [];
    return asked.every((scope) => scopes.some((known) => known === scope));
  }

  async revokeToken({ refreshToken }: OAuth2Server.RefreshToken): Promise<boolean> {
    const token = await this.parts.tokens.findByRefreshToken(refreshToken);
    if (token) this.spend = () => this.parts.tokens.useRefreshToken(token);
    return token !== null;
  }

  /** Not for users with a second factor, with a due password change, or who may not act. */
  async getUser(username: string, password: string): Promise<GrantUser | undefined> {
    if (!(await this.parts.instance.read()).password_authentication_enabled_for_web) return undefined;
    const user = await this.parts.passwords.holder(username, password, this.request.ip);
    if (!user || user.twoFactor || isPasswordDue(user) || refusalOf(user)) return undefined;
    return { userId: user._id };
  }

  private async mayAct(userId: number | null): Promise<boolean> {
    const user = userId === null ? null : await this.parts.users.find(userId);
    return user !== null && refusalOf(user) === undefined;
  }

  async getUserFromClient(): Promise<GrantUser> {
    return { userId: null };
  }

  async validateScope(_user: GrantUser, client: Client, scope?: string[]): Promise<string[] | false> {
    return readScopes(scope, client.application) ?? false;
  }

  async saveToken(token: OAuth2Server.Token, client: Client, user: GrantUser): Promise<OAuth2Server.Token> {
    const issued = await this.parts.tokens.issue(
      {
        applicationId: client.application?._id ?? null,
        userId: user.userId,
        scopes: (token.scope ?? []) as Scope[],
        ...(user.familyId && { familyId: user.familyId }),
      },
      { isRefreshable: user.userId !== null },
    );
    if (!(await this.spend())) {
      await this.parts.tokens.revoke(issued.token);
      throw new OAuth2Server.InvalidGrantError('it was used meanwhile');
    }
    this.issued = issued;
    this.code = user.code;
    return { ...token, accessToken: issued.accessToken, accessTokenExpiresAt: issued.token.expiresAt, client, user };
  }

  async getAccessToken(): Promise<undefined> {
    return undefined;
  }
}

/** A client without a secret cannot act for itself. Source: RFC 6749 4.4. */
const clientOf = (application: Application): Client => ({
  id: application.uid,
  grants: application.isConfidential ? [...grantsOfAll, 'client_credentials'] : grantsOfAll,
  application,
});
