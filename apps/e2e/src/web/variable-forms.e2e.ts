import { PageVisitor } from '../identity/page-visitor';
import { askJson, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Forms of the CI variables of projects and groups. */

const evil = '"><script>alert(1)</script></textarea>';
const escaped = '&quot;>&lt;script>alert(1)&lt;/script>&lt;/textarea>';
const secret = 'hush-hush-123';
const visitor = new PageVisitor();
let user: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  user = await newUser('maintainer');
  await visitor.signIn(user.username, user.password);
});

type Kind = 'project' | 'group';

/** A new project or group, with these variables. */
async function withVariables(kind: Kind, ...variables: object[]) {
  const { id, base } = await create(kind);
  const api = `/${kind}s/${id}/variables`;
  const { token } = user;
  for (const body of variables) expect((await askJson('POST', api, { token, body })).status).toBe(201);
  const path = `${base}/-/variables`;
  return {
    id,
    path,
    open: () => visitor.load(path),
    list: async () => (await askJson('GET', api, { token })).body as unknown as object[],
    change: (key: string, body: object) => askJson('PUT', `${api}/${key}`, { token, body }),
  };
}

async function create(kind: Kind): Promise<{ id: number; base: string }> {
  const name = uniqueName('jobs');
  if (kind === 'group') return { id: (await user.client.Groups.create(name, name)).id, base: `/groups/${name}` };
  const { id, path_with_namespace } = await user.client.Projects.create({ name });
  return { id, base: `/${path_with_namespace}` };
}

/** What a browser sends of a form of a variable that nobody has changed. */
const untouched = { value: '', variable_type: 'env_var', environment_scope: '*', description: '' };
/** A page without what is collapsed. */
const shownOf = (text: string) => text.replace(/<details>.*?<\/details>/gs, '');
/** The page as if it had only the forms of one variable. */
async function formsOf(page: Response, name: string): Promise<Response> {
  const text = await page.text();
  const section = text.split('<section').find((each) => each.includes(`value="${name}"`))!;
  const own = new Response(section, page);
  Object.defineProperty(own, 'url', { value: page.url });
  return own;
}

describe.each(['project', 'group'] as const)('of a %s', (kind) => {
  it('a variable is added with all of its facts; the list does not show its value', async () => {
    const { open, list } = await withVariables(kind);
    const fields = {
      ...{ key: 'DEPLOY_KEY', value: `${secret} ${evil}\n\n`, variable_type: 'file', environment_scope: 'review/*' },
      ...{ protected: '1', raw: '1', description: `About ${evil}` },
    };
    const added = await visitor.submit(await open(), fields, 'new-variable');
    expect(await list()).toEqual([{ ...fields, protected: true, raw: true, masked: false, hidden: false }]);
    const text = await added.text();
    expect([added.status, text.includes('<script')]).toEqual([200, false]);
    for (const words of [
      '<code>DEPLOY_KEY</code>',
      '<code>review/*</code>',
      `About ${escaped}`,
      '>protected<',
      '>raw<',
    ])
      expect(shownOf(text)).toContain(words);
    expect(shownOf(text)).not.toContain(secret);
    expect(text).toContain(`>${secret} ${escaped}\n\n</textarea>`);
  });

  it('a value that is hidden is on no page, and stays as it is without a new one', async () => {
    const { open, list, path } = await withVariables(kind);
    const fields = { ...untouched, key: 'HIDDEN', value: secret, masked_and_hidden: '1' };
    const added = await visitor.submit(await open(), fields, 'new-variable');
    const text = await added.clone().text();
    expect(text).not.toContain(secret);
    for (const words of ['>masked<', '>hidden<', 'The value is hidden.']) expect(text).toContain(words);
    const saved = await visitor.submit(added, { ...untouched, description: 'Renamed' }, 'change-variable');
    expect(await saved.text()).not.toContain(secret);
    expect(await list()).toMatchObject([{ key: 'HIDDEN', description: 'Renamed', hidden: true, masked: true }]);
    const changed = { ...untouched, description: 'Renamed', value: 'short' };
    const refused = await visitor.submit(await open(), changed, 'change-variable');
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('>short</textarea>')]);
    const taken = await visitor.submit(await open(), { ...changed, value: `${secret}-2` }, 'change-variable');
    expect(new URL(taken.url).pathname).toBe(path);
    expect(await taken.text()).not.toContain(secret);
    expect(await (await visitor.load(`${path}?page=1`)).text()).not.toContain(secret);
  });

  it('a variable that is refused is shown as it was typed, with the problem at its field', async () => {
    const { open, list } = await withVariables(kind, { key: 'TAKEN', value: 'one' });
    for (const [fields, field, problem] of [
      [{ key: evil }, 'key', 'Key can contain only letters'],
      [{ key: '' }, 'key', 'Key is empty.'],
      [{ key: 'TAKEN' }, 'key', 'Key (TAKEN) has already been taken.'],
      [{ masked: '1' }, 'value', 'Value is invalid.'],
      [{ value: 'a'.repeat(10_001) }, 'value', 'Value is too long'],
      [{ environment_scope: evil }, 'environment_scope', 'Environments is invalid.'],
      [{ description: 'a'.repeat(256) }, 'description', 'Description is too long'],
    ] as const) {
      const sent = { ...untouched, key: 'NEW', value: `two ${evil}`, protected: '1', ...fields };
      const refused = await visitor.submit(await open(), sent, 'new-variable');
      const text = await refused.text();
      expect([fields, refused.status]).toEqual([fields, 422]);
      expect(text).toContain(`<p id="new-variable--${field}-problem" class="wrong">${problem}`);
      expect(text).toContain(`>${sent.value.replace(evil, escaped)}</textarea>`);
      expect(text.split('two ').length).toBe(sent.value.startsWith('two') ? 2 : 1);
      expect(text).not.toContain('<script');
    }
    expect(await list()).toMatchObject([{ key: 'TAKEN' }]);
  });

  it('variables with the same key are changed and deleted by their environments', async () => {
    const of = 'key=KEY&amp;environment_scope=review+app%2F*';
    const { open, list } = await withVariables(
      kind,
      { key: 'KEY', value: 'all' },
      { key: 'KEY', value: 'one', environment_scope: 'review app/*' },
    );
    const text = await (await open()).text();
    for (const word of ['Save', 'Delete'])
      for (const name of ['KEY', 'KEY (review app/*)']) expect(text).toContain(`>${word} ${name}</button>`);
    const fields = { ...untouched, environment_scope: 'production', value: 'two', variable_type: 'file', masked: '' };
    await visitor.submit(await formsOf(await open(), of), fields, 'change-variable');
    expect(await list()).toMatchObject([
      { value: 'all', environment_scope: '*', variable_type: 'env_var' },
      { value: 'two', environment_scope: 'production', variable_type: 'file' },
    ]);
    const taken = { ...untouched, environment_scope: 'production', value: 'all' };
    const refused = await visitor.submit(await open(), taken, 'change-variable');
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('already been taken')]);
    const other = await formsOf(await open(), 'key=KEY&amp;environment_scope=production');
    expect(await other.clone().text()).toMatch(/<details><summary[^>]*>Delete…/);
    await visitor.submit(other, {}, 'delete-variable');
    expect(await list()).toMatchObject([{ value: 'all' }]);
  });

  it('two users change a variable at once: both changes stay, or the second one is refused', async () => {
    const { open, list, change } = await withVariables(kind, { key: 'KEY', value: 'one' });
    const before = await open();
    await change('KEY', { value: 'two' });
    const fields = { ...untouched, value: 'one', description: 'Kept' };
    const saved = await visitor.submit(before.clone(), { ...fields, protected: '1' }, 'change-variable');
    expect(await saved.text()).toContain('The changes are saved.');
    expect(await list()).toMatchObject([{ value: 'two', description: 'Kept', protected: true }]);
    const refused = await visitor.submit(before, { ...fields, value: `three ${evil}` }, 'change-variable');
    const text = await refused.clone().text();
    expect([refused.status, /<details open><summary[^>]*>Change/.test(text)]).toEqual([422, true]);
    expect(text).toContain('Value was changed by somebody else meanwhile');
    expect(text).toContain(`>three ${escaped}</textarea>`);
    await visitor.submit(refused, { ...fields, value: 'three', protected: '1' }, 'change-variable');
    expect(await list()).toMatchObject([{ value: 'three' }]);
  });

  it('a variable that somebody has deleted or renamed is not changed, and nothing typed is lost', async () => {
    const { open, list, change } = await withVariables(kind, { key: 'KEY', value: 'one' });
    const before = await open();
    await change('KEY', { environment_scope: 'production' });
    const refused = await visitor.submit(before, { ...untouched, value: 'typed' }, 'change-variable');
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('>typed</textarea>')]);
    expect(await list()).toMatchObject([{ value: 'one', environment_scope: 'production' }]);
  });

  it('a value that does not fit a text area has no field, and keeps its line ends', async () => {
    const odd = await withVariables(kind, { key: 'ODD', value: 'a\rb' });
    const page = await odd.open();
    expect(await page.clone().text()).toContain('The value does not fit in a field.');
    await visitor.submit(page, { ...untouched, description: 'Kept' }, 'change-variable');
    expect(await odd.list()).toMatchObject([{ value: 'a\rb', description: 'Kept' }]);
    const windows = await withVariables(kind, { key: 'WINDOWS', value: 'a\r\nb' });
    const fields = { ...untouched, value: 'a\r\nb', description: 'Kept' };
    await visitor.submit(await windows.open(), fields, 'change-variable');
    expect(await windows.list()).toMatchObject([{ value: 'a\r\nb', description: 'Kept' }]);
    await visitor.submit(await windows.open(), { ...fields, value: 'a\nc' }, 'change-variable');
    expect(await windows.list()).toMatchObject([{ value: 'a\r\nc' }]);
  });

  it('long lists have pages', async () => {
    const { path } = await withVariables(
      kind,
      ...Array.from({ length: 21 }, (_, at) => ({ key: `KEY_${at}`, value: 'one' })),
    );
    const [first, second] = [await visitor.load(path), await visitor.load(`${path}?page=2`)];
    expect((await first.text()).match(/>Delete KEY_\d+</g)).toHaveLength(20);
    expect((await second.text()).match(/>Delete KEY_\d+</g)).toHaveLength(1);
  });
});

it('nobody changes variables of an archived project', async () => {
  const { id, path, open, list } = await withVariables('project', { key: 'KEY', value: secret });
  const before = await open();
  await user.client.Projects.archive(id);
  await until('no form', async () => !(await (await open()).text()).includes('name="form"'));
  const page = await open();
  const text = await page.text();
  expect([page.status, text.includes('<code>KEY</code>'), text.includes(secret)]).toEqual([200, true, false]);
  const refused = await visitor.submit(before, { ...untouched, value: 'two' }, 'change-variable');
  expect(refused.status).toBe(422);
  expect(await list()).toMatchObject([{ value: secret }]);
  for (const other of ['deploy_keys', 'deploy_tokens', 'settings/access_tokens']) {
    const settings = await (await visitor.load(path.replace('variables', other))).text();
    expect([other, settings.includes('name="form"')]).toEqual([other, true]);
  }
});

it('the variables of a group are also at /-/settings/ci_cd', async () => {
  const { path, list } = await withVariables('group');
  const fields = { ...untouched, key: 'OF_GROUP', value: 'one' };
  const page = await visitor.load(path.replace('variables', 'settings/ci_cd'));
  const added = await visitor.submit(page, fields, 'new-variable');
  expect([new URL(added.url).pathname, await list()]).toEqual([path, [expect.objectContaining({ key: 'OF_GROUP' })]]);
});
