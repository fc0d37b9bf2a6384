import { PageVisitor } from '../identity/page-visitor';
import { connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Forms of push mirrors of a project: creation, edits, pushes and deletion. */

const evil = `"><script>alert(1)</script>`;
const visitor = new PageVisitor();
let owner: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  owner = await newUser('owner');
  await visitor.signIn(owner.username, owner.password);
});

/** A new project with the page of its mirrors. */
async function newProject() {
  const mirrors = root.ProjectRemoteMirrors;
  const { id, path_with_namespace } = await owner.client.Projects.create({
    ...{ name: uniqueName('mirrored'), initializeWithReadme: true },
  });
  const path = `/${path_with_namespace}/-/mirrors`;
  return {
    path,
    open: () => visitor.load(path),
    all: () => mirrors.all(id),
    show: (mirrorId: number) => mirrors.show(id, mirrorId),
    newMirror: (url = invalid(), options = {}) => mirrors.createPushMirror(id, url, options),
    edit: (mirrorId: number, options: object) => mirrors.edit(id, mirrorId, options),
    archive: () => root.Projects.archive(id),
  };
}

const invalid = () => `https://127.0.0.1:1/${uniqueName('target')}.git`;
/** The problems at the top of a page. */
const alertOf = (text: string): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1];
const pathOf = ({ url }: Response) => new URL(url).pathname;

describe('a new mirror', () => {
  it('is added once with its fields, and shows no password', async () => {
    const { path, open, all } = await newProject();
    const page = await open();
    expect(await page.clone().text()).toMatch(/name="enabled" value="1" checked/);
    const url = `https://ada:hidden-word@127.0.0.1:1/${uniqueName('target')}.git`;
    const send = () => visitor.submit(page.clone() as Response, { url, keep_divergent_refs: '1' }, 'new-mirror');
    const [added] = await Promise.all([send(), send()]);
    const text = await added.text();
    expect([added.status, text.includes('https://*****:*****@127.0.0.1:1/')]).toEqual([200, true]);
    expect(text).not.toContain('hidden-word');
    expect(await all()).toMatchObject([{ enabled: false, only_protected_branches: false, keep_divergent_refs: true }]);
    expect(path).toBe(pathOf(await open()));
  });

  it.each([
    ['without a URL', '', 'URL is empty.'],
    ['of another scheme', `file:///${evil}`, 'The URL is invalid, or its address is not permitted.'],
    ['in the local network', 'http://10.0.0.1/a.git', 'URL is blocked: Requests to the local network are not allowed.'],
  ])('%s is refused, and the form shows what was typed', async (_what, url, problem) => {
    const { open, all } = await newProject();
    const refused = await visitor.submit(await open(), { url, only_protected_branches: '1' }, 'new-mirror');
    const text = await refused.text();
    expect([refused.status, alertOf(text)]).toEqual([422, expect.stringContaining(problem)]);
    expect(text).toMatch(/<p id="(new-mirror--url-problem)" class="wrong">.*aria-describedby="[^"]*\1"/s);
    if (url) expect(text).toContain(`value="${url.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`);
    expect(text).toMatch(/name="only_protected_branches" value="1" checked/);
    expect(text).not.toMatch(/name="enabled" value="1" checked/);
    expect(text).not.toContain('<script');
    expect(await all()).toEqual([]);
  });

  it.each(['http://ada:hidden-word@10.0.0.1/a.git', 'http://ada:hidden-word#@none'])(
    'that is refused is shown again without its password: %s',
    async (url) => {
      const { open } = await newProject();
      const refused = await visitor.submit(await open(), { url }, 'new-mirror');
      const text = await refused.text();
      expect([refused.status, text]).toEqual([422, expect.stringMatching(/value="http:\/\/ada@/)]);
      expect(text).toContain('Enter the password again: this page does not repeat it.');
      expect(text).not.toContain('hidden-word');
    },
  );

  it('over SSH shows its public key', async () => {
    const { open } = await newProject();
    const added = await visitor.submit(await open(), { url: 'ssh://git@127.0.0.1:1/a.git' }, 'new-mirror');
    expect(await added.text()).toMatch(/<code>ssh-ed25519 \S+/);
  });
});

describe('a mirror', () => {
  it('keeps what two users change at the same time', async () => {
    const { open, show, newMirror, edit } = await newProject();
    const { id } = await newMirror();
    const page = await open();
    await edit(id, { onlyProtectedBranches: true });
    const saved = await visitor.submit(page, { keep_divergent_refs: '1' }, 'mirror');
    expect([saved.status, (await saved.text()).includes('The changes are saved.')]).toEqual([200, true]);
    expect(await show(id)).toMatchObject({
      ...{ enabled: false, only_protected_branches: true, keep_divergent_refs: true },
    });
  });

  it('that is disabled has no button for a push, and a sent form is refused', async () => {
    const { path, open, newMirror } = await newProject();
    const { id } = await newMirror();
    const text = await (await open()).text();
    expect(text).not.toContain('value="sync"');
    const csrf = /name="csrf" value="([^"]*)"/.exec(text)![1]!;
    const form = new URLSearchParams({ csrf, token: uniqueName('token'), form: 'sync', of: String(id) });
    const refused = await visitor.send(path, form);
    expect([refused.status, alertOf(await refused.text())]).toEqual([422, 'Mirror is not enabled.']);
  });

  it('shows the error of its last push', async () => {
    const { open, newMirror } = await newProject();
    await newMirror(`${connection.url}/${uniqueName('none')}/none.git`, { enabled: true });
    const text = await until('an error', async () => {
      const shown = await (await open()).text();
      return /class="wrong"/.test(shown) ? shown : undefined;
    });
    expect(text).toMatch(/Status: (to retry|failed|started|scheduled)/);
    expect(text).toContain('Last successful update: never');
  });

  it('is deleted at a second step', async () => {
    const { open, all, newMirror } = await newProject();
    await newMirror();
    const page = await open();
    expect(await page.clone().text()).toMatch(/<details><summary[^>]*>Delete…<\/summary><p>[^<]*<\/p><form/);
    await visitor.submit(page, {}, 'delete');
    expect(await all()).toEqual([]);
  });

  it('of an archived project can be changed', async () => {
    const { open, show, newMirror, archive } = await newProject();
    const { id } = await newMirror();
    await archive();
    await visitor.submit(await open(), { keep_divergent_refs: '1' }, 'mirror');
    expect(await show(id)).toMatchObject({ keep_divergent_refs: true });
  });
});

it('a mirror is enabled, and pushes at once when its user asks for it', async () => {
  const { open, show, newMirror } = await newProject();
  const target = await owner.client.Projects.create({ name: uniqueName('target') });
  const url = new URL(`${connection.url}/${target.path_with_namespace}.git`);
  [url.username, url.password] = [owner.username, owner.token];
  const { id } = await newMirror(url.href);
  const updatedAfter = async (at: string) =>
    until('the push', async () => {
      const { last_successful_update_at } = await show(id);
      return String(last_successful_update_at ?? '') > at ? String(last_successful_update_at) : undefined;
    });
  const enabled = await visitor.submit(await open(), { enabled: '1' }, 'mirror');
  const first = await updatedAfter('');
  expect((await owner.client.Branches.show(target.id, 'main')).name).toBe('main');
  await visitor.submit(enabled, {}, 'sync');
  await updatedAfter(first);
  const text = await (await open()).text();
  expect(text).toContain('<li class="tag">enabled</li>');
  expect(text).not.toContain(owner.token);
});
