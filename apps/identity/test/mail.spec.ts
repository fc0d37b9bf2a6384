import type { AddressInfo } from 'node:net';
import { createUser, getUser, updateUser } from '@moothall/contracts';
import { eventually, type ServiceUnderTest } from '@moothall/testing';
import { SMTPServer } from 'smtp-server';
import { asAdministrator, makeUser, startIdentity } from './service-under-test';

interface Received {
  from: string;
  to: string[];
  text: string;
}

let identity: ServiceUnderTest;
let server: SMTPServer;
const received: Received[] = [];
/** Number of mails that the server refuses, like an overloaded one. */
let refusals = 0;

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(refusals-- > 0 ? new Error('come back later') : null),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  const listening = await new Promise<AddressInfo>((resolve) => {
    const net = server.listen(0, '127.0.0.1', () => resolve(net.address() as AddressInfo));
  });
  identity = await startIdentity({
    SMTP_URL: `smtp://127.0.0.1:${listening.port}`,
    MAIL_FROM: 'Forge <forge@moothall.test>',
  });
});
afterAll(async () => {
  await identity?.stop();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const mailTo = (address: string) =>
  eventually(() => received.find(({ to }) => to.includes(address)), `mail to ${address}`);

describe('mail', () => {
  it('is sent to a new user through the mail server, with a link to confirm the address', async () => {
    const user = await makeUser(identity, { skip_confirmation: false });
    const { from, to, text } = await mailTo(user.email);
    expect({ from, to }).toEqual({ from: 'forge@moothall.test', to: [user.email] });
    expect(text).toContain('Subject: Confirmation instructions');
    expect(text).toMatch(/http:\/\/moothall\.test\/users\/confirmation\?confirmation_token=[\w-]{43}\b/);
  });

  it('is sent with a reset, and not without', async () => {
    const person = (username: string) => ({
      username,
      name: 'P',
      email: `${username}@example.com`,
      skip_confirmation: true,
    });
    await identity.client.call(createUser, { ...person('silent'), force_random_password: true }, asAdministrator);
    await identity.client.call(createUser, { ...person('asked'), reset_password: true }, asAdministrator);
    expect((await mailTo('asked@example.com')).text).toContain('Subject: Reset password instructions');
    expect(received.some(({ to }) => to.includes('silent@example.com'))).toBe(false);
  });

  it('is tried again when the mail server turns it away', async () => {
    const user = await makeUser(identity);
    refusals = 1;
    await identity.client.call(updateUser, { id: user.id, email: `new-${user.email}` }, asAdministrator);
    await mailTo(`new-${user.email}`);
    await expect(identity.client.call(getUser, { id: user.id }, asAdministrator)).resolves.toMatchObject({
      email: user.email,
      unconfirmed_email: `new-${user.email}`,
    });
  });

  it('does not let line breaks in a name or address add headers', async () => {
    const email = 'lines@example.com';
    const given = { username: 'lines', name: 'A\r\nBcc: evil@example.com', email, reset_password: true };
    await identity.client.call(createUser, { ...given, skip_confirmation: true }, asAdministrator);
    const { to, text } = await mailTo(email);
    expect(to).toEqual([email]);
    expect(text.slice(0, text.indexOf('\r\n\r\n'))).not.toMatch(/^Bcc:/im);
  });
});
