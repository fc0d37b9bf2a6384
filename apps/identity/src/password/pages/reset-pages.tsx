import {
  type ContextOf,
  commonErrors,
  isError,
  type ParsedOf,
  present,
  type Reply,
  requestPasswordReset,
  resetPassword,
  showForgottenPassword,
  showPasswordReset,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { CsrfField, Notice, renderPage } from '@moothall/pages';
import { Controller } from '@nestjs/common';
import { AccountMails } from '../../mail/account-mails';
import { MailTokens } from '../../mail/mail-token.repository';
import { renderFor, staleForm } from '../../page/page-views';
import { Browsers, type Visit } from '../../session/browser';
import { Sessions } from '../../session/session.repository';
import { SignInLimit } from '../../sign-in/sign-in-limit';
import { Users } from '../../user/user.repository';
import { hashPassword } from '../password';
import { newPasswordProblem } from './new-password';
import { NewPasswordFields } from './new-password-fields';

type Result = Promise<Reply<string>>;

/** Resets a forgotten password by a mailed link. */
@Controller()
export class ResetPages {
  constructor(
    private readonly browsers: Browsers,
    private readonly users: Users,
    private readonly sessions: Sessions,
    private readonly mails: AccountMails,
    private readonly tokens: MailTokens,
    private readonly limit: SignInLimit,
  ) {}

  @Handles(showForgottenPassword)
  async showRequest(context: ContextOf<typeof showForgottenPassword>): Result {
    return requestForm(await this.browsers.visit(context));
  }

  @Handles(requestPasswordReset)
  async request(
    context: ContextOf<typeof requestPasswordReset>,
    { email = '', csrf }: ParsedOf<typeof requestPasswordReset>,
  ): Result {
    const visit = await this.browsers.visit(context);
    if (!this.browsers.isOwnForm(visit, csrf)) return staleForm(visit);
    try {
      await this.limit.attempt(`reset of ${email}`, visit.ip);
      const user = await this.users.findByEmail(email);
      if (user?.kind === 'human' && user.state === 'active') await this.mails.resetPassword(user);
    } catch (error) {
      if (!isError(error, commonErrors.tooManyRequests)) throw error;
    }
    // The same for every address, so that it does not show whether the account exists.
    return requestForm(visit, 'If that address belongs to an account, a mail with a link is on its way to it.');
  }

  @Handles(showPasswordReset)
  async show(
    context: ContextOf<typeof showPasswordReset>,
    { reset_password_token: token = '' }: ParsedOf<typeof showPasswordReset>,
  ): Result {
    const visit = await this.browsers.visit(context);
    return (await this.tokens.find('reset_password', token)) ? resetForm(visit, token) : invalidLink(visit);
  }

  @Handles(resetPassword)
  async reset(context: ContextOf<typeof resetPassword>, input: ParsedOf<typeof resetPassword>): Result {
    const visit = await this.browsers.visit(context);
    if (!this.browsers.isOwnForm(visit, input.csrf)) return staleForm(visit);
    const { reset_password_token: token = '' } = input;
    const problem = newPasswordProblem(input);
    if (problem) return resetForm(visit, token, problem);
    const passwordHash = await hashPassword(present(input.password, 'a password'));
    const found = await this.tokens.find('reset_password', token);
    const user = found && (await this.users.find(found.userId));
    if (!user) return invalidLink(visit);
    // A user who reads mail of the address has confirmed it.
    await this.users.change(user, {
      passwordHash,
      passwordExpiresAt: null,
      confirmedAt: user.confirmedAt ?? new Date(),
    });
    await this.sessions.endOfUser(user._id);
    // Last: until everything is done, the link can be used again.
    await this.tokens.dropAll('reset_password', user._id);
    return changed(visit);
  }
}

const requestForm = (visit: Visit, success?: string): Reply<string> =>
  renderFor(visit, {
    title: 'Reset your password',
    body: (
      <>
        <Notice kind="success">{success}</Notice>
        <form method="post" action="/users/password/new">
          <CsrfField csrf={visit.csrf} />
          <label for="email">Email address of your account</label>
          <input id="email" name="email" type="email" autocomplete="email" required />
          <button type="submit">Send me a link</button>
        </form>
        <p>
          <a href="/users/sign_in">Back to sign in</a>
        </p>
      </>
    ),
  });

const resetForm = (visit: Visit, token: string, problem?: string): Reply<string> =>
  renderFor(visit, {
    title: 'Choose a new password',
    status: problem ? 422 : 200,
    body: (
      <>
        <Notice>{problem}</Notice>
        <form method="post" action="/users/password/edit">
          <CsrfField csrf={visit.csrf} />
          <input type="hidden" name="reset_password_token" value={token} />
          <NewPasswordFields />
          <button type="submit">Change password</button>
        </form>
      </>
    ),
  });

/** Without the viewer: the sessions of the user have just ended. */
const changed = (visit: Visit): Reply<string> =>
  renderPage({
    title: 'Password changed',
    headers: visit.headers,
    appearance: visit.appearance,
    body: (
      <p>
        Your password was changed. You can <a href="/users/sign_in">sign in</a> with it now.
      </p>
    ),
  });

const invalidLink = (visit: Visit): Reply<string> =>
  renderFor(visit, {
    title: 'This link is no longer valid',
    status: 404,
    body: (
      <p>
        It was already used, or has expired. <a href="/users/password/new">Request another</a>.
      </p>
    ),
  });
