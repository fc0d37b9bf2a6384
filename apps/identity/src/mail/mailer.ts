import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { IdentitySettings } from '../settings';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mail through the mail server, or lays it down as files where there is none. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly log = new Logger(Mailer.name);
  private readonly transport: Transporter;
  private readonly from: string;

  constructor(@Inject(settingsToken) private readonly settings: IdentitySettings) {
    this.from = settings.MAIL_FROM ?? `Moothall <moothall@${new URL(settings.EXTERNAL_URL).hostname}>`;
    this.transport = settings.SMTP_URL
      ? createTransport(settings.SMTP_URL)
      : createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  }

  /** @throws when the mail server does not take it */
  async send(mail: Mail): Promise<void> {
    const sent = await this.transport.sendMail({ from: this.from, ...mail });
    if (!this.settings.SMTP_URL) await this.layDown(sent.message as Buffer);
  }

  /** Mails carry links that open accounts, so that only the owner of the process reads them. */
  private async layDown(message: Buffer): Promise<void> {
    const folder = this.settings.MAIL_DIR;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID()}.eml`);
    // Under another name first: whoever waits for the file reads it whole.
    await writeFile(`${file}.part`, message, { mode: 0o600 });
    await rename(`${file}.part`, file);
    this.log.log(`no SMTP_URL is set; a mail lies at ${file}`);
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
