import { randomUUID } from 'node:crypto';
import { accountMailWanted, type EventData, type EventRecord } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { type Mail, Mailer } from '@moothall/mail';
import { OnEvent } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { IdentitySettings } from '../settings/settings';
import { Users } from '../user/user.repository';
import type { User } from '../user/user.schema';
import { MailTokens } from './mail-token.repository';
import type { MailToken } from './mail-token.schema';

interface AccountMail {
  purpose: MailToken['purpose'];
  userId: number;
  email: string;
}

/** Mails wait in this queue while the mail server is down, for more than two hours. */
const accountMails = jobQueue<AccountMail>({
  name: 'identity.account-mails',
  concurrency: 4,
  attempts: 12,
  backoffSeconds: 3,
});

const paths = {
  reset_password: (token: string) => `/users/password/edit?reset_password_token=${token}`,
  confirm_email: (token: string) => `/users/confirmation?confirmation_token=${token}`,
};

/** An event to store with the change that the confirmation mail is about. */
export const wantedConfirmation = (userId: number, email: string): EventRecord =>
  newEvent(accountMailWanted, { user_id: userId, purpose: 'confirm_email', email });

/** An event to store with a new account whose owner chooses the password. */
export const wantedReset = (userId: number, email: string): EventRecord =>
  newEvent(accountMailWanted, { user_id: userId, purpose: 'reset_password', email });

/** Mails about accounts. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly jobs: Jobs,
    private readonly users: Users,
    private readonly tokens: MailTokens,
    private readonly mailer: Mailer,
    @Inject(settingsToken) private readonly settings: IdentitySettings,
  ) {}

  /** Requested without a change of the account. */
  resetPassword(user: User): Promise<void> {
    return this.queue({ purpose: 'reset_password', userId: user._id, email: user.email }, randomUUID());
  }

  @OnEvent(accountMailWanted, 'AccountMails-wanted')
  async wanted({ id, data }: EventRecord<EventData<typeof accountMailWanted>>): Promise<void> {
    await this.queue({ purpose: data.purpose, userId: data.user_id, email: data.email }, id);
  }

  private queue(mail: AccountMail, id: string): Promise<void> {
    return this.jobs.add(accountMails, mail, { id });
  }

  /** The link is created here, so that the queue contains no secret. */
  @WorksOn(accountMails)
  async send({ purpose, userId, email }: AccountMail): Promise<void> {
    const user = await this.users.find(userId);
    if (!user) return;
    const token = await this.tokens.issue(purpose, userId, email);
    const link = `${this.settings.EXTERNAL_URL.replace(/\/$/, '')}${paths[purpose](token)}`;
    await this.mailer.send(purpose === 'reset_password' ? resetMail(user, link) : confirmationMail(user, email, link));
  }
}

const resetMail = (user: User, link: string): Mail => ({
  to: user.email,
  subject: 'Reset password instructions',
  text: `Hello, ${user.name}!

Somebody, hopefully you, asked to reset the password of your account ${user.username}.
Choose a new one here, within six hours:

${link}

If it was not you, ignore this mail: nothing changes until the link is used.
`,
});

const confirmationMail = (user: User, email: string, link: string): Mail => ({
  to: email,
  subject: 'Confirmation instructions',
  text: `Hello, ${user.name}!

Confirm that this address belongs to your account ${user.username}:

${link}

If you do not know the account, ignore this mail.
`,
});
