import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { directory, type SettingValues, string, url } from '@moothall/config';
import { createTransport, type Transporter } from 'nodemailer';

/** What services that send mails read from the environment. */
export const mailSettings = {
  SMTP_URL: url({
    optional: true,
    protocols: ['smtp', 'smtps'],
    about: 'Mail server; without one mails land as files',
  }),
  MAIL_DIR: directory({ optional: true, about: 'Where mails land as `.eml` files while there is no mail server' }),
  MAIL_FROM: string({ default: 'Moothall <noreply@localhost>', about: 'Sender of mails' }),
};
export type MailSettings = SettingValues<typeof mailSettings>;

export interface Mail {
  /** One address, or several joined by commas. */
  to: string;
  subject: string;
  text: string;
}

/** Sends plain mails. Without server and folder nobody wants them, and they are dropped. */
export class Mailer {
  private readonly transport: Transporter;

  constructor(private readonly settings: MailSettings) {
    this.transport = settings.SMTP_URL
      ? createTransport(settings.SMTP_URL, { from: settings.MAIL_FROM })
      : createTransport({ streamTransport: true, buffer: true, newline: 'unix' }, { from: settings.MAIL_FROM });
  }

  /** Resolves when the mail server, or the disk, has it. @throws what the mail server answers */
  async send(mail: Mail): Promise<void> {
    const folder = this.settings.MAIL_DIR;
    if (!this.settings.SMTP_URL && !folder) return;
    const sent = await this.transport.sendMail(mail);
    if (folder && Buffer.isBuffer(sent.message)) await writeWhole(folder, sent.message);
  }

  close(): void {
    this.transport.close();
  }
}

/** Under another name first, so that whoever reads the folder sees whole mails only. */
async function writeWhole(folder: string, message: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${Date.now()}-${randomUUID()}.eml`);
  await writeFile(`${file}.part`, message, { mode: 0o600 });
  await rename(`${file}.part`, file);
}
