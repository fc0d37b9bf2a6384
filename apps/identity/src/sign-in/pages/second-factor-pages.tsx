import {
  type ContextOf,
  checkSecondFactor,
  commonErrors,
  isError,
  type ParsedOf,
  type Reply,
  showSecondFactor,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { CsrfField, finalTarget, Notice, redirectTo, returnPath, withReturn } from '@moothall/pages';
import { Controller } from '@nestjs/common';
import { renderFor, staleForm } from '../../page/page-views';
import { Browsers, type Visit } from '../../session/browser';
import { TwoFactors } from '../../two-factor/two-factor';
import { refusalOf } from '../../user/caller';
import { Users } from '../../user/user.repository';
import type { User } from '../../user/user.schema';
import { SignInLimit } from '../sign-in-limit';
import { afterSignIn } from './sign-in-pages';

type Result = Promise<Reply<string>>;

/** The second step of a sign-in. */
@Controller()
export class SecondFactorPages {
  constructor(
    private readonly browsers: Browsers,
    private readonly users: Users,
    private readonly twoFactors: TwoFactors,
    private readonly limit: SignInLimit,
  ) {}

  @Handles(showSecondFactor)
  async show(context: ContextOf<typeof showSecondFactor>, { return_to }: ParsedOf<typeof showSecondFactor>): Result {
    const visit = await this.browsers.visit(context);
    return (await this.awaited(visit)) ? form(visit, return_to) : redirectTo(withReturn('/users/sign_in', return_to));
  }

  @Handles(checkSecondFactor)
  async check(context: ContextOf<typeof checkSecondFactor>, input: ParsedOf<typeof checkSecondFactor>): Result {
    const visit = await this.browsers.visit(context);
    if (!this.browsers.isOwnForm(visit, input.csrf)) return staleForm(visit);
    const user = await this.awaited(visit);
    if (!user) return redirectTo(withReturn('/users/sign_in', input.return_to));
    try {
      const takeBack = await this.limit.attempt(`second factor of ${user._id}`, visit.ip);
      if (!(await this.twoFactors.take(user, input.code ?? ''))) {
        return form(visit, input.return_to, 'Invalid code.', 401);
      }
      await takeBack();
    } catch (error) {
      if (!isError(error, commonErrors.tooManyRequests)) throw error;
      return form(visit, input.return_to, 'Too many attempts. Wait ten minutes and try again.', 429);
    }
    const headers = await this.browsers.signIn(visit, user, { isComplete: true });
    return redirectTo(afterSignIn(user, input.return_to), headers);
  }

  /** The user who has given the password but not the code. */
  private async awaited({ session }: Visit): Promise<User | null> {
    if (!session || session.isComplete) return null;
    const user = await this.users.find(session.userId);
    return user && !refusalOf(user) ? user : null;
  }
}

const form = (visit: Visit, returnTo: string | undefined, problem?: string, status?: number): Reply<string> =>
  renderFor(visit, {
    title: 'Two-factor authentication',
    status,
    formTarget: finalTarget(returnPath(returnTo)),
    body: (
      <>
        <Notice>{problem}</Notice>
        <CodeForm csrf={visit.csrf} returnTo={returnTo} />
      </>
    ),
  });

const CodeForm = ({ csrf, returnTo }: { csrf: string; returnTo: string | undefined }) => (
  <form method="post" action="/users/sign_in/two_factor">
    <CsrfField csrf={csrf} />
    <input type="hidden" name="return_to" value={returnTo ?? ''} />
    <label for="code">Code from your authenticator app, or a recovery code</label>
    <input
      id="code"
      name="code"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck={false}
      required
      autofocus
    />
    <button type="submit">Verify</button>
  </form>
);
