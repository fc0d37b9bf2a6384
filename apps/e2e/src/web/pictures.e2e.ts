import type { Browser } from 'playwright-core';
import { launchBrowser, newPageIn, noScript, press, signIn } from '../identity/chromium';
import { PageVisitor } from '../identity/page-visitor';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';

/* Pictures of users, projects, groups and the instance, sent with forms of pages. */

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkM9/ADwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** A picture of some size. */
const png = (bytes = dot.length) => new File([dot, Buffer.alloc(bytes - dot.length)], 'me.png', { type: 'image/png' });
const text = new File(['A text'], 'me.png', { type: 'image/png' });
const profile = '/-/user_settings/profile';

const visitor = new PageVisitor();
let browser: Browser;
let ada: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  [browser, ada] = await Promise.all([launchBrowser(), newUser('ada')]);
  await visitor.signIn(ada.username, ada.password);
});
afterAll(() => browser?.close());

const newProject = async () => {
  const path = uniqueName('pictured');
  const { id } = await ada.client.Projects.create({ name: path, path });
  return { api: `/projects/${id}`, page: `/${ada.username}/${path}/edit`, form: 'settings' };
};
const newGroup = async () => {
  const path = uniqueName('pictured');
  const { id } = await ada.client.Groups.create(path, path, { visibility: 'private' });
  return { api: `/groups/${id}`, page: `/groups/${path}/-/edit`, form: 'settings' };
};
const kinds = [
  ['a user', async () => ({ api: '/user', page: profile, form: 'profile' })],
  ['a project', newProject],
  ['a group', newGroup],
] as const;

const recordOf = async (api: string) => (await askJson('GET', api, { token: ada.token })).body;
/** Of the first hidden field of that name. */
const valueIn = (page: string, name: string): string =>
  new RegExp(`type="hidden" name="${name}" value="([^"]*)"`).exec(page)![1]!;
const alertOf = (page: string): string | undefined => /role="alert">([^<]*)</.exec(page)?.[1];

describe.each(kinds)('the picture of %s', (_kind, make) => {
  it('is chosen, shown, replaced and removed', async () => {
    const { api, page, form } = await make();
    const save = async (changes: Record<string, string>, file?: File) => {
      const saved = await visitor.change(await visitor.load(page), changes, form, undefined, file && { avatar: file });
      expect([saved.status, new URL(saved.url).search]).toEqual([200, '?saved=1']);
      return { page: await saved.text(), url: (await recordOf(api)).avatar_url as string | null };
    };
    expect((await save({})).url).toBeNull();
    const first = await save({}, png());
    const picture = new URL(first.url!).pathname;
    expect(first.page).toContain(`<img class="logo" src="${picture}" alt="The present picture"/>`);
    expect(Buffer.from(await (await visitor.load(picture)).arrayBuffer())).toEqual(dot);
    expect((await save({ name: uniqueName('Renamed') })).url).toBe(first.url);
    const second = await save({}, png(1000));
    expect((await (await visitor.load(new URL(second.url!).pathname)).arrayBuffer()).byteLength).toBe(1000);
    const removed = await save({ remove_avatar: '1' });
    expect([removed.url, removed.page.includes('remove_avatar')]).toEqual([null, false]);
  });

  it.each([
    ['a text', text, 'You are not allowed to upload'],
    ['too large', png(200 * 1024 + 1), 'is too big (should be at most 200 KB)'],
  ])('is not %s: the page says so, and has what was typed', async (_case, file, problem) => {
    const { api, page, form } = await make();
    const before = await recordOf(api);
    const refused = await visitor.change(await visitor.load(page), { name: 'Typed' }, form, undefined, {
      avatar: file,
    });
    const shown = await refused.text();
    expect([refused.status, alertOf(shown)]).toEqual([422, expect.stringContaining(problem)]);
    expect(shown).toMatch(/<p id="\w+--avatar-problem" class="wrong">Picture /);
    expect(shown).toContain('Choose the file again');
    expect(shown).toMatch(/name="name" [^>]*value="Typed"/);
    expect(await recordOf(api)).toMatchObject({ name: before.name, avatar_url: before.avatar_url });
  });

  it('leads to a page that names the limit if it is larger than any form', async () => {
    const { page, form } = await make();
    const refused = await visitor.change(await visitor.load(page), {}, form, undefined, { avatar: png(8 << 20) });
    expect([refused.status, await refused.text()]).toEqual([413, expect.stringContaining('A form may have')]);
  });
});

it('a form with a picture that is sent twice is taken once', async () => {
  const { page, api } = await newProject();
  const form = (await (await visitor.load(page)).text()).split('enctype="multipart/form-data"')[1]!;
  const hidden = ['csrf', 'token', 'form'].map((name) => [name, valueIn(form, name)] as const);
  const send = (file: File) => {
    const body = new FormData();
    for (const [name, value] of hidden) body.append(name, value);
    body.append('avatar', file);
    return visitor.send(page, body);
  };
  const pictureAfter = async (file: File) => {
    expect((await send(file)).status).toBe(303);
    return (await recordOf(api)).avatar_url;
  };
  const first = await pictureAfter(png());
  expect(first).not.toBeNull();
  await askJson('PUT', api, { token: ada.token, body: { avatar: '' } });
  // The same bytes are the same form, whose result is known; other bytes are another one.
  expect(await pictureAfter(png())).toBeNull();
  expect(await pictureAfter(png(1000))).not.toBeNull();
});

it('other users do not change it, with a form of their own or of nobody', async () => {
  const [project, group] = [await newProject(), await newGroup()];
  const [other, nobody] = [await newUser('other'), new PageVisitor()];
  const stranger = new PageVisitor();
  await stranger.signIn(other.username, other.password);
  const csrf = valueIn(await (await stranger.load(profile)).text(), 'csrf');
  for (const { page, api } of [project, group]) {
    for (const [sender, token] of [
      [stranger, csrf],
      [nobody, csrf],
      [visitor, csrf],
    ] as const) {
      const body = new FormData();
      for (const [name, value] of Object.entries({ csrf: token, form: 'settings', was: '{}' }))
        body.append(name, value);
      body.append('avatar', png());
      const answer = await sender.send(page, body);
      expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('<h1>')]);
    }
    expect((await recordOf(api)).avatar_url).toBeNull();
  }
});

// Nothing is changed here: all tests share this server. apps/web/test/appearance.spec.ts changes pictures.
it('pictures of the instance have the same rules, and are for administrators', async () => {
  const path = '/admin/application_settings/appearance';
  const admin = new PageVisitor();
  await admin.signIn(connection.username, connection.password);
  for (const [name, label, file, problem] of [
    ['logo', 'Logo', text, 'You are not allowed to upload'],
    ['header_logo', 'Logo of the header', png(1024 ** 2 + 1), 'is too big (should be at most 1024 KB)'],
    ['favicon', 'Icon', text, 'allowed types: png, ico'],
  ] as const) {
    const refused = await admin.change(await admin.load(path), {}, 'appearance', undefined, { [name]: file });
    const shown = await refused.text();
    expect([refused.status, alertOf(shown)]).toEqual([422, expect.stringContaining(problem)]);
    expect(shown).toContain(`<p id="appearance--${name}-problem" class="wrong">${label} `);
  }
  expect((await visitor.load(path)).status).toBe(404);
  expect(await root.ApplicationAppearance.show()).toMatchObject({ logo: null, header_logo: null, favicon: null });
});

it('a browser sends the chosen file, and no file if none is chosen', async () => {
  const [user, page] = [await newUser('eve'), await newPageIn(browser, noScript)];
  await page.goto(profile);
  await signIn(page, user);
  const avatarUrl = async () => (await askJson('GET', '/user', { token: user.token })).body.avatar_url;
  await press(page, 'Save');
  await page.getByText('The changes are saved.').waitFor();
  expect(await avatarUrl()).toBeNull();
  const choose = (buffer: Buffer, name: string) =>
    page.getByLabel('Picture', { exact: true }).setInputFiles({ name, mimeType: 'image/png', buffer });
  await choose(Buffer.from('A text'), 'text.png');
  await press(page, 'Save');
  await page.getByRole('alert').getByText('You are not allowed to upload').waitFor();
  await choose(dot, 'dot.png');
  await press(page, 'Save');
  await page.getByAltText('The present picture').waitFor();
  expect(await avatarUrl()).toEqual(expect.stringMatching(/\.png$/));
  await choose(Buffer.alloc(9 << 20), 'large.png');
  await press(page, 'Save');
  await page.getByRole('heading', { name: 'The form is too large' }).waitFor();
  await page.goBack();
  await page.getByLabel('Remove the picture').check();
  // The browser may still have the file that is too large.
  await page.getByLabel('Picture', { exact: true }).setInputFiles([]);
  await press(page, 'Save');
  await page.getByText('The changes are saved.').waitFor();
  expect(await avatarUrl()).toBeNull();
});
