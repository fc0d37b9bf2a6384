import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface Mail {
  from: string;
  to: string[];
  text: string;
}

/** A mail server that stores mails. */
export class Mailbox {
  readonly mails: Mail[] = [];
  /** When a mail is acknowledged: immediately, unless a test changes this. */
  takes: (mail: Mail, taken: () => void) => void = (_mail, taken) => taken();
  private readonly smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      const to = envelope.rcptTo.map(({ address }) => address);
      text(stream).then((whole) => {
        const mail = { from, to, text: whole };
        this.mails.push(mail);
        this.takes(mail, done);
      }, done);
    },
  });
  private server!: Server;

  static async start(): Promise<Mailbox> {
    const mailbox = new Mailbox();
    await new Promise<void>((listening) => {
      mailbox.server = mailbox.smtp.listen(0, '127.0.0.1', listening);
    });
    return mailbox;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** In the order of arrival. */
  to(address: string): Mail[] {
    return this.mails.filter(({ to }) => to.includes(address));
  }

  async stop(): Promise<void> {
    await new Promise<void>((closed) => this.smtp.close(closed));
  }
}
