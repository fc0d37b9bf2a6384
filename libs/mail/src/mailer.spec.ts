import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Mailer } from './mailer';

const settings = { SMTP_URL: undefined, EXTERNAL_URL: 'https://hall.example.com' };

describe('Mailer', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'moothall-mail-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('writes complete mails into the folder if there is no mail server', async () => {
    const mailer = new Mailer({ ...settings, MAIL_DIR: folder, MAIL_FROM: 'Hall <hall@example.com>' });
    await mailer.send({ to: 'ann@example.com', subject: 'Grüße', text: 'Good morning' });
    const [file, ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(file).toMatch(/\.eml$/);
    const text = readFileSync(path.join(folder, file!), 'utf8');
    expect(text).toMatch(/^From: Hall <hall@example\.com>$/m);
    expect(text).toMatch(/^To: ann@example\.com$/m);
    expect(text).toContain('Good morning');
  });

  it('removes line breaks from a subject', async () => {
    const mailer = new Mailer({ ...settings, MAIL_DIR: folder, MAIL_FROM: 'hall@example.com' });
    await mailer.send({ to: 'ann@example.com', subject: 'x\r\nBcc: eve@example.com', text: 'y' });
    const text = readFileSync(path.join(folder, readdirSync(folder)[0]!), 'utf8');
    expect(text).not.toMatch(/^Bcc:/m);
  });

  it('has the host of the server as its default sender', async () => {
    const mailer = new Mailer({ ...settings, MAIL_DIR: folder, MAIL_FROM: undefined });
    await mailer.send({ to: 'ann@example.com', subject: 'x', text: 'y' });
    const text = readFileSync(path.join(folder, readdirSync(folder)[0]!), 'utf8');
    expect(text).toMatch(/^From: Moothall <moothall@hall\.example\.com>$/m);
  });
});
