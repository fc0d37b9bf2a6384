import { type ContextOf, changePassword, type ParsedOf, present, type Reply, showPassword } from '@moothall/contracts';
import { unattended } from '@moothall/logging';
import { Handles } from '@moothall/messaging';
import { AccountNavigation, CsrfField, finalTarget, Notice, redirectTo, returnPath } from '@moothall/pages';
import { Controller } from '@nestjs/common';
import { renderFor } from '../../page/page-views';
import { SignedIn } from '../../page/signed-in';
import type { Visit } from '../../session/browser';
import { Sessions } from '../../session/session.repository';
import { CheckPassword, isPasswordDue } from '../../sign-in/check-password';
import { Users } from '../../user/user.repository';
import { hashPassword } from '../password';
import { newPasswordProblem } from './new-password';
import { NewPasswordFields } from './new-password-fields';

type Result = Promise<Reply<string>>;

const path = '/-/profile/password';

/** Pages to change a password, also when the change is due. */
@Controller()
export class PasswordPages {
  constructor(
    private readonly signedIn: SignedIn,
    private readonly passwords: CheckPassword,
    private readonly users: Users,
    private readonly sessions: Sessions,
  ) {}

  @Handles(showPassword)
  show(context: ContextOf<typeof showPassword>, { return_to }: ParsedOf<typeof showPassword>): Result {
    return this.signedIn.show(context, path, async (visit) => form(visit, return_to));
  }

  @Handles(changePassword)
  change(context: ContextOf<typeof changePassword>, input: ParsedOf<typeof changePassword>): Result {
    return this.signedIn.take(context, path, input.csrf, async (visit, user) => {
      const holder = await this.passwords.holder(user.username, input.current_password ?? '', visit.ip);
      if (holder?._id !== user._id) return form(visit, input.return_to, 'You must provide a valid current password.');
      const problem = newPasswordProblem(input, { mustDifferFrom: input.current_password });
      if (problem) return form(visit, input.return_to, problem);
      const passwordHash = await hashPassword(present(input.password, 'a password'));
      // Signs out all other sessions. Before the change, because a retry needs the old password.
      await this.sessions.endOfUser(user._id, visit.cookie);
      await this.users.change(user, { passwordHash, passwordExpiresAt: null });
      unattended('the end of sessions that began meanwhile', this.sessions.endOfUser(user._id, visit.cookie));
      return input.return_to ? redirectTo(returnPath(input.return_to)) : form(visit, undefined, undefined, true);
    });
  }
}

function form(visit: Visit, returnTo?: string, problem?: string, isDone = false): Reply<string> {
  const isDue = visit.user && isPasswordDue(visit.user) && !isDone;
  return renderFor(visit, {
    title: 'Change password',
    navigation: !isDue && <AccountNavigation />,
    status: problem ? 422 : 200,
    formTarget: returnTo ? finalTarget(returnPath(returnTo)) : undefined,
    body: (
      <>
        <Notice>{problem}</Notice>
        <Notice kind="success">{isDone && 'Your password was changed.'}</Notice>
        {isDue && <p>An administrator set your password. Choose a new one to continue.</p>}
        <PasswordForm csrf={visit.csrf} returnTo={returnTo} />
      </>
    ),
  });
}

const PasswordForm = ({ csrf, returnTo }: { csrf: string; returnTo: string | undefined }) => (
  <form method="post" action={path}>
    <CsrfField csrf={csrf} />
    <input type="hidden" name="return_to" value={returnTo ?? ''} />
    <label for="current_password">Current password</label>
    <input id="current_password" name="current_password" type="password" autocomplete="current-password" required />
    <NewPasswordFields />
    <button type="submit">Save password</button>
  </form>
);
