import { type JobQueue, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { type Mail, Mailer } from '@moothall/mail';
import { settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import { type WithPage, webUrlOf } from '../namespace/namespace.view';
import type { ProjectsSettings } from '../settings/settings';

/**
 * One mail to one user or address. Retried while the mail server is down; sent twice only if the process is killed
 * between sending and acknowledging.
 */
const mails: JobQueue<Mail> = jobQueue({ name: 'projects.mails', concurrency: 4, attempts: 10 });

/** A mail about a project or a group. Its address follows the text. */
export interface MailAbout extends Omit<Mail, 'to'> {
  about: WithPage;
}

/** Queues mails to users, and sends them. */
@Injectable()
export class Mails {
  constructor(
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly users: UserDirectory,
    @Inject(settingsToken) private readonly settings: ProjectsSettings,
  ) {}

  /**
   * @param reason the subject of the mail, so that the same mail is not queued twice
   * @param chosen other addresses that users chose
   */
  async toUsers(
    userIds: number[],
    reason: string,
    { subject, text, about }: MailAbout,
    chosen: Map<number, string> = new Map(),
  ): Promise<void> {
    const address = webUrlOf(about, this.settings.EXTERNAL_URL.replace(/\/$/, ''));
    const users = [...(await this.users.records(userIds)).values()].filter(({ state }) => state === 'active');
    await this.jobs.addAll(
      mails,
      users.map(({ id, email }) => ({
        id: `${reason} to ${id}`,
        data: { to: chosen.get(id) ?? email, subject, text: `${text}\nView the ${about.kind}: ${address}\n` },
      })),
    );
  }

  /** To an address without a known account. @param id the subject of the mail, as above */
  async toAddress(to: string, id: string, { subject, text }: Omit<Mail, 'to'>): Promise<void> {
    await this.jobs.add(mails, { to, subject, text }, { id });
  }

  @WorksOn(mails)
  async send(mail: Mail): Promise<void> {
    await this.mailer.send(mail);
  }
}
