import {
  type ContextOf,
  type ParsedOf,
  type Reply,
  registerApplication,
  removeApplication,
  revokeAuthorization,
  showApplications,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { AccountNavigation, redirectTo } from '@moothall/pages';
import { Controller } from '@nestjs/common';
import { OauthTokens } from '../../oauth/oauth-token.repository';
import { renderFor } from '../../page/page-views';
import { SignedIn } from '../../page/signed-in';
import type { Visit } from '../../session/browser';
import type { User } from '../../user/user.schema';
import { Applications } from '../application.repository';
import { readRegistration, registrationProblems } from '../application-rules';
import { ApplicationsView, type AuthorizedApplication, type Outcome, path } from './application-views';
import { RemoveApplication } from './remove-application';

type Result = Promise<Reply<string>>;

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

  private async page(visit: Visit, user: User, outcome: Outcome = {}): Result {
    const [own, authorized] = await Promise.all([this.applications.listOfOwner(user._id), this.authorizedBy(user)]);
    return renderFor(visit, {
      title: 'Applications',
      navigation: <AccountNavigation />,
      status: outcome.problem ? 422 : 200,
      body: <ApplicationsView csrf={visit.csrf} own={own} authorized={authorized} outcome={outcome} />,
    });
  }

  private async authorizedBy(user: User): Promise<AuthorizedApplication[]> {
    const tokens = await this.tokens.authorizationsOf(user._id);
    const applications = await this.applications.findMany(tokens.flatMap((token) => token.applicationId ?? []));
    return applications.map((application) => {
      const its = tokens.filter((token) => token.applicationId === application._id);
      return { application, scopes: [...new Set(its.flatMap((token) => token.scopes))] };
    });
  }
}
