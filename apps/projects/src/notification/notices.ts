import { usersByConfirmedEmail } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { type MailAbout, Mails } from '../mail/mails';
import { chainOf, type Source } from '../member/source';
import { NotificationSettings } from './notification-settings';

/** Mails about events of a project or group, to users whose settings include them. See docs/api/members.md#5. */
@Injectable()
export class Notices {
  constructor(
    private readonly settings: NotificationSettings,
    private readonly mails: Mails,
    private readonly client: OperationClient,
  ) {}

  /** @param reason the subject of the mail, so that the same mail is not queued twice */
  async tell(
    source: Pick<Source, 'key' | 'kind' | 'fullPath' | 'groupIds'>,
    userIds: number[],
    reason: string,
    mail: Omit<MailAbout, 'about'>,
  ): Promise<void> {
    const listeners = await this.settings.listeners(userIds, chainOf(source));
    const chosen = new Map(
      [...listeners].flatMap(([id, email]) => (email === undefined ? [] : [[id, email] as const])),
    );
    await this.mails.toUsers([...listeners.keys()], reason, { ...mail, about: source }, await this.stillTheirs(chosen));
  }

  /** A chosen address that no longer belongs to its user gets no mail. */
  private async stillTheirs(chosen: Map<number, string>): Promise<Map<number, string>> {
    if (chosen.size === 0) return chosen;
    const emails = [...chosen.values()].map((email) => email.toLowerCase());
    const holders = new Map(
      (await this.client.call(usersByConfirmedEmail, { emails })).map(({ email, user_id }) => [email, user_id]),
    );
    return new Map([...chosen].filter(([userId, email]) => holders.get(email.toLowerCase()) === userId));
  }
}
