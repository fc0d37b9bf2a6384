import { createHash } from 'node:crypto';
import {
  type Appearance,
  appearanceChanged,
  defaultApplicationSettings,
  getAppearance,
  identifyBrowser,
  listProjects,
  readAppearance,
  readApplicationSettings,
  showPage,
  takeForm,
  updateAppearance,
} from '@moothall/contracts';
import { callerNamed, eventually, type ServiceUnderTest, startServiceUnderTest } from '@moothall/testing';
import { service } from '../src';

/* The form of the appearance, and pages after it. A server for all tests cannot bear that: every page changes. */

const evil = `"><script>alert(1)</script></style>`;
const path = '/admin/application_settings/appearance';
const initial: Appearance = {
  ...{ title: '', description: '', logo: null, header_logo: null, favicon: null },
  ...{ new_project_guidelines: 'kept', profile_image_guidelines: '', header_message: '', footer_message: '' },
  ...{ message_background_color: '#e75e40', message_font_color: '#ffffff', email_header_and_footer_enabled: false },
};
const people = new Map([
  ['root-cookie', callerNamed('root', { credential: 'session', isAdmin: true })],
  ['ada-cookie', callerNamed('ada', { credential: 'session' })],
]);

let web: ServiceUnderTest;
let current: Appearance;
let changes: object[];

beforeAll(async () => {
  web = await startServiceUnderTest(service);
  for (const read of [readAppearance, getAppearance]) web.respond(read, () => current);
  web.respond(updateAppearance, (given) => {
    changes.push(given);
    current = { ...current, ...given } as Appearance;
    return current;
  });
  web.respond(listProjects, () => ({ items: [], total: 0 }));
  web.respond(readApplicationSettings, () => defaultApplicationSettings);
  web.respond(identifyBrowser, ({ csrf }, { client }) => ({
    ...{ headers: {}, csrf: 'own', is_own_form: csrf === 'own', is_password_due: false },
    caller: people.get(client?.cookie ?? '') ?? null,
  }));
});
beforeEach(() => {
  current = initial;
  changes = [];
});
afterAll(() => web?.stop());

const clientOf = (cookie: string) => ({ requestId: 'test', client: { ip: '192.0.2.1', userAgent: 'test', cookie } });

async function show(at: string, cookie = 'root-cookie') {
  const { meta, body } = await web.client.send(showPage, { path: at }, clientOf(cookie));
  return { status: meta.status, headers: meta.headers ?? {}, text: new TextDecoder().decode(body) };
}

let tokens = 0;
/** Opens the form, changes some of its fields and sends it. */
async function change(
  given: Record<string, string>,
  cookie = 'root-cookie',
  files: Record<string, { ticket: string; sha256: string }> = {},
) {
  const { text } = await show(path);
  const was = /name="was" value="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"');
  const { title, description, header_message, footer_message } = current;
  const { message_background_color, message_font_color } = current;
  const shown = { title, description, header_message, footer_message, message_background_color, message_font_color };
  const fields = { ...{ csrf: 'own', token: String(tokens++), form: 'appearance', was }, ...shown, ...given };
  const { meta } = await web.client.send(takeForm, { path, fields, files }, clientOf(cookie));
  return { status: meta.status, to: meta.headers?.location };
}

it('only what the user changed is sent, and the page says that it is saved', async () => {
  expect(await change({ title: 'Our hall', description: 'Two\r\nlines' })).toEqual({
    status: 303,
    to: `${path}?saved=1`,
  });
  expect(changes).toEqual([{ title: 'Our hall', description: 'Two\nlines' }]);
  expect((await show(`${path}?saved=1`)).text).toContain('The changes are saved.');
  await change({ email_header_and_footer_enabled: '1' });
  expect(changes[1]).toEqual({ email_header_and_footer_enabled: true });
});

it('pictures are replaced by files and removed by a box, each by itself', async () => {
  current = { ...initial, logo: '/uploads/logo.png', favicon: '/uploads/icon.png' };
  const { text } = await show(path);
  for (const picture of [current.logo, current.favicon]) expect(text).toContain(`<img class="logo" src="${picture}"`);
  for (const name of ['logo', 'favicon']) expect(text).toContain(`name="remove_${name}"`);
  expect(text).not.toContain('name="remove_header_logo"');
  await change({ remove_favicon: '1' }, 'root-cookie', { header_logo: { ticket: 'signed', sha256: 'a' } });
  expect(changes).toEqual([{ favicon: '', header_logo: { ticket: 'signed' } }]);
  await change({ logo: 'https://example.com/logo.png' });
  expect(changes).toHaveLength(1);
});

it('it is neither shown to, nor taken for other users', async () => {
  expect((await show(path, 'ada-cookie')).status).toBe(404);
  expect((await change({ title: 'Mine' }, 'ada-cookie')).status).toBe(422);
  expect((await change({ title: 'Mine' }, 'none')).status).toBe(422);
  expect(changes).toEqual([]);
});

it('pages show messages with their colours, and visitors title and description, whatever the texts contain', async () => {
  const texts = { title: `Title ${evil}`, header_message: `Top ${evil}`, footer_message: `Bottom ${evil}` };
  const colors = { message_background_color: '#123456', message_font_color: '#fedcba' };
  await change({ ...texts, ...colors, description: `About ${evil}` });
  await web.emit(appearanceChanged, {});
  await eventually(async () => (await show('/explore')).text.includes('Top '));
  const escaped = '&quot;>&lt;script>alert(1)&lt;/script>&lt;/style>';
  const { text, headers } = await show('/', 'none');
  for (const shown of [`Top ${escaped}`, `Bottom ${escaped}`])
    expect(text).toContain(`<p class="message">${shown}</p>`);
  for (const shown of [`Title ${escaped}`, `About ${escaped}`]) expect(text).toContain(`${shown}</p>`);
  expect(text).not.toMatch(/<script|\sstyle=/);
  const style = /<style>(.*?)<\/style>/s.exec(text)![1]!;
  expect(style).toContain('background: #123456; color: #fedcba');
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`);
});
