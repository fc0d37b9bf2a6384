import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  addOwnEmail,
  appearanceChanged,
  authenticateBasic,
  blockUser,
  changePassword,
  checkSecondFactor,
  confirmEmail,
  createUser,
  deactivateUser,
  disableTwoFactor,
  disableUserTwoFactor,
  enableTwoFactor,
  getUser,
  listOwnEmails,
  readAppearance,
  requestPasswordReset,
  resetPassword,
  showApplications,
  showForgottenPassword,
  showPassword,
  showPasswordReset,
  showSecondFactor,
  showSignIn,
  showTwoFactor,
  signIn,
  signInRefused,
  signOut,
  updateUser,
} from '@moothall/contracts';
import { eventually, type ServiceUnderTest } from '@moothall/testing';
import { Secret, TOTP } from 'otpauth';
import { hiddenFields, TestBrowser } from './browser';
import { asAdministrator, callerFor, failure, makeUser, startIdentity } from './service-under-test';

const mailFolder = mkdtempSync(path.join(tmpdir(), 'moothall-mail-'));
let identity: ServiceUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ MAIL_DIR: mailFolder });
});
afterAll(async () => {
  await identity?.stop();
  rmSync(mailFolder, { recursive: true, force: true });
});

const home = '/';
const password = 'correct horse';

function signInWith(browser: TestBrowser, login: string, withPassword = password, return_to?: string) {
  return browser.submit(showSignIn, { return_to }, signIn, { login, password: withPassword });
}

async function signedIn() {
  const user = await makeUser(identity);
  const browser = new TestBrowser(identity);
  await signInWith(browser, user.username);
  return { user, browser };
}

/** The latest mail to an address, with decoded line breaks. */
const mailTo = (address: string): Promise<string> =>
  eventually(() =>
    readdirSync(mailFolder)
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) => readFileSync(path.join(mailFolder, name), 'utf8').replaceAll('=\n', '').replaceAll('=3D', '='))
      .findLast((mail) => mail.includes(`To: ${address}`)),
  );
const tokenIn = (mail: string): string => /_token=([\w-]+)/.exec(mail)![1]!;

describe('signing in', () => {
  it('redirects to the requested page, with a new cookie', async () => {
    const user = await makeUser(identity);
    const browser = new TestBrowser(identity);
    await browser.ask(showSignIn, {});
    const before = browser.cookie;
    const answer = await signInWith(browser, user.email, password, '/oauth/authorize?client_id=1');
    expect(answer).toMatchObject({ status: 303, headers: { location: '/oauth/authorize?client_id=1' } });
    expect(answer.headers['set-cookie']).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(browser.cookie).not.toBe(before);
    expect((await browser.ask(showApplications, {})).body).toContain(`Sign out ${user.username}`);
    const seen = await identity.client.call(getUser, { id: user.id }, asAdministrator);
    expect(seen).toMatchObject({ sign_in_count: 1, current_sign_in_ip: '192.0.2.1' });
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example'])('never leads to %s', async (return_to) => {
    const user = await makeUser(identity);
    const answer = await signInWith(new TestBrowser(identity), user.username, password, return_to);
    expect(answer.headers.location).toBe(home);
  });

  it('returns the same error for a wrong password and an unknown user', async () => {
    const user = await makeUser(identity);
    const answers = await Promise.all(
      [user.username, 'nobody-at-all'].map((login) => signInWith(new TestBrowser(identity), login, 'wrong horse')),
    );
    const texts = answers.map(({ status, body }) => ({
      status,
      notice: /<p class="notice[^>]*>([^<]*)/.exec(body)?.[1],
    }));
    expect(texts).toEqual(Array(2).fill({ status: 401, notice: 'Invalid login or password.' }));
  });

  it('is refused for blocked users, and ends for users who are blocked later', async () => {
    const { user, browser } = await signedIn();
    await identity.client.call(blockUser, { id: user.id }, asAdministrator);
    expect(await browser.ask(showApplications, {})).toMatchObject({ status: 303 });
    expect((await signInWith(new TestBrowser(identity), user.username)).body).toContain('has been blocked');
    const event = await eventually(() => identity.events(signInRefused).find(({ data }) => data.user_id === user.id));
    expect(event.data).toMatchObject({ username: user.username, state: 'blocked' });
  });

  it('shows deactivated users the reason', async () => {
    const user = await makeUser(identity);
    await identity.client.call(deactivateUser, { id: user.id }, asAdministrator);
    const { body, status } = await signInWith(new TestBrowser(identity), user.username);
    expect(status).toBe(403);
    expect(body).toContain('Your account has been deactivated');
  });

  it('accepts only forms of this browser', async () => {
    const user = await makeUser(identity);
    const { body } = await new TestBrowser(identity).ask(showSignIn, {});
    const victim = new TestBrowser(identity);
    await victim.ask(showSignIn, {});
    for (const csrf of [undefined, '', hiddenFields(body).csrf]) {
      const answer = await victim.ask(signIn, { login: user.username, password, csrf });
      expect(answer.status).toBe(422);
    }
    expect(await victim.ask(showApplications, {})).toMatchObject({ status: 303 });
  });

  it('ends with signing out', async () => {
    const { browser } = await signedIn();
    const { body } = await browser.ask(showApplications, {});
    const { csrf } = hiddenFields(body);
    expect(await browser.ask(signOut, { csrf })).toMatchObject({ headers: { location: '/users/sign_in' } });
    expect(await browser.ask(showApplications, {})).toMatchObject({ status: 303 });
  });

  it('carries a strict content security policy and no script', async () => {
    const { headers, body } = await new TestBrowser(identity).ask(showSignIn, { return_to: '"><script>' });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'; /,
    );
    expect(body).not.toContain('<script');
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('the sign-in page', () => {
  it('shows the appearance of the instance as text, and follows changes', async () => {
    const shown = {
      title: 'Our <hall>',
      description: 'For all of us',
      logo: '/uploads/-/system/appearance/logo/1/logo.png',
      header_logo: null,
      favicon: null,
      new_project_guidelines: '',
      profile_image_guidelines: '',
      header_message: 'Closed on Sunday',
      footer_message: '',
      message_background_color: '#112233',
      message_font_color: '#ffffff',
      email_header_and_footer_enabled: false,
    };
    identity.respond(readAppearance, () => shown);
    await identity.emit(appearanceChanged, {});
    const page = await eventually(async () => {
      const reply = await new TestBrowser(identity).ask(showSignIn, {});
      return reply.body.includes('Closed on Sunday') ? reply : undefined;
    }, 'the appearance');
    expect(page.body).toContain('Our &lt;hall>');
    expect(page.body).toContain(`<img src="${shown.logo}"`);
    expect(page.body).toContain('background: #112233; color: #ffffff');
    expect(page.headers['content-security-policy']).toContain("img-src 'self'");
    const { body: other } = await new TestBrowser(identity).ask(showForgottenPassword, {});
    expect([other.includes('Closed on Sunday'), other.includes('Our &lt;hall>')]).toEqual([true, false]);
    identity.respond(readAppearance, () => ({ ...shown, title: '', logo: null, header_message: '' }));
    await identity.emit(appearanceChanged, {});
    await eventually(async () => {
      const { body } = await new TestBrowser(identity).ask(showSignIn, {});
      return !body.includes('Closed on Sunday') && !body.includes('<img');
    }, 'the change');
  });
});

describe('failed sign-ins', () => {
  it('are limited for an account from an address, without effect on others', async () => {
    const user = await makeUser(identity);
    const browser = new TestBrowser(identity, '192.0.2.77');
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(await signInWith(browser, user.username, 'wrong horse')).toMatchObject({ status: 401 });
    }
    expect(await signInWith(browser, user.username)).toMatchObject({ status: 429 });
    await expect(
      identity.client.call(authenticateBasic, { username: user.username, password, ip: '192.0.2.77' }),
    ).rejects.toEqual(failure({ code: 'common.too_many_requests' }));
    expect(await signInWith(new TestBrowser(identity, '192.0.2.78'), user.username)).toMatchObject({ status: 303 });
    const other = await makeUser(identity);
    expect(await signInWith(browser, other.username)).toMatchObject({ status: 303 });
  });
});

// Separate services: three failures from one address, thirty from one address or for one account.
describe('sign-ins under a low limit', () => {
  let strict: ServiceUnderTest;
  beforeAll(async () => {
    strict = await startIdentity({ SIGN_IN_FAILURES: '3' });
  });
  afterAll(() => strict?.stop());
  const basic = (username: string, given: string, ip: string) =>
    strict.client.call(authenticateBasic, { username, password: given, ip }).then(
      () => 'in',
      (error: { code: string }) => error.code,
    );

  // A successful sign-in does not count against the limit.
  it('count only when they fail', async () => {
    const user = await makeUser(strict);
    const tries = [];
    for (let turn = 0; turn < 12; turn++) tries.push(await basic(user.username, password, '198.51.100.1'));
    expect(new Set(tries)).toEqual(new Set(['in']));
    expect(await basic(user.username, 'wrong horse', '198.51.100.1')).toBe('common.unauthorized');
    expect(await basic(user.username, password, '198.51.100.1')).toBe('in');
  });

  it('count for an account over all addresses and names, but not from a known address of its owner', async () => {
    const [user, home] = [await makeUser(strict), '198.51.100.7'];
    expect(await basic(user.username, password, home)).toBe('in');
    const outcomes = [];
    for (let turn = 0; turn < 31; turn++) {
      const name = turn % 2 ? user.username : user.email.toUpperCase();
      outcomes.push(await basic(name, 'wrong horse', `203.0.113.${turn}`));
    }
    expect(outcomes.slice(0, 30)).toEqual(Array(30).fill('common.unauthorized'));
    expect(outcomes[30]).toBe('common.too_many_requests');
    // Even the right password is refused from other addresses, but not from the owner's.
    expect(await basic(user.username, password, '203.0.113.200')).toBe('common.too_many_requests');
    expect(await basic(user.username, password, home)).toBe('in');
    // Other users are not affected.
    const other = await makeUser(strict);
    expect(await basic(other.username, password, '203.0.113.200')).toBe('in');
  });

  it('are shown on a page if a form requires the password again', async () => {
    const user = await makeUser(strict);
    const browser = new TestBrowser(strict, '198.51.100.11');
    await signInWith(browser, user.username);
    const fields = { current_password: 'wrong horse', password: 'own horse 1', password_confirmation: 'own horse 1' };
    const change = () => browser.submit(showPassword, {}, changePassword, fields);
    const statuses = [];
    for (let turn = 0; turn < 3; turn++) statuses.push((await change()).status);
    expect(statuses).toEqual([422, 422, 422]);
    const last = await change();
    expect(last).toMatchObject({ status: 429, headers: { 'retry-after': '600' } });
    expect(last.body).toContain('<h1>Too many attempts</h1>');
  });

  it('at a familiar address are limited all the same', async () => {
    const [user, home] = [await makeUser(strict), '198.51.100.9'];
    await basic(user.username, password, home);
    const outcomes = [];
    for (let turn = 0; turn < 4; turn++) outcomes.push(await basic(user.username, 'wrong horse', home));
    expect(outcomes.at(-1)).toBe('common.too_many_requests');
  });
});

describe('two-factor authentication', () => {
  const codeOf = (secret: string, inSeconds = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + inSeconds * 1000 });

  async function withTwoFactor() {
    const { user, browser } = await signedIn();
    const { body } = await browser.ask(showTwoFactor, {});
    const fields = hiddenFields(body);
    expect(await browser.ask(enableTwoFactor, { ...fields, code: '000000' })).toMatchObject({ status: 422 });
    const done = await browser.ask(enableTwoFactor, { ...fields, code: codeOf(fields.secret!) });
    const recovery = [...done.body.matchAll(/<code>([0-9a-f]{16})<\/code>/g)].map(([, code]) => code!);
    expect(recovery).toHaveLength(10);
    return { user, browser, secret: fields.secret!, recovery };
  }

  it('once on ends the sessions that began without it', async () => {
    const { user, browser } = await signedIn();
    const other = new TestBrowser(identity);
    await signInWith(other, user.username);
    const { body } = await browser.ask(showTwoFactor, {});
    const fields = hiddenFields(body);
    await browser.ask(enableTwoFactor, { ...fields, code: codeOf(fields.secret!) });
    expect(await browser.ask(showApplications, {})).toMatchObject({ status: 200 });
    expect(await other.ask(showApplications, {})).toMatchObject({ status: 303 });
  });

  it('asks for a code after the password, and accepts each code once', async () => {
    const { user, secret } = await withTwoFactor();
    const browser = new TestBrowser(identity);
    const first = await signInWith(browser, user.username, password, '/x');
    expect(first.headers.location).toBe('/users/sign_in/two_factor?return_to=%2Fx');
    expect(await browser.ask(showApplications, {})).toMatchObject({ status: 303 });
    const send = (code: string) => browser.submit(showSecondFactor, { return_to: '/x' }, checkSecondFactor, { code });
    // The code that enabled it is used up; the next one is already valid.
    expect(await send(codeOf(secret))).toMatchObject({ status: 401 });
    expect(await send(codeOf(secret, 30))).toMatchObject({ status: 303, headers: { location: '/x' } });
    expect(await browser.ask(showApplications, {})).toMatchObject({ status: 200 });
  });

  it('accepts each recovery code once', async () => {
    const { user, recovery } = await withTwoFactor();
    const statuses = [];
    for (const code of [recovery[0]!, recovery[0]!, recovery[1]!.toUpperCase()]) {
      const browser = new TestBrowser(identity);
      await signInWith(browser, user.username);
      statuses.push((await browser.submit(showSecondFactor, {}, checkSecondFactor, { code })).status);
    }
    expect(statuses).toEqual([303, 401, 303]);
  });

  it('disables git over HTTP with the password, until it is disabled', async () => {
    const { user, browser } = await withTwoFactor();
    const basic = () => identity.client.call(authenticateBasic, { username: user.username, password });
    await expect(basic()).rejects.toEqual(failure({ code: 'common.unauthorized' }));
    const off = (current_password: string) => browser.submit(showTwoFactor, {}, disableTwoFactor, { current_password });
    expect(await off('wrong horse')).toMatchObject({ status: 422 });
    expect(await off(password)).toMatchObject({ status: 200 });
    await expect(basic()).resolves.toBeDefined();
  });
});

it('administrators can remove the second factor of a user, but not of an administrator', async () => {
  const { user, browser } = await signedIn();
  const call = (id: number) => identity.client.call(disableUserTwoFactor, { id }, asAdministrator);
  await expect(call(user.id)).rejects.toEqual(failure({ code: 'user_state.no_two_factor' }));
  const fields = hiddenFields((await browser.ask(showTwoFactor, {})).body);
  const code = new TOTP({ secret: Secret.fromBase32(fields.secret!) }).generate();
  await browser.ask(enableTwoFactor, { ...fields, code });
  // One administrator must remain.
  await makeUser(identity, { admin: true });
  await identity.client.call(updateUser, { id: user.id, admin: true }, asAdministrator);
  await expect(call(user.id)).rejects.toEqual(failure({ code: 'user_state.administrator_two_factor' }));
  await identity.client.call(updateUser, { id: user.id, admin: false }, asAdministrator);
  await call(user.id);
  await identity.client.call(authenticateBasic, { username: user.username, password });
});

describe('a password that an administrator set', () => {
  it('ends the sessions that began with another', async () => {
    const { user, browser } = await signedIn();
    await identity.client.call(updateUser, { id: user.id, bio: 'changed' }, asAdministrator);
    expect(await browser.ask(showApplications, {})).toMatchObject({ status: 200 });
    await identity.client.call(updateUser, { id: user.id, password: 'given horse' }, asAdministrator);
    expect((await browser.ask(showApplications, {})).headers.location).toMatch(/^\/users\/sign_in\?/);
  });

  it('must be changed first', async () => {
    const user = await makeUser(identity);
    await identity.client.call(updateUser, { id: user.id, password: 'given horse' }, asAdministrator);
    const browser = new TestBrowser(identity);
    const answer = await signInWith(browser, user.username, 'given horse', '/x');
    expect(answer.headers.location).toBe('/-/profile/password?return_to=%2Fx');
    expect(await browser.ask(showApplications, {})).toMatchObject({ status: 303 });
    const change = (fields: object) =>
      browser.submit(showPassword, { return_to: '/x' }, changePassword, {
        current_password: 'given horse',
        password: 'own horse 1',
        password_confirmation: 'own horse 1',
        ...fields,
      });
    for (const wrong of [
      { current_password: 'x' },
      { password: 'short', password_confirmation: 'short' },
      { password_confirmation: 'other' },
      { password: 'given horse', password_confirmation: 'given horse' },
    ]) {
      expect(await change(wrong)).toMatchObject({ status: 422 });
    }
    expect(await change({})).toMatchObject({ status: 303, headers: { location: '/x' } });
    expect(await browser.ask(showApplications, {})).toMatchObject({ status: 200 });
    await identity.client.call(authenticateBasic, { username: user.username, password: 'own horse 1' });
  });

  it('once changed ends the other sessions', async () => {
    const { user, browser } = await signedIn();
    const other = new TestBrowser(identity);
    await signInWith(other, user.username);
    const fields = { current_password: password, password: 'own horse 1', password_confirmation: 'own horse 1' };
    expect(await browser.submit(showPassword, {}, changePassword, fields)).toMatchObject({ status: 200 });
    expect(await browser.ask(showApplications, {})).toMatchObject({ status: 200 });
    expect(await other.ask(showApplications, {})).toMatchObject({ status: 303 });
  });
});

describe('a forgotten password', () => {
  it('is replaced through a mailed link, once', async () => {
    const user = await makeUser(identity);
    const browser = new TestBrowser(identity);
    await browser.submit(showForgottenPassword, {}, requestPasswordReset, { email: user.email });
    const reset_password_token = tokenIn(await mailTo(user.email));
    const fields = { password: 'fresh horse', password_confirmation: 'fresh horse' };
    const send = () => browser.submit(showPasswordReset, { reset_password_token }, resetPassword, fields);
    expect(await send()).toMatchObject({ status: 200 });
    await identity.client.call(authenticateBasic, { username: user.username, password: 'fresh horse' });
    expect((await browser.ask(showPasswordReset, { reset_password_token })).status).toBe(404);
  });

  it('returns the same answer for unknown addresses', async () => {
    const user = await makeUser(identity);
    const answers = await Promise.all(
      [user.email, 'nobody@example.com'].map(async (email) => {
        const browser = new TestBrowser(identity, '192.0.2.9');
        const { status, body } = await browser.submit(showForgottenPassword, {}, requestPasswordReset, { email });
        return { status, body: body.replace(/value="[^"]*"/g, '') };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  it('of a user who was created with reset_password is set through the first mail', async () => {
    const email = 'newcomer@example.com';
    const given = { username: 'newcomer', name: 'New Comer', email, reset_password: true, skip_confirmation: true };
    await identity.client.call(createUser, given, asAdministrator);
    const mail = await mailTo(email);
    expect(mail).toContain('http://moothall.test/users/password/edit?reset_password_token=');
    const file = readdirSync(mailFolder).find((name) => name.endsWith('.eml'))!;
    expect(statSync(path.join(mailFolder, file)).mode & 0o077).toBe(0);
  });
});

describe('an address', () => {
  it('is confirmed by the link that is mailed to it, once', async () => {
    const user = await makeUser(identity);
    const email = `second-${user.email}`;
    await identity.client.call(addOwnEmail, { email }, { caller: callerFor(user) });
    const confirmation_token = tokenIn(await mailTo(email));
    const browser = new TestBrowser(identity);
    expect(await browser.ask(confirmEmail, { confirmation_token })).toMatchObject({ status: 200 });
    expect(await browser.ask(confirmEmail, { confirmation_token })).toMatchObject({ status: 404 });
    const { items } = await identity.client.call(listOwnEmails, {}, { caller: callerFor(user) });
    expect(items[0]!.confirmed_at).not.toBeNull();
  });

  it('that is new becomes the primary one once confirmed', async () => {
    const user = await makeUser(identity);
    const email = `new-${user.email}`;
    await identity.client.call(updateUser, { id: user.id, email }, asAdministrator);
    await new TestBrowser(identity).ask(confirmEmail, { confirmation_token: tokenIn(await mailTo(email)) });
    const seen = await identity.client.call(getUser, { id: user.id }, asAdministrator);
    expect(seen).toMatchObject({ email, unconfirmed_email: null });
  });
});
