import {
  type ContextOf,
  commonErrors,
  isError,
  issueToken,
  type ParsedOf,
  present,
  type ResultOf,
} from '@moothall/contracts';
import { Handles, KnownSettings } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import OAuth2Server from '@node-oauth/oauth2-server';
import { Applications } from '../../application/application.repository';
import { IdTokens } from '../../openid/id-token';
import { CheckPassword } from '../../sign-in/check-password';
import { Users } from '../../user/user.repository';
import { AuthorizationCodes } from '../authorization-code.repository';
import { accessTokenSeconds, OauthTokens } from '../oauth-token.repository';
import { type ClientClaim, claimOf } from './client-claim';
import { oauthError, oauthReply } from './oauth-reply';
import { noApplication, TokenModel, type TokenModelParts } from './token-model';

type Context = ContextOf<typeof issueToken>;
type Input = ParsedOf<typeof issueToken>;

/** The token endpoint. The library implements the protocol, {@link TokenModel} the records. */
@Controller()
export class IssueToken {
  constructor(
    private readonly applications: Applications,
    private readonly codes: AuthorizationCodes,
    private readonly tokens: OauthTokens,
    private readonly passwords: CheckPassword,
    private readonly users: Users,
    private readonly idTokens: IdTokens,
    private readonly instance: KnownSettings,
  ) {}

  @Handles(issueToken)
  async handle({ client }: Context, input: Input): Promise<ResultOf<typeof issueToken>> {
    if (!input.grant_type) {
      return oauthError('invalid_request', { text: 'Missing required parameter: grant_type.' });
    }
    const claim = claimOf(input, client?.authorization);
    if (!claim) return oauthError('invalid_request', { text: 'The client authenticates in two ways at once.' });
    const clientId = clientIdOf(input, claim);
    const model = new TokenModel(this.parts(), {
      ip: client?.ip ?? 'unknown',
      clientId,
      redirectUri: input.redirect_uri || undefined,
      scope: input.scope,
    });
    try {
      await serverOf(model).token(requestOf(input, clientId, claim.secret), new OAuth2Server.Response());
    } catch (error) {
      const refused = refusal(error);
      // A refused code is used up, so that nobody can guess its proof.
      await model.spend();
      return refused;
    }
    return oauthReply(await this.bodyOf(model));
  }

  private parts(): TokenModelParts {
    const { applications, codes, tokens, passwords, users, instance } = this;
    return { applications, codes, tokens, passwords, users, instance };
  }

  private async bodyOf({ issued, code }: TokenModel): Promise<object> {
    const { token, accessToken, refreshToken } = present(issued, 'an issued token');
    const idToken = token.scopes.includes('openid') && (await this.idTokens.make(token, { accessToken, code }));
    return {
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: accessTokenSeconds,
      ...(refreshToken && { refresh_token: refreshToken }),
      scope: token.scopes.join(' '),
      created_at: Math.floor(token.createdAt.getTime() / 1000),
      ...(idToken && { id_token: idToken }),
    };
  }
}

function serverOf(model: TokenModel): OAuth2Server {
  return new OAuth2Server({
    model: model as TokenModel & OAuth2Server.AuthorizationCodeModel,
    accessTokenLifetime: accessTokenSeconds,
    // The model checks the secret of confidential applications; those in browsers and on phones have none.
    requireClientAuthentication: { authorization_code: false, refresh_token: false, password: false },
    enablePlainPKCE: true,
  } as OAuth2Server.ServerOptions & OAuth2Server.TokenOptions);
}

/** A password may be exchanged, and its tokens refreshed, without an application. */
function clientIdOf({ grant_type }: Input, { uid }: ClientClaim): string | undefined {
  return uid ?? (grant_type === 'password' || grant_type === 'refresh_token' ? noApplication : undefined);
}

/** Parameters may come as a form or as JSON; the library expects the form. */
function requestOf(input: Input, clientId: string | undefined, secret: string | undefined): OAuth2Server.Request {
  const body = { ...input, client_id: clientId, client_secret: secret };
  return new OAuth2Server.Request({
    method: 'POST',
    query: {},
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' },
    // Parameters without a value count as absent. Source: RFC 6749 3.2.
    body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== '')),
  });
}

/** Other errors than refusals of the library are internal errors. */
function refusal(error: unknown) {
  const inner = (error as { inner?: unknown }).inner ?? error;
  if (isError(inner, commonErrors.tooManyRequests)) return oauthError('temporarily_unavailable');
  if (!(error instanceof OAuth2Server.OAuthError)) throw error;
  if (error instanceof OAuth2Server.ServerError) throw inner;
  return oauthError(error.name);
}
