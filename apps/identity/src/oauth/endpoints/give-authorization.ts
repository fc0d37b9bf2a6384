import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Visit } from '../../session/browser';
import type { User } from '../../user/user.schema';
import { AuthorizationCodes } from '../authorization-code.repository';
import { accessTokenSeconds, OauthTokens } from '../oauth-token.repository';
import type { AuthorizationRequest } from './authorization-request';

/** Issues codes and tokens for authorizations of users. */
@Injectable()
export class GiveAuthorization {
  constructor(
    private readonly codes: AuthorizationCodes,
    private readonly tokens: OauthTokens,
  ) {}

  /** Anyone can use the id of a public application, so its users are asked each time. */
  async covers(user: User, { application, scopes }: AuthorizationRequest): Promise<boolean> {
    if (application.isTrusted) return true;
    if (!application.isConfidential) return false;
    const given = await this.tokens.authorizationsOf(user._id);
    return given.some(
      (token) => token.applicationId === application._id && scopes.every((scope) => token.scopes.includes(scope)),
    );
  }

  /** @returns a code, or a token, as parameters of the answer */
  async give({ session }: Visit, user: User, request: AuthorizationRequest): Promise<Record<string, string>> {
    const { application, scopes } = request;
    if (request.responseType === 'token') {
      const grant = { applicationId: application._id, userId: user._id, scopes };
      const { accessToken } = await this.tokens.issue(grant, { isRefreshable: false });
      return {
        access_token: accessToken,
        token_type: 'bearer',
        expires_in: String(accessTokenSeconds),
        scope: scopes.join(' '),
      };
    }
    const code = await this.codes.issue({
      applicationId: application._id,
      userId: user._id,
      redirectUri: request.isRedirectUriNamed ? request.redirectUri : null,
      scopes,
      codeChallenge: request.codeChallenge,
      codeChallengeMethod: request.codeChallengeMethod,
      nonce: request.nonce,
      authenticatedAt: session?.createdAt ?? new Date(),
      familyId: randomUUID(),
    });
    return { code };
  }
}
