import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { directory, type SettingValues, string, url } from '@moothall/config';
import { Logger } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';

/** Settings of services that send mails. */
export const mailSettings = {
  SMTP_URL: url({
    optional: true,
    protocols: ['smtp', 'smtps'],
    about: 'Mail server; without it mails are written to `MAIL_DIR`',
  }),
  MAIL_DIR: directory({
    default: './data/mail',
    about: 'Folder for mails as `.eml` files if there is no mail server',
  }),
  MAIL_FROM: string({ optional: true, about: 'Sender of mails; by default `moothall` at the host of `EXTERNAL_URL`' }),
};
export type MailSettings = SettingValues<typeof mailSettings>;

export interface Mail {
  /** One address, or several joined by commas. */
  to: string;
  subject: string;
  text: string;
  /** The sender, if it is not the server. */
  from?: { name: string; address: string };
}

/** Sends plain mails through the mail server, or writes them as files if there is none. */
export class Mailer {
  private readonly log = new Logger(Mailer.name);
  private readonly transport: Transporter;

  /** @param settings with EXTERNAL_URL, whose host is the default sender */
  constructor(private readonly settings: MailSettings & { EXTERNAL_URL: string }) {
    const from = settings.MAIL_FROM ?? `Moothall <moothall@${new URL(settings.EXTERNAL_URL).hostname}>`;
    this.transport = settings.SMTP_URL
      ? createTransport(settings.SMTP_URL, { from })
      : createTransport({ streamTransport: true, buffer: true, newline: 'unix' }, { from });
  }

  /** Resolves when the mail server or the disk has accepted it. @throws the answer of the mail server */
  async send(mail: Mail): Promise<void> {
    const sent = await this.transport.sendMail(mail);
    if (!this.settings.SMTP_URL) await this.layDown(sent.message as Buffer);
  }

  /** Mails carry links that open accounts, so that only the owner of the process reads them. */
  private async layDown(message: Buffer): Promise<void> {
    const folder = this.settings.MAIL_DIR;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID()}.eml`);
    // Under a temporary name first, so that readers see only complete files.
    await writeFile(`${file}.part`, message, { mode: 0o600 });
    await rename(`${file}.part`, file);
    this.log.log(`no SMTP_URL is set; a mail lies at ${file}`);
  }

  /** Called by Nest. */
  onApplicationShutdown(): void {
    this.transport.close();
  }
}
