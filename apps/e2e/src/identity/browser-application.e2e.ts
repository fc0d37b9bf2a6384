import { readFileSync } from 'node:fs';
import { generators, Issuer } from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { ask, connection, newUser, root } from '../server/connection';
import { launchBrowser, newPageIn, press, signIn } from './chromium';
import { type LocalServer, serve } from './local-server';

/* A single-page application on another origin, which signs its users in with PKCE. */

const library = readFileSync(require.resolve('oidc-client-ts').replace(/umd.*$/, 'browser/oidc-client-ts.min.js'));

/** The script of the application's page; it writes its progress to `#result`. */
const script = `
const settings = JSON.parse(document.getElementById('settings').textContent);
const manager = new oidc.UserManager({ ...settings, redirect_uri: location.origin + '/app', automaticSilentRenew: false });
const show = (result) => { document.getElementById('result').textContent = JSON.stringify(result); };
const api = (path, token, init = {}) =>
  fetch(settings.authority + path, { ...init, headers: { ...init.headers, Authorization: 'Bearer ' + token } });

const textOf = (base64url) => Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));

async function isSigned(idToken, { jwks_uri }) {
  const [head, body, signature] = idToken.split('.');
  const { kid } = JSON.parse(new TextDecoder().decode(textOf(head)));
  const { keys } = await (await fetch(jwks_uri)).json();
  const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('jwk', keys.find((each) => each.kid === kid), rsa, false, ['verify']);
  return crypto.subtle.verify(rsa, key, textOf(signature), new TextEncoder().encode(head + '.' + body));
}

async function useAccount() {
  const user = await manager.signinRedirectCallback();
  const metadata = await manager.metadataService.getMetadata();
  const mine = await api('/api/v4/user', user.access_token);
  const list = await api('/api/v4/projects?owned=true', user.access_token);
  const change = await api('/api/v4/projects', user.access_token, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"From elsewhere"}',
  });
  const renewed = await manager.signinSilent();
  const cookies = await fetch(settings.authority + '/api/v4/user', { credentials: 'include' }).catch((error) => error.name);
  await manager.revokeTokens(['access_token', 'refresh_token']);
  const after = await api('/api/v4/user', renewed.access_token);
  return {
    profile: user.profile.preferred_username,
    isSigned: await isSigned(user.id_token, metadata),
    username: (await mine.json()).username,
    total: list.headers.get('x-total'),
    statuses: [mine.status, list.status, change.status, after.status],
    isRenewed: renewed.access_token !== user.access_token,
    challenge: after.headers.get('www-authenticate'),
    cookies,
  };
}

if (new URLSearchParams(location.search).has('state')) useAccount().then(show, (error) => show({ error: String(error) }));
document.getElementById('sign-in').onclick = () => manager.signinRedirect().catch((error) => show({ error: String(error) }));
`;

let browser: Browser;
let elsewhere: LocalServer;
let settings: object = {};
beforeAll(async () => {
  browser = await launchBrowser();
  elsewhere = await serve(({ url = '' }, response) => {
    const isLibrary = url === '/library.js';
    response.setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isLibrary ? library : pageAt(url));
  });
});
afterAll(async () => {
  elsewhere?.close();
  await browser?.close();
});

function pageAt(url: string): string {
  if (url.startsWith('/frame')) return `<iframe src="${connection.url}/users/sign_in"></iframe>`;
  return `<!doctype html><title>Elsewhere</title><button id="sign-in">Sign in</button><output id="result"></output>
<script type="application/json" id="settings">${JSON.stringify(settings)}</script>
<script src="/library.js"></script><script>${script}</script>`;
}

async function register(redirectUri: string, scopes: string): Promise<string> {
  const made = await root.Applications.create('Elsewhere', redirectUri, scopes, { confidential: false });
  return String(made.applicationId ?? made.application_id);
}

async function resultOf(page: Page): Promise<unknown> {
  await page.waitForFunction('document.getElementById("result")?.textContent');
  return JSON.parse((await page.locator('#result').textContent())!);
}

it('a page of another origin signs in, uses the interface, renews and revokes its tokens', async () => {
  const user = await newUser('guest');
  const scope = 'openid profile api';
  const client_id = await register(`${elsewhere.origin}/app`, scope);
  settings = { authority: connection.url, client_id, scope, loadUserInfo: true };
  const page = await newPageIn(browser);
  const failures: string[] = [];
  page.on('pageerror', ({ message }) => failures.push(message));
  await page.goto(`${elsewhere.origin}/app`);
  await press(page, 'Sign in');
  await signIn(page, user);
  await press(page, 'Authorize');
  await page.waitForURL(`${elsewhere.origin}/app?*`);
  expect(await resultOf(page)).toEqual({
    profile: user.username,
    isSigned: true,
    username: user.username,
    total: '0',
    statuses: [200, 200, 201, 401],
    isRenewed: true,
    challenge: expect.stringContaining('"invalid_token"'),
    // The browser is signed in there, but its cookies are not sent to other origins.
    cookies: 'TypeError',
  });
  expect(failures).toEqual([]);
});

it('a page of another origin reads no page of the server, and frames none', async () => {
  const page = await newPageIn(browser);
  await page.goto(`${elsewhere.origin}/frame`);
  for (const hidden of ['/users/sign_in', '/oauth/authorize', '/-/profile/applications', '/oauth/introspect', '/']) {
    const read = `fetch(${JSON.stringify(connection.url + hidden)}).then(() => 'read', ({ name }) => name)`;
    expect([hidden, await page.evaluate(read)]).toEqual([hidden, 'TypeError']);
  }
  const [, frame] = page.frames();
  expect(await frame!.locator('form').count()).toBe(0);
});

it('an application on the user’s machine signs in through the browser and a port of the moment', async () => {
  const user = await newUser('guest');
  const client_id = await register('http://127.0.0.1/back', 'openid read_user');
  const own = await serve((_, response) => response.end('Go back to the application'));
  try {
    const redirectUri = `${own.origin}/back`;
    const { Client } = await Issuer.discover(connection.url);
    const client = new Client({ client_id, token_endpoint_auth_method: 'none', redirect_uris: [redirectUri] });
    const [code_verifier, state, nonce] = [generators.codeVerifier(), generators.state(), generators.nonce()];
    const challenge = { code_challenge: generators.codeChallenge(code_verifier), code_challenge_method: 'S256' };
    const page = await newPageIn(browser);
    await page.goto(client.authorizationUrl({ scope: 'openid read_user', state, nonce, ...challenge }));
    await signIn(page, user);
    await press(page, 'Authorize');
    await page.waitForURL(`${redirectUri}?*`);
    const checks = { code_verifier, state, nonce };
    const tokens = await client.callback(redirectUri, client.callbackParams(page.url()), checks);
    expect(tokens.claims().sub).toBe(String(user.id));
    const refreshed = await client.refresh(tokens);
    const api = () => ask('/api/v4/user', { headers: { authorization: `Bearer ${refreshed.access_token}` } });
    expect((await api()).status).toBe(200);
    await client.revoke(refreshed.access_token!);
    expect((await api()).status).toBe(401);
  } finally {
    own.close();
  }
});
