import { authorize, type ContextOf, decideAuthorization, type ParsedOf, type Reply } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { fitsReturn, redirectTo, withReturn } from '@moothall/pages';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { Applications } from '../../application/application.repository';
import { IdTokens, issuerOf } from '../../openid/id-token';
import { SignedIn } from '../../page/signed-in';
import { Browsers, type Visit } from '../../session/browser';
import type { IdentitySettings } from '../../settings/settings';
import type { User } from '../../user/user.schema';
import { redirectUriOf } from '../redirect-uri';
import { answerApplication } from './answer-application';
import { type AuthorizationInput, addressOfRequest, onlyOnce } from './authorization-input';
import { type AuthorizationRequest, addressOf, readRequest } from './authorization-request';
import { consentPage } from './consent-page';
import { isExpected, mustSignInAgain } from './fresh-sign-in';
import { GiveAuthorization } from './give-authorization';
import { refusedRequest } from './refused-request';

type Result = Promise<Reply<string>>;
type Next = (visit: Visit, user: User) => Result;

interface Asked {
  request: AuthorizationRequest;
  input: AuthorizationInput;
  /** The user whom the application expects. */
  hinted: string | undefined;
}

/** The authorization endpoint. */
@Controller()
export class Authorize {
  private readonly issuer: string;

  constructor(
    private readonly signedIn: SignedIn,
    private readonly browsers: Browsers,
    private readonly applications: Applications,
    private readonly given: GiveAuthorization,
    private readonly idTokens: IdTokens,
    @Inject(settingsToken) settings: IdentitySettings,
  ) {
    this.issuer = issuerOf(settings);
  }

  @Handles(authorize)
  async ask(context: ContextOf<typeof authorize>, given: ParsedOf<typeof authorize>): Result {
    const asked = await this.read(given);
    if (!('request' in asked)) return asked;
    const { request, input } = asked;
    if (request.prompt.includes('none')) return this.askSilently(context, asked);
    return this.signedIn.show(
      context,
      onTheWayBack(input),
      this.freshly(asked, async (visit, user) =>
        (await this.given.covers(user, request)) && !request.prompt.includes('consent')
          ? this.give(visit, user, request)
          : consentPage(visit, user, request, input),
      ),
    );
  }

  @Handles(decideAuthorization)
  async decide(
    context: ContextOf<typeof decideAuthorization>,
    { csrf, decision, ...given }: ParsedOf<typeof decideAuthorization>,
  ): Result {
    const asked = await this.read(given);
    if (!('request' in asked)) return asked;
    const { request, input } = asked;
    // A POST from another site has no cookie: redirect to the same request as GET.
    if (decision === undefined && csrf === undefined) return redirectTo(addressOfRequest(input));
    const take = this.freshly(asked, async (visit, user) =>
      decision === 'authorize' ? this.give(visit, user, request) : this.answer(request, denied),
    );
    return this.signedIn.take(context, onTheWayBack(input), csrf, take);
  }

  /** Nothing is sent to an unregistered URI; the application gets every other error. */
  private async read(given: ParsedOf<typeof authorize>): Promise<Asked | Reply<string>> {
    const { input, repeated } = onlyOnce(given);
    if (!fitsReturn(addressOfRequest(input))) return refusedRequest(413, 'The request is too long.');
    const application = input.client_id ? await this.applications.findByUid(input.client_id) : null;
    if (!application) return refusedRequest(401, 'Client authentication failed due to unknown client.');
    const isClear = !repeated.includes('redirect_uri');
    const redirectUri = isClear ? redirectUriOf(application, input.redirect_uri) : undefined;
    if (!redirectUri) return refusedRequest(400, 'The redirect URI included is not valid.', application);
    const address = addressOf(redirectUri, input);
    const request = readRequest(application, address, input, repeated);
    if ('error' in request) {
      return this.answer(address, { error: request.error, error_description: request.description });
    }
    const hinted = input.id_token_hint && (await this.idTokens.subjectOf(input.id_token_hint));
    return input.id_token_hint && !hinted ? this.answer(address, badHint) : { request, input, hinted };
  }

  /** Continues with a sign-in that is recent enough for the application, or requests one. */
  private freshly({ request, input, hinted }: Asked, next: Next): Next {
    return async (visit, user) => {
      const askedAt = input.signed_in_after === undefined ? undefined : Number(input.signed_in_after);
      const signIn = { user, session: visit.session, askedAt, hinted };
      if (mustSignInAgain(signIn, request)) {
        return redirectTo(`${withReturn('/users/sign_in', onTheWayBack(input))}&again=1`, visit.headers);
      }
      return isExpected(signIn) ? next(visit, user) : this.answer(request, loginRequired);
    };
  }

  /** For requests with prompt=none, which must not show a page. */
  private async askSilently(context: ContextOf<typeof authorize>, { request, hinted }: Asked): Result {
    const visit = await this.browsers.visit(context);
    const { user, session } = visit;
    if (!user || mustSignInAgain({ user, session, askedAt: undefined, hinted }, request)) {
      return this.answer(request, loginRequired);
    }
    if (await this.given.covers(user, request)) return this.give(visit, user, request);
    return this.answer(request, { error: 'consent_required', error_description: 'The user has not consented yet.' });
  }

  private async give(visit: Visit, user: User, request: AuthorizationRequest): Result {
    return this.answer(request, await this.given.give(visit, user, request));
  }

  /** Every answer names its issuer, so that it cannot be confused with that of another server. Source: RFC 9207 2. */
  private answer(address: Parameters<typeof answerApplication>[0], answer: Record<string, string>): Reply<string> {
    return answerApplication(address, { ...answer, iss: this.issuer });
  }
}

/** The URL after a sign-in, with the time from which a sign-in counts, if that matters. */
function onTheWayBack(input: AuthorizationInput): string {
  const isFreshAsked = input.prompt ?? input.max_age ?? input.id_token_hint;
  return addressOfRequest({ ...input, ...(isFreshAsked && { signed_in_after: String(Date.now()) }) });
}

const denied = {
  error: 'access_denied',
  error_description: 'The resource owner or authorization server denied the request.',
};
const loginRequired = { error: 'login_required', error_description: 'The user is not signed in.' };
const badHint = { error: 'invalid_request', error_description: 'The parameter id_token_hint is invalid.' };
