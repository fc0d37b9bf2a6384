import {
  type ContextOf,
  commonErrors,
  isError,
  type ParsedOf,
  type Reply,
  showSignIn,
  signIn,
  signOut,
} from '@moothall/contracts';
import { Handles, KnownSettings } from '@moothall/messaging';
import { CsrfField, finalTarget, leadTo, Notice, redirectTo, returnPath, withReturn } from '@moothall/pages';
import { Controller } from '@nestjs/common';
import { renderFor, staleForm } from '../../page/page-views';
import { Browsers, type Visit } from '../../session/browser';
import { refusalOf } from '../../user/caller';
import type { User } from '../../user/user.schema';
import { CheckPassword, isPasswordDue } from '../check-password';

type Result = Promise<Reply<string>>;

interface FormState {
  returnTo?: string | undefined;
  login?: string | undefined;
  problem?: string | undefined;
  status?: number | undefined;
}

@Controller()
export class SignInPages {
  constructor(
    private readonly browsers: Browsers,
    private readonly passwords: CheckPassword,
    private readonly instance: KnownSettings,
  ) {}

  @Handles(showSignIn)
  async show(context: ContextOf<typeof showSignIn>, { return_to, again }: ParsedOf<typeof showSignIn>): Result {
    const visit = await this.browsers.visit(context);
    if (visit.user && !again) return redirectTo(returnPath(return_to));
    return this.form(visit, { returnTo: return_to, login: hintOf(return_to) });
  }

  @Handles(signIn)
  async signIn(context: ContextOf<typeof signIn>, input: ParsedOf<typeof signIn>): Result {
    const visit = await this.browsers.visit(context);
    if (!this.browsers.isOwnForm(visit, input.csrf)) return staleForm(visit);
    const { login = '', password = '', return_to: returnTo } = input;
    if (!(await this.instance.read()).password_authentication_enabled_for_web) {
      return this.form(visit, { returnTo, login, problem: 'Sign-in with a password is disabled.', status: 403 });
    }
    try {
      const user = await this.passwords.holder(login, password, visit.ip);
      if (!user) return this.form(visit, { returnTo, login, problem: 'Invalid login or password.', status: 401 });
      const refusal = refusalOf(user);
      if (refusal) return this.form(visit, { returnTo, login, problem: stateProblem(user), status: 403 });
      return this.enter(visit, user, returnTo);
    } catch (error) {
      if (!isError(error, commonErrors.tooManyRequests)) throw error;
      const problem = 'Too many attempts. Wait ten minutes and try again.';
      return this.form(visit, { returnTo, login, problem, status: 429 });
    }
  }

  @Handles(signOut)
  async signOut(context: ContextOf<typeof signOut>, { csrf }: ParsedOf<typeof signOut>): Result {
    const visit = await this.browsers.visit(context);
    if (!this.browsers.isOwnForm(visit, csrf)) return staleForm(visit);
    const { after_sign_out_path: path } = await this.instance.read();
    return leadTo(path || '/users/sign_in', await this.browsers.signOut(visit));
  }

  private async enter(visit: Visit, user: User, returnTo: string | undefined): Result {
    const headers = await this.browsers.signIn(visit, user, { isComplete: user.twoFactor === null });
    if (user.twoFactor) return redirectTo(withReturn('/users/sign_in/two_factor', returnTo), headers);
    return redirectTo(afterSignIn(user, returnTo), headers);
  }

  private form(visit: Visit, state: FormState): Reply<string> {
    return renderFor(visit, {
      title: 'Sign in',
      introducesInstance: true,
      status: state.status,
      formTarget: finalTarget(returnPath(state.returnTo)),
      body: <SignInForm csrf={visit.csrf} {...state} />,
    });
  }
}

const SignInForm = ({ csrf, returnTo, login, problem }: { csrf: string } & FormState) => (
  <>
    <Notice>{problem}</Notice>
    <form method="post" action="/users/sign_in">
      <CsrfField csrf={csrf} />
      <input type="hidden" name="return_to" value={returnTo ?? ''} />
      <LoginField login={login} />
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required />
      <button type="submit">Sign in</button>
    </form>
    <p>
      <a href="/users/password/new">Forgot your password?</a>
    </p>
  </>
);

const LoginField = ({ login }: { login: string | undefined }) => (
  <>
    <label for="login">Username or email address</label>
    <input
      id="login"
      name="login"
      value={login}
      autocomplete="username"
      autocapitalize="none"
      spellcheck={false}
      required
      autofocus
    />
  </>
);

const stateProblem = ({ state }: User): string =>
  `Your account has been ${state === 'deactivated' ? 'deactivated by your administrator' : 'blocked'}.`;

/** The user that an application expects. Source: OpenID Connect Core 3.1.2.1. */
const hintOf = (returnTo: string | undefined): string | undefined =>
  new URLSearchParams(/^\/oauth\/authorize\?(.*)$/.exec(returnTo ?? '')?.[1]).get('login_hint') ?? undefined;

/** A due password change comes first. */
export const afterSignIn = (user: User, returnTo: string | undefined): string =>
  isPasswordDue(user) ? withReturn('/-/profile/password', returnTo) : returnPath(returnTo);
