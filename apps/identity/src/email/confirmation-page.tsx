import { type ContextOf, confirmEmail, type ParsedOf, type Reply } from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { MailTokens } from '../mail/mail-token.repository';
import { renderFor } from '../page/page-views';
import { Browsers, type Visit } from '../session/browser';
import { Users } from '../user/user.repository';
import type { User } from '../user/user.schema';

/** The page that confirmation mails link to. */
@Controller()
export class ConfirmationPage {
  constructor(
    private readonly browsers: Browsers,
    private readonly users: Users,
    private readonly tokens: MailTokens,
  ) {}

  @Handles(confirmEmail)
  async confirm(
    context: ContextOf<typeof confirmEmail>,
    { confirmation_token: token = '' }: ParsedOf<typeof confirmEmail>,
  ): Promise<Reply<string>> {
    const visit = await this.browsers.visit(context);
    const found = await this.tokens.find('confirm_email', token);
    const user = found && (await this.users.find(found.userId));
    const isConfirmed = user ? await this.confirmAddress(user, found.email) : false;
    // Last: until the address is confirmed, the link can be used again.
    if (found) await this.tokens.drop(token);
    return isConfirmed ? confirmed(visit) : invalidLink(visit);
  }

  private async confirmAddress(user: User, email: string): Promise<boolean> {
    try {
      await this.users.changeFrom(user._id, basedOn, (current) => confirmationOf(current, email));
      return true;
    } catch (error) {
      // The address belongs to another user by now.
      if (error instanceof NotTheirs || isDuplicateKey(error, 'emailKeys')) return false;
      throw error;
    }
  }
}

const confirmed = (visit: Visit): Reply<string> =>
  renderFor(visit, {
    title: 'Address confirmed',
    body: (
      <p>
        <a href="/users/sign_in">Continue</a>
      </p>
    ),
  });

const invalidLink = (visit: Visit): Reply<string> =>
  renderFor(visit, {
    title: 'This link is no longer valid',
    status: 404,
    body: <p>It was already used, has expired, or the address needs no confirmation any more.</p>,
  });

const basedOn = ['email', 'unconfirmedEmail', 'secondaryEmails', 'confirmedAt'] as const;

/** The address is not, or no longer, one of the user's. */
class NotTheirs extends Error {}

/** The changes for a confirmed address. @throws NotTheirs */
function confirmationOf(user: User, email: string): Partial<User> {
  const now = new Date();
  if (email === user.unconfirmedEmail) {
    const secondary = user.secondaryEmails.map((other) => other.email.toLowerCase());
    return { email, unconfirmedEmail: null, confirmedAt: now, emailKeys: [email.toLowerCase(), ...secondary] };
  }
  if (email === user.email) return { confirmedAt: user.confirmedAt ?? now };
  if (!user.secondaryEmails.some((other) => other.email === email)) throw new NotTheirs();
  return {
    secondaryEmails: user.secondaryEmails.map((other) =>
      other.email === email ? { ...other, confirmedAt: now } : other,
    ),
  };
}
