import { type ContextOf, identifyBrowser, type OutputOf, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Browsers } from '../session/browser';
import { Sessions } from '../session/session.repository';
import { isPasswordDue } from '../sign-in/check-password';
import { callerOf } from '../user/caller';

/** Tells other services who uses a browser. */
@Controller()
export class IdentifyBrowser {
  constructor(
    private readonly browsers: Browsers,
    private readonly sessions: Sessions,
  ) {}

  @Handles(identifyBrowser)
  async identify(
    context: ContextOf<typeof identifyBrowser>,
    given: ParsedOf<typeof identifyBrowser>,
  ): Promise<OutputOf<typeof identifyBrowser>> {
    const visit = await this.browsers.visit(context);
    const { headers, csrf, user } = visit;
    const session = user && visit.session;
    return {
      headers,
      csrf,
      session: session?._id ?? null,
      expires_at: session ? (await this.sessions.endOf(session)).toISOString() : null,
      is_own_form: this.browsers.isOwnForm(visit, given.csrf),
      caller: user && callerOf(user, { credential: 'session', scopes: [] }),
      is_password_due: user !== null && isPasswordDue(user),
    };
  }
}
