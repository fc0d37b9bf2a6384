import { readFileSync } from 'node:fs';
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { fill, inTabs, launchBrowser, newPageIn, noScript, press, signIn } from '../identity/chromium';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { addEveryRecord, inTurn, ownPaths, publicPaths, type Records } from './every-record';

/*
 * Every page, at the width of the smallest phone, light and dark, with unusual texts: nothing overflows, and there are
 * no accessibility problems.
 */

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const long = 'Verwaltungsprogrammabteilungsleiterstellvertreterzimmer'.repeat(3);
const turning = 'أداة الرسوم\u202egnp البيانية';
const uri = `https://app.example/${long.toLowerCase()}`;
const everyScope = 'api read_api read_user read_repository write_repository sudo openid profile email';

let browser: Browser;
let records: Records;
let person: Records['person'];
const ids: Record<string, string> = {};

beforeAll(async () => {
  browser = await launchBrowser();
  for (const name of [long, turning]) {
    const made = await root.Applications.create(name, `${uri}\nurn:ietf:wg:oauth:2.0:oob`, everyScope);
    ids[name] = String(made.applicationId ?? made.application_id);
  }
  records = await addEveryRecord({
    ...{
      word: long,
      groupName: 'أداة الرسوم',
      name: () => long,
      label: inTurn(long, turning),
      title: () => `${long} ${turning}`,
      url: uri,
    },
    text: () => `${long} ${turning}\n\n    ${long}`,
    code: `// ${long} ${turning}\nexport const text = '${long.repeat(3)}' + /x/ + 1;\n`,
    log: `${long} ${turning}\n`,
    search: long,
  });
  person = records.person;
  const banner = { message: `${long} ${turning}`, target_path: `${records.projectPath}/*` };
  await askJson('POST', '/broadcast_messages', { token: connection.token, body: banner });
}, 60_000);
afterAll(() => browser?.close());

const authorize = (name: string, over: Record<string, string> = {}): string => {
  const request = { client_id: ids[name]!, redirect_uri: uri, response_type: 'code', scope: everyScope };
  return `/oauth/authorize?${new URLSearchParams({ ...request, ...over })}`;
};

type Step = [name: string, go: (page: Page) => Promise<unknown>];

/** Addresses that are opened before anybody signs in. */
const publicAddresses = (): string[] => [
  ...['/-/reference', `/${long}/${long}`, ...publicPaths(records), '/oauth/authorize?client_id=unknown'],
  '/explore?private_token=x',
  ...[authorize(long, { redirect_uri: 'https://evil.example' }), '/users/password/new'],
  ...['/users/password/edit?reset_password_token=x', '/users/confirmation?confirmation_token=x'],
];

/** Steps to further pages, one after the other. */
const signInSteps: Step[] = [
  ['burndown opened', (page) => openBurndown(page)],
  ['sign-in', (page) => page.goto('/users/sign_in')],
  ['sign-in refused', (page) => signIn(page, { username: long, password: 'wrong' })],
  ['applications', (page) => signInForApplications(page)],
];

const ownSteps: Step[] = [
  ['page of a wiki refused', (page) => refuseWikiPage(page)],
  ['snippet refused', (page) => refuseSnippet(page)],
  ['reply', (page) => page.goto(inProject('issues/1')).then(() => page.getByText('Reply').first().click())],
  ['issue refused', (page) => refuseIssue(page)],
  ['token created', (page) => createToken(page)],
  ['token refused', (page) => createToken(page, [])],
  ['settings saved', (page) => page.goto(`${records.projectPath}/edit`).then(() => press(page, 'Save'))],
  ['webhook refused', (page) => refuseHook(page)],
  ['deploy key refused', (page) => refuseDeployKey(page)],
  ['deploy token created', (page) => createDeployToken(page, long)],
  ['deploy token refused', (page) => createDeployToken(page, turning)],
  ['variable refused', (page) => refuseVariable(page)],
  ['own menu', (page) => page.locator('header summary').click()],
  ['applications again', (page) => page.goto('/-/profile/applications')],
  ['application registered', (page) => register(page)],
  ['application not registered', (page) => register(page, 'javascript:alert(1)')],
  ['steps opened', (page) => page.goto('/-/profile/applications').then(() => openSummaries(page))],
  ['consent, long name', (page) => page.goto(authorize(long))],
  ['consent, turning name', (page) => page.goto(authorize(turning, { response_mode: 'form_post' }))],
  ['back by form', (page) => press(page, 'Authorize')],
  ['code to copy', (page) => copyCode(page)],
];

const inProject = (part: string): string => `${records.projectPath}/-/${part}`;

async function refuseIssue(page: Page): Promise<void> {
  await page.goto(inProject('issues/new'));
  await fill(page, 'Title', ' ');
  await fill(page, 'Other labels', `${long}, ${turning}`);
  await press(page, 'Create issue');
}

async function refuseWikiPage(page: Page): Promise<void> {
  await page.goto(inProject('wikis/new'));
  await fill(page, 'Title', `${turning}/../${long}`);
  await fill(page, 'Content', `${long} ${turning}`);
  await press(page, 'Create page');
}

/** With the fields of two more files, and a confirmation opened. */
async function refuseSnippet(page: Page): Promise<void> {
  await page.goto(`${records.personalSnippet}/edit`);
  for (const at of [0, 1]) await page.getByText('Add a file').nth(at).click();
  await page.locator('[name=name_4]').fill(`${long} ${turning}`);
  await press(page, 'Save');
  await page.getByText('Delete…').click();
}

async function refuseHook(page: Page): Promise<void> {
  await page.goto(inProject('hooks'));
  await fill(page, 'URL', `ftp://${long}.example/${turning}`);
  await fill(page, 'Secret token', 'a secret');
  await press(page, 'Add webhook');
}

async function register(page: Page, redirectUri = uri): Promise<void> {
  await fill(page, 'Name', `${long} ${turning}`);
  await fill(page, 'Redirect URIs, one per line', `${redirectUri}\ncom.example.app:/back`);
  for (const box of await page.locator('input[name="scopes[]"]').all()) await box.check();
  await press(page, 'Register');
}

async function createToken(page: Page, scopes = ['api', 'read_user']): Promise<void> {
  await page.goto('/-/user_settings/personal_access_tokens');
  await fill(page, 'Name', `${long} ${turning}`.slice(0, 255));
  for (const scope of scopes) await page.locator(`input[value="${scope}"]`).check();
  await press(page, 'Create token');
}

async function refuseDeployKey(page: Page): Promise<void> {
  await page.goto(inProject('deploy_keys'));
  await fill(page, 'Key', `${long} ${turning}`);
  await page.getByLabel('Title', { exact: true }).last().fill(`${long} ${turning}`);
  await press(page, 'Add key');
}

async function createDeployToken(page: Page, username: string): Promise<void> {
  await page.goto(inProject('deploy_tokens'));
  await fill(page, 'Name', `${turning} ${long}`);
  await fill(page, 'Username', username);
  for (const box of await page.locator('input[name="scopes[]"]').all()) await box.check();
  await press(page, 'Create token');
}

async function refuseVariable(page: Page): Promise<void> {
  await page.goto(inProject('variables'));
  await fill(page, 'Key', `${long} ${turning}`);
  for (const label of ['Value', 'Description'])
    await page.getByLabel(label, { exact: true }).last().fill(`${long} ${turning}`);
  await press(page, 'Add variable');
}

/** Clicks each one that nothing covers, within the page: that also works at once in a tab in the background. */
const openSummaries = (page: Page): Promise<void> =>
  page.evaluate(`for (const summary of document.querySelectorAll('main summary')) {
    summary.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = summary.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!summary.contains(hit)) throw new Error(hit?.outerHTML + ' covers ' + summary.outerHTML);
    summary.click();
  }`);

async function openBurndown(page: Page): Promise<void> {
  await page.goto(inProject('milestones/1'));
  await page.locator('figure summary').click();
}

async function signInForApplications(page: Page): Promise<void> {
  await page.goto('/-/profile/applications');
  await signIn(page, person);
  await page.getByLabel('Redirect URIs, one per line').waitFor();
}

async function copyCode(page: Page): Promise<void> {
  await page.goto(authorize(long, { redirect_uri: 'urn:ietf:wg:oauth:2.0:oob', state: 'x' }));
  await press(page, 'Authorize');
}

/** Accessibility problems of a page. */
async function faultsOf(page: Page): Promise<string[]> {
  const tooWide = await page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const over = [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > clientWidth);
    return ['runs over the edge: ' + scrollWidth + ' > ' + clientWidth + ': ' + over.map((each) => each.outerHTML.slice(0, 80))];
  })()`);
  await page.evaluate(axe);
  const barriers = await barriersOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Only colors differ in dark mode.
  const inDark = await barriersOf(page, 'color-contrast');
  await page.emulateMedia({ colorScheme: 'light' });
  return [...tooWide, ...barriers, ...inDark.map((barrier) => `dark: ${barrier}`)];
}

const barriersOf = (page: Page, ...rules: string[]): Promise<string[]> =>
  page.evaluate<string[]>(
    `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...(rules.length > 0 && { runOnly: rules }) })})
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120))))`,
  );

it('every page fits 320 pixels and passes axe, light and dark', async () => {
  const viewport = { width: 320, height: 640 };
  const page = await newPageIn(browser, { viewport, isMobile: true, hasTouch: true, locale: 'en' });
  const faults: Record<string, string[]> = {};
  const take = async (tab: Page, [name, go]: Step) => {
    await go(tab);
    await tab.locator('h1').first().waitFor();
    const found = await faultsOf(tab);
    if (found.length > 0) faults[`${name} (${tab.url()})`] = found;
  };
  await inTabs(page, publicAddresses(), (tab, path) => take(tab, [path, () => tab.goto(path)]));
  for (const step of signInSteps) await take(page, step);
  await inTabs(page, ownPaths(records), (tab, path) =>
    take(tab, [`own ${path}`, () => tab.goto(path).then(() => openSummaries(tab))]),
  );
  for (const step of ownSteps) await take(page, step);
  expect(faults).toEqual({});
}, 300_000);

it('the second factor, from its first code to its last page', async () => {
  const user = await newUser('guest');
  const page = await newPageIn(browser, { viewport: { width: 320, height: 640 } });
  await page.goto('/-/profile/two_factor_auth');
  await signIn(page, user);
  const totp = new TOTP({ secret: Secret.fromBase32((await page.locator('p code').textContent())!) });
  await fill(page, 'Six-digit code of the app', totp.generate());
  await press(page, 'Switch on');
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.goto('/-/profile/two_factor_auth');
  expect(await faultsOf(page)).toEqual([]);
  await page.context().clearCookies();
  await page.goto('/-/profile/applications');
  await signIn(page, user);
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
});

it('every page for administrators fits 320 pixels and passes axe, light and dark', async () => {
  const [hook, node, user] = [await systemHook(), await geoNode(), await newUser(long.slice(0, 100).toLowerCase())];
  await root.Users.edit(user.id, { name: `${long} ${turning}`, note: `${long} ${turning}` });
  const viewport = { width: 320, height: 640 };
  const page = await newPageIn(browser, { viewport, isMobile: true, hasTouch: true, locale: 'en' });
  await page.goto('/admin');
  await signIn(page, connection);
  await page.locator('nav[aria-label=Administration]').waitFor();
  const faults: Record<string, string[]> = {};
  const paths = [
    ...['/admin', '/admin/users', `/admin/users?search=${user.username}`, '/admin/users/new'],
    ...['', '/edit', '/impersonation_tokens'].map((below) => `/admin/users/${user.username}${below}`),
    ...['/admin/hooks', `/admin/hooks/${hook.id}/edit`, `/admin/hooks/${hook.id}/hook_logs/${hook.event}`],
    ...['/admin/application_settings/general', '/admin/application_settings/network'],
    ...['/admin/application_settings/appearance', '/admin/geo/nodes', '/admin/repository_storage_moves'],
    ...[`/admin/geo/nodes/${node.id}/edit`, '/admin/background_jobs'],
  ];
  await inTabs(page, paths, async (tab, path) => {
    await tab.goto(path);
    await openSummaries(tab);
    expect([path, await tab.locator('nav[aria-label=Administration]').count()]).toEqual([path, 1]);
    const found = await faultsOf(tab);
    if (found.length > 0) faults[path] = found;
  });
  await page.goto('/admin/users/new');
  for (const label of ['Name', 'Username', 'Email address']) await fill(page, label, `${long} ${turning}`);
  await press(page, 'Create user');
  await page.getByRole('alert').waitFor();
  expect([faults, await faultsOf(page)]).toEqual([{}, []]);
  await root.SystemHooks.remove(hook.id);
  await root.GeoNodes.remove(node.id);
}, 120_000);

/** With a delivery. */
async function systemHook(): Promise<{ id: number; event: number }> {
  const api = async (method: string, below: string, body?: object) =>
    (await askJson(method, `/hooks${below}`, { token: connection.token, ...(body && { body }) })).body;
  const url = `http://127.0.0.1:1/${long}`;
  const { id } = await api('POST', '', { url, name: `${long} ${turning}`, repository_update_events: false });
  // Nothing listens there, so the test fails.
  await api('POST', `/${id}`);
  const [event] = (await api('GET', `/${id}/events`)) as unknown as { id: number }[];
  return { id: Number(id), event: event!.id };
}

const geoNode = () =>
  root.GeoNodes.create(`${uniqueName('node')} ${long.slice(0, 150)} ${turning}`, `${uri}/${uniqueName('n')}`);

it('the queues, for administrators', async () => {
  const page = await newPageIn(browser);
  await page.goto('/admin/background_jobs');
  await signIn(page, connection);
  await page.getByRole('heading', { name: 'Queues' }).waitFor();
  expect(await page.getByText('integrations.lines').count()).toBeGreaterThan(0);
});

it('no name turns the words around it', async () => {
  const page = await newPageIn(browser);
  await page.goto(authorize(turning, { scope: 'read_user' }));
  await signIn(page, person);
  await page.getByRole('button', { name: 'Authorize' }).waitFor();
  expect(await page.locator('main').textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(await page.title()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(await page.locator('h1 bdi').textContent()).toContain('أداة');
});

it('an application is deleted at the second word, without scripts', async () => {
  const user = await newUser('guest');
  const page = await newPageIn(browser, noScript);
  await page.goto('/-/profile/applications');
  await signIn(page, user);
  await fill(page, 'Name', 'Short-lived');
  await fill(page, 'Redirect URIs, one per line', 'https://app.example/cb');
  await page.getByLabel('Read your primary email address').check();
  await press(page, 'Register');
  const id = (await page.locator('#application_id').textContent())!;
  const button = page.getByRole('button', { name: 'Delete Short-lived' });
  expect(await button.isVisible()).toBe(false);
  await page.getByText('Delete…', { exact: true }).click();
  await page.getByText('its ID and secret are good for nothing').waitFor();
  await button.click();
  await page.waitForURL(`${connection.url}/-/profile/applications`);
  expect(await page.getByText(id).count()).toBe(0);
});

it('pages for browsers, records for programs', async () => {
  for (const path of ['/', '/nothing/here', records.projectPath]) {
    const asked = (accept: string) => fetch(connection.url + path, { headers: { accept } });
    const [page, record] = [await asked('text/html,*/*;q=0.8'), await asked('application/json')];
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(record.headers.get('content-type')).toMatch(/^application\/json/);
    expect(page.headers.get('vary')).toContain('Accept');
    const text = await page.text();
    for (const link of ['/-/reference', '/users/sign_in']) expect(text).toContain(`href="${link}"`);
  }
});
