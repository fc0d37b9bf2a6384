import { commonErrors, isError, type OperationContext, type Reply } from '@moothall/contracts';
import { redirectTo, withReturn } from '@moothall/pages';
import { Injectable } from '@nestjs/common';
import { Browsers, type Visit } from '../session/browser';
import { isPasswordDue } from '../sign-in/check-password';
import type { User } from '../user/user.schema';
import { staleForm, tooManyAttempts } from './page-views';

type Show = (visit: Visit, user: User) => Promise<Reply<string>>;

/** Guards pages for signed-in users. */
@Injectable()
export class SignedIn {
  constructor(private readonly browsers: Browsers) {}

  /** Shows a page, or first asks to sign in or to change a due password. @param path the return path */
  async show(context: OperationContext, path: string, show: Show): Promise<Reply<string>> {
    const visit = await this.browsers.visit(context);
    if (!visit.user) return redirectTo(withReturn('/users/sign_in', path), visit.headers);
    if (isPasswordDue(visit.user) && !path.startsWith('/-/profile/password')) {
      return redirectTo(withReturn('/-/profile/password', path), visit.headers);
    }
    return show(visit, visit.user);
  }

  /** The same for a form, with a check of its token. */
  take(context: OperationContext, path: string, csrf: string | undefined, take: Show): Promise<Reply<string>> {
    return this.show(context, path, async (visit, user) => {
      if (!this.browsers.isOwnForm(visit, csrf)) return staleForm(visit);
      return take(visit, user).catch((error: unknown) => {
        if (isError(error, commonErrors.tooManyRequests)) return tooManyAttempts(visit);
        throw error;
      });
    });
  }
}
