import { randomUUID } from 'node:crypto';
import { authorize, type ContextOf, decideAuthorization, type ParsedOf, type Reply } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Applications } from '../application/application.repository';
import { html } from '../page/html';
import { renderPage } from '../page/layout';
import { SignedIn } from '../page/signed-in';
import { Browsers, type Visit } from '../session/browser';
import type { User } from '../user/user.schema';
import { answerApplication } from './answer-application';
import { AuthorizationCodes } from './authorization-code.repository';
import {
  type AnswerAddress,
  type AuthorizationInput,
  type AuthorizationRequest,
  addressOf,
  readRequest,
  redirectUriOf,
} from './authorization-request';
import { consentPage } from './consent-page';
import { accessTokenSeconds, OauthTokens } from './oauth-token.repository';

type Result = Promise<Reply<string>>;

/** Where applications send users to let them in. */
@Controller()
export class Authorize {
  constructor(
    private readonly signedIn: SignedIn,
    private readonly browsers: Browsers,
    private readonly applications: Applications,
    private readonly codes: AuthorizationCodes,
    private readonly tokens: OauthTokens,
  ) {}

  @Handles(authorize)
  async ask(context: ContextOf<typeof authorize>, input: ParsedOf<typeof authorize>): Result {
    const request = await this.read(input);
    if (!('application' in request)) return request;
    const path = `/oauth/authorize?${new URLSearchParams(Object.entries(input))}`;
    if (request.prompt.includes('none')) return this.askSilently(context, request);
    return this.signedIn.show(context, path, async (visit, user) =>
      (await this.hasConsented(user, request)) && !request.prompt.includes('consent')
        ? this.grant(visit, user, request)
        : consentPage(visit, user, request, input),
    );
  }

  @Handles(decideAuthorization)
  async decide(
    context: ContextOf<typeof decideAuthorization>,
    { csrf, decision, ...input }: ParsedOf<typeof decideAuthorization>,
  ): Result {
    const request = await this.read(input);
    if (!('application' in request)) return request;
    const path = `/oauth/authorize?${new URLSearchParams(Object.entries(input))}`;
    return this.signedIn.take(context, path, csrf, async (visit, user) =>
      decision === 'authorize' ? this.grant(visit, user, request) : answerApplication(request, denied),
    );
  }

  /** Nothing is sent to an address that nobody registered; every other problem is the application's to hear. */
  private async read(input: AuthorizationInput): Promise<AuthorizationRequest | Reply<string>> {
    const application = input.client_id ? await this.applications.findByUid(input.client_id) : null;
    if (!application) return refused(401, 'Client authentication failed due to unknown client.');
    const redirectUri = redirectUriOf(application, input.redirect_uri);
    if (!redirectUri) return refused(400, 'The redirect URI included is not valid.');
    const address: AnswerAddress = addressOf(redirectUri, input);
    const request = readRequest(application, address, input);
    return 'error' in request
      ? answerApplication(address, { error: request.error, error_description: request.description })
      : request;
  }

  /** For pages that look whether somebody is signed in, without showing anything. */
  private async askSilently(context: ContextOf<typeof authorize>, request: AuthorizationRequest): Result {
    const visit = await this.browsers.visit(context);
    if (!visit.user) return answerApplication(request, silently('login_required', 'The user is not signed in.'));
    if (await this.hasConsented(visit.user, request)) return this.grant(visit, visit.user, request);
    return answerApplication(request, silently('consent_required', 'The user has not consented yet.'));
  }

  /** Public applications could be anybody that names their id, so their users are asked each time. */
  private async hasConsented(user: User, { application, scopes }: AuthorizationRequest): Promise<boolean> {
    if (application.isTrusted) return true;
    if (!application.isConfidential) return false;
    const given = await this.tokens.authorizationsOf(user._id);
    return given.some(
      (token) => token.applicationId === application._id && scopes.every((scope) => token.scopes.includes(scope)),
    );
  }

  private async grant(visit: Visit, user: User, request: AuthorizationRequest): Result {
    const { application, scopes } = request;
    if (request.responseType === 'token') {
      const grant = { applicationId: application._id, userId: user._id, scopes };
      const { accessToken } = await this.tokens.issue(grant, { isRefreshable: false });
      return answerApplication(request, {
        access_token: accessToken,
        token_type: 'bearer',
        expires_in: String(accessTokenSeconds),
        scope: scopes.join(' '),
      });
    }
    const code = await this.codes.issue({
      applicationId: application._id,
      userId: user._id,
      redirectUri: request.redirectUri,
      scopes,
      codeChallenge: request.codeChallenge,
      codeChallengeMethod: request.codeChallengeMethod,
      nonce: request.nonce,
      authenticatedAt: visit.session?.createdAt ?? new Date(),
      familyId: randomUUID(),
    });
    return answerApplication(request, { code });
  }
}

const denied = {
  error: 'access_denied',
  error_description: 'The resource owner or authorization server denied the request.',
};

const silently = (error: string, error_description: string) => ({ error, error_description });

const refused = (status: number, text: string): Reply<string> =>
  renderPage({ title: 'An error has occurred', status, body: html`<p>${text}</p>` });
