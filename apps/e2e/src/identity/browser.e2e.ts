import { rmSync } from 'node:fs';
import path from 'node:path';
import { type BaseClient, generators, Issuer } from 'openid-client';
import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ask, connection, newUser, root } from '../server/connection';
import { fill, launchBrowser, newPageIn, noScript, press, signIn } from './chromium';
import { type LocalServer, serve } from './local-server';

// Pages are opened one after the other, in a real browser.
jest.setTimeout(300_000);

const screenshots = path.resolve(__dirname, '../../test-output/screenshots');
const phone = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

let browser: Browser;
beforeAll(async () => {
  rmSync(screenshots, { recursive: true, force: true });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const newPage = (options?: BrowserContextOptions): Promise<Page> => newPageIn(browser, options);

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
/** Links of the account and the sign-out are in a menu. */
const openMenu = (page: Page) => page.locator('header summary').click();

/** Waits for a page by its title, checks the rules of every page, and takes a screenshot. */
async function shows(page: Page, title: string, picture: string): Promise<void> {
  await heading(page, title).waitFor();
  expect(await page.locator('script').count()).toBe(0);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(page.viewportSize()!.width);
  await page.screenshot({ path: path.join(screenshots, `${picture}.png`), fullPage: true });
}

describe('a user without scripts', () => {
  it('signs in after a wrong password, and out again', async () => {
    const user = await newUser('guest');
    const page = await newPage(noScript);
    await page.goto('/-/profile/applications');
    await signIn(page, { ...user, password: 'not the password' });
    await page.getByText('Invalid login or password.').waitFor();
    expect(await page.getByLabel('Username or email address').inputValue()).toBe(user.username);
    await shows(page, 'Sign in', 'sign-in-refused');
    await signIn(page, user);
    await shows(page, 'Applications', 'applications-none');
    await openMenu(page);
    await press(page, `Sign out ${user.username}`);
    await shows(page, 'Sign in', 'sign-in');
    await page.goto('/-/profile/applications');
    await heading(page, 'Sign in').waitFor();
  });

  it('switches the second factor on and signs in with its code', async () => {
    const user = await newUser('guest');
    const page = await newPage(noScript);
    await page.goto('/-/profile/two_factor_auth');
    await signIn(page, user);
    await shows(page, 'Two-factor authentication', 'two-factor-enable');
    const totp = new TOTP({ secret: Secret.fromBase32((await page.locator('p code').textContent())!) });
    await fill(page, 'Six-digit code of the app', totp.generate());
    await press(page, 'Switch on');
    await shows(page, 'Recovery codes', 'two-factor-recovery-codes');
    const recoveryCode = (await page.locator('li code').first().textContent())!;

    const codeField = 'Code from your authenticator app, or a recovery code';
    // The code that enabled it is used up; the next one is already valid, because clocks differ.
    const nextCode = totp.generate({ timestamp: Date.now() + totp.period * 1000 });
    for (const [picture, code] of Object.entries({ code: nextCode, 'recovery-code': recoveryCode })) {
      await openMenu(page);
      await press(page, `Sign out ${user.username}`);
      await signIn(page, user);
      await fill(page, codeField, 'wrong');
      await press(page, 'Verify');
      await page.getByText('Invalid code.').waitFor();
      await shows(page, 'Two-factor authentication', `two-factor-${picture}`);
      await fill(page, codeField, code);
      await press(page, 'Verify');
      await heading(page, 'Your work').waitFor();
    }
  });
});

describe('an application', () => {
  const scopes = { openid: 'Know who you are', read_user: 'Read your profile: name, username, email addresses, keys' };
  let callback: LocalServer;
  let redirectUri: string;
  let client: BaseClient;
  beforeAll(async () => {
    callback = await serve((_, response) => response.end('Welcome back'));
    redirectUri = `${callback.origin}/callback`;
    const made = await root.Applications.create('Chart tool', redirectUri, Object.keys(scopes).join(' '));
    const { Client } = await Issuer.discover(connection.url);
    const id = String(made.applicationId ?? made.application_id);
    client = new Client({ client_id: id, client_secret: String(made.secret), redirect_uris: [redirectUri] });
  });
  afterAll(() => callback.close());

  it.each<[string, BrowserContextOptions, string]>([
    ['on a phone', phone, 'phone'],
    ['without scripts', noScript, 'no-script'],
  ])('is authorized by its user, signs them in and is revoked, %s', async (_, options, picture) => {
    const user = await newUser('guest');
    const page = await newPage(options);
    const [verifier, state] = [generators.codeVerifier(), generators.state()];
    const challenge = { code_challenge: generators.codeChallenge(verifier), code_challenge_method: 'S256' };
    await page.goto(client.authorizationUrl({ scope: Object.keys(scopes).join(' '), state, ...challenge }));
    await signIn(page, user);
    await shows(page, 'Authorize Chart tool?', `consent-${picture}`);
    for (const words of [user.username, ...Object.values(scopes)]) {
      expect(await page.getByRole('main').getByText(words).isVisible()).toBe(true);
    }
    await press(page, 'Authorize');
    await page.waitForURL(`${redirectUri}?*`);
    await page.getByText('Welcome back').waitFor();

    const tokens = await client.callback(redirectUri, client.callbackParams(page.url()), {
      code_verifier: verifier,
      state,
    });
    expect(tokens.claims().sub).toBe(String(user.id));
    const api = () => ask('/api/v4/user', { headers: { authorization: `Bearer ${tokens.access_token}` } });
    expect((await api()).status).toBe(200);
    await page.goto('/-/profile/applications');
    await heading(page, 'Applications').waitFor();
    await page.getByRole('listitem').filter({ hasText: scopes.read_user }).waitFor();
    await shows(page, 'Applications', `applications-${picture}`);
    await page.getByText('Revoke…', { exact: true }).click();
    await press(page, 'Revoke Chart tool');
    await page.getByText('No application can use your account.').waitFor();
    expect((await api()).status).toBe(401);
  });

  it('gets an error when its user denies', async () => {
    const user = await newUser('guest');
    const page = await newPage();
    await page.goto(client.authorizationUrl({ scope: 'read_user', state: 'kept' }));
    await signIn(page, user);
    await press(page, 'Deny');
    await page.waitForURL(`${redirectUri}?*`);
    expect(client.callbackParams(page.url())).toMatchObject({ error: 'access_denied', state: 'kept' });
  });
});

describe('on a phone', () => {
  it('a user chooses a new password when an administrator has set it', async () => {
    const user = await newUser('guest');
    const [given, chosen] = [`given-${user.username}`, `chosen-${user.username}`];
    await root.Users.edit(user.id, { password: given });
    const page = await newPage(phone);
    await page.goto('/users/sign_in');
    await signIn(page, { ...user, password: given });
    await page.getByText('Choose a new one to continue.').waitFor();
    await shows(page, 'Change password', 'password-due');
    await page.goto('/-/profile/applications');
    await heading(page, 'Change password').waitFor();
    const change = async (confirmation: string) => {
      await fill(page, 'Current password', given);
      await fill(page, 'New password (at least 8 characters)', chosen);
      await fill(page, 'Repeat the new password', confirmation);
      await press(page, 'Save password');
    };
    await change('something else');
    await page.getByText("Password confirmation doesn't match.").waitFor();
    await change(chosen);
    await heading(page, 'Applications').waitFor();
    await openMenu(page);
    await press(page, `Sign out ${user.username}`);
    await signIn(page, { ...user, password: given });
    await page.getByText('Invalid login or password.').waitFor();
    await signIn(page, { ...user, password: chosen });
    await heading(page, 'Your work').waitFor();
  });

  it('every page fits', async () => {
    const user = await newUser('guest');
    const page = await newPage(phone);
    await page.goto('/users/sign_in');
    await shows(page, 'Sign in', 'sign-in-phone');
    await signIn(page, user);
    await shows(page, 'Your work', 'start-phone');
    await openMenu(page);
    await page.locator('header').getByRole('link', { name: 'Applications' }).click();
    await shows(page, 'Applications', 'applications-none-phone');
    await openMenu(page);
    await page.locator('header').getByRole('link', { name: 'Two-factor' }).click();
    await shows(page, 'Two-factor authentication', 'two-factor-phone');
    await openMenu(page);
    await page.locator('header').getByRole('link', { name: 'Password' }).click();
    await shows(page, 'Change password', 'password-phone');
  });
});
