import {
  type ContextOf,
  type ParsedOf,
  type Reply,
  registerApplication,
  removeApplication,
  revokeAuthorization,
  type Scope,
  scopes,
  showApplications,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { OauthTokens } from '../../oauth/oauth-token.repository';
import { scopeChoice, scopeList } from '../../oauth/scope-list';
import { type Html, html, named, withoutTurns } from '../../page/html';
import { notice, redirectTo, renderPage } from '../../page/layout';
import { csrfField, navigationFor, withConfirmation } from '../../page/page-views';
import { SignedIn } from '../../page/signed-in';
import type { Visit } from '../../session/browser';
import type { User } from '../../user/user.schema';
import { Applications } from '../application.repository';
import type { Application } from '../application.schema';
import { readRegistration, registrationProblems } from '../application-rules';
import { RemoveApplication } from './remove-application';

type Result = Promise<Reply<string>>;

const path = '/-/profile/applications';

/** Pages of a user's authorizations and applications. */
@Controller()
export class ApplicationPages {
  constructor(
    private readonly signedIn: SignedIn,
    private readonly applications: Applications,
    private readonly tokens: OauthTokens,
    private readonly removal: RemoveApplication,
  ) {}

  @Handles(showApplications)
  show(context: ContextOf<typeof showApplications>): Result {
    return this.signedIn.show(context, path, (visit, user) => this.page(visit, user));
  }

  @Handles(revokeAuthorization)
  revoke(context: ContextOf<typeof revokeAuthorization>, input: ParsedOf<typeof revokeAuthorization>): Result {
    return this.signedIn.take(context, path, input.csrf, async (_visit, user) => {
      await this.tokens.revokeAuthorization(user._id, Number(input.application));
      return redirectTo(path);
    });
  }

  @Handles(registerApplication)
  register(context: ContextOf<typeof registerApplication>, input: ParsedOf<typeof registerApplication>): Result {
    return this.signedIn.take(context, path, input.csrf, async (visit, user) => {
      const scopeList = (input.scopes ?? []).join(' ');
      const registration = readRegistration(input.name ?? '', input.redirect_uri ?? '', scopeList);
      const problems = Object.entries(registrationProblems(registration));
      if (problems.length > 0) {
        return this.page(visit, user, {
          problem: problems.map(([attribute, texts]) => `${attribute} ${texts.join(', ')}`).join('; '),
        });
      }
      const isConfidential = input.confidential !== undefined;
      const made = await this.applications.register({
        ...registration,
        isConfidential,
        isTrusted: false,
        ownerId: user._id,
      });
      return this.page(visit, user, { made });
    });
  }

  @Handles(removeApplication)
  remove(context: ContextOf<typeof removeApplication>, input: ParsedOf<typeof removeApplication>): Result {
    return this.signedIn.take(context, path, input.csrf, async (_visit, user) => {
      await this.removal.remove(Number(input.application), user._id);
      return redirectTo(path);
    });
  }

  private async page(
    visit: Visit,
    user: User,
    { problem, made }: { problem?: string; made?: { application: Application; secret: string } } = {},
  ): Result {
    const [own, authorized] = await Promise.all([this.applications.listOfOwner(user._id), this.authorizedBy(user)]);
    return renderPage({
      title: 'Applications',
      status: problem ? 422 : 200,
      headers: visit.headers,
      navigation: navigationFor(visit),
      body: html`${notice(problem)}${made && secretOf(made.application, made.secret)}
<h2>Authorized applications</h2>
${authorized.length === 0 && html`<p>No application can use your account.</p>`}
${authorized.map(({ application, scopes: reached }) => authorizedRecord(visit, application, reached))}
<h2>Your applications</h2>
${own.map((application) => ownRecord(visit, application))}
${registrationForm(visit)}`,
    });
  }

  private async authorizedBy(user: User): Promise<{ application: Application; scopes: Scope[] }[]> {
    const tokens = await this.tokens.authorizationsOf(user._id);
    const applications = await this.applications.findMany(tokens.flatMap((token) => token.applicationId ?? []));
    return applications.map((application) => {
      const its = tokens.filter((token) => token.applicationId === application._id);
      return { application, scopes: [...new Set(its.flatMap((token) => token.scopes))] };
    });
  }
}

const authorizedRecord = (
  visit: Visit,
  application: Application,
  reached: Scope[],
): Html => html`<section class="record">
<h3>${named(application.name)}</h3>
${scopeList(reached)}
<form method="post" action="${path}/revoke">
${csrfField(visit)}<input type="hidden" name="application" value="${application._id}">
${withConfirmation(
  'Revoke…',
  'Its tokens stop working at once, and it has to ask you again.',
  html`<button class="grave" aria-label="Revoke ${withoutTurns(application.name)}">Revoke</button>`,
)}
</form>
</section>`;

const ownRecord = (visit: Visit, application: Application): Html => html`<section class="record">
<h3>${named(application.name)}</h3>
<p>Application ID: <code>${application.uid}</code></p>
<p>Redirect URIs: ${application.redirectUris.map((uri) => html`<code>${named(uri)}</code> `)}</p>
<p>Scopes: <code>${application.scopes.join(' ')}</code></p>
<form method="post" action="${path}/delete">
${csrfField(visit)}<input type="hidden" name="application" value="${application._id}">
${withConfirmation(
  'Delete…',
  'Everybody who uses it is signed out of it, and its ID and secret are good for nothing.',
  html`<button class="grave" aria-label="Delete ${withoutTurns(application.name)}">Delete</button>`,
)}
</form>
</section>`;

const secretOf = (application: Application, secret: string): Html => html`<div class="notice" role="status">
<p><strong>${named(application.name)}</strong> is registered. The secret is shown only now:</p>
<p>Application ID: <code id="application_id">${application.uid}</code></p>
<p>Secret: <code id="application_secret">${secret}</code></p>
</div>`;

const registrationForm = (visit: Visit): Html => html`<h3>Register an application</h3>
<form method="post" action="${path}">
${csrfField(visit)}
<label for="name">Name</label>
<input id="name" name="name" required>
<label for="redirect_uri">Redirect URIs, one per line</label>
<textarea id="redirect_uri" name="redirect_uri" rows="3" required></textarea>
<fieldset><legend>Scopes</legend>
${scopeChoice(scopes)}
</fieldset>
<label><input type="checkbox" name="confidential" value="1" checked><span>Confidential: it runs on a server, not in a browser or on a phone</span></label>
<button>Register</button>
</form>`;
