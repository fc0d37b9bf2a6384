import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Settings of a project: general ones, those of merge requests and of pipelines, and its archive, address and end. */

const evil = '"><script>alert(1)</script>';
const visitor = new PageVisitor();
let owner: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  owner = await newUser('owner');
  await visitor.signIn(owner.username, owner.password);
});

async function newProject(over: object = {}) {
  const path = uniqueName('settings');
  const { id } = await owner.client.Projects.create({ name: path, path, initializeWithReadme: true, ...over });
  return { id, path, base: `/${owner.username}/${path}` };
}
const show = (id: number) => owner.client.Projects.show(id);
/** The problems at the top of a page. */
const alertOf = (text: string): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1];
const isSaved = (text: string): boolean => text.includes('The changes are saved.');

it('are changed, and the page says so', async () => {
  const { id, base } = await newProject();
  const page = await visitor.load(`${base}/edit`);
  expect(isSaved(await page.clone().text())).toBe(false);
  const saved = await visitor.change(
    page,
    {
      ...{ name: 'Das Rad', description: `${evil}\r\nMore`, topics: 'wheel, spokes', visibility: 'public' },
      ...{ issues_access_level: 'private', wiki_access_level: 'disabled', request_access_enabled: '' },
    },
    'settings',
  );
  expect([saved.status, new URL(saved.url).pathname, isSaved(await saved.text())]).toEqual([200, `${base}/edit`, true]);
  expect(await show(id)).toMatchObject({
    ...{ name: 'Das Rad', description: `${evil}\nMore`, topics: ['wheel', 'spokes'], visibility: 'public' },
    ...{ issues_access_level: 'private', wiki_access_level: 'disabled', snippets_access_level: 'enabled' },
    ...{ request_access_enabled: false, autoclose_referenced_issues: true },
  });
  await visitor.change(await visitor.load(`${base}/edit`), { topics: '', description: '' }, 'settings');
  expect(await show(id)).toMatchObject({ topics: [], description: null, name: 'Das Rad' });
  const again = await (await visitor.load(`${base}/edit`)).text();
  expect([again.includes('<script'), isSaved(again)]).toEqual([false, false]);
});

it('choose another default branch, and refuse one that does not exist', async () => {
  const { id, base } = await newProject();
  await owner.client.Branches.create(id, 'next', 'main');
  await until('a branch to choose', async () => (await (await visitor.load(`${base}/edit`)).text()).includes('"next"'));
  await visitor.change(await visitor.load(`${base}/edit`), { default_branch: 'next' }, 'settings');
  expect(await show(id)).toMatchObject({ default_branch: 'next' });
  const refused = await visitor.change(await visitor.load(`${base}/edit`), { default_branch: evil }, 'settings');
  const text = await refused.text();
  expect([refused.status, text.includes('<script'), isSaved(text)]).toEqual([422, false, false]);
  expect(text).toContain('value="&quot;>&lt;script>');
  expect(await show(id)).toMatchObject({ default_branch: 'next' });
});

it('show what was typed after they were refused', async () => {
  const { id, base, path } = await newProject();
  for (const [changes, problem] of [
    [{ name: '', description: 'Typed' }, "Name can't be blank."],
    [{ name: `x${evil}`, description: 'Typed' }, 'Name can contain only letters'],
    [{ description: 'x'.repeat(3000) }, 'Description is too long'],
    [{ topics: 'x'.repeat(300), description: 'Typed' }, 'Topics'],
  ] as const) {
    const refused = await visitor.change(await visitor.load(`${base}/edit`), changes, 'settings');
    const text = await refused.text();
    expect([refused.status, alertOf(text)]).toEqual([422, expect.stringContaining(problem)]);
    expect(text).toContain(`>${changes.description}</textarea>`);
    expect(text).toContain('aria-invalid="true"');
  }
  expect(await show(id)).toMatchObject({ name: path, description: null });
});

it('keep what two users change at the same time, or refuse the second one', async () => {
  const { id, base } = await newProject();
  const [first, second] = [await visitor.load(`${base}/edit`), await visitor.load(`${base}/edit`)];
  await owner.client.Projects.edit(id, { description: 'By another one' });
  await visitor.change(first, { issues_access_level: 'disabled' }, 'settings');
  expect(await show(id)).toMatchObject({ description: 'By another one', issues_access_level: 'disabled' });
  const refused = await visitor.change(second, { description: 'Mine' }, 'settings');
  expect([refused.status, alertOf(await refused.clone().text())]).toEqual([
    422,
    expect.stringMatching(/^Description was/),
  ]);
  await visitor.change(refused, {}, 'settings');
  expect(await show(id)).toMatchObject({ description: 'Mine', issues_access_level: 'disabled' });
});

it('of merge requests and pipelines are changed', async () => {
  const { id, base } = await newProject();
  await visitor.change(
    await visitor.load(`${base}/-/settings/merge_requests`),
    {
      ...{
        merge_method: 'ff',
        only_allow_merge_if_pipeline_succeeds: '1',
        suggestion_commit_message: 'Take %{file_paths}',
      },
    },
    'settings',
  );
  const page = await visitor.change(
    await visitor.load(`${base}/-/settings/ci_cd`),
    {
      ...{ ci_config_path: 'ci/main.yml', build_timeout: '600', ci_default_git_depth: '0', public_builds: '' },
    },
    'settings',
  );
  expect(isSaved(await page.clone().text())).toBe(true);
  expect(await show(id)).toMatchObject({
    ...{ merge_method: 'ff', only_allow_merge_if_pipeline_succeeds: true, allow_merge_on_skipped_pipeline: null },
    ...{ suggestion_commit_message: 'Take %{file_paths}', ci_config_path: 'ci/main.yml', build_timeout: 600 },
    ...{ ci_default_git_depth: 0, public_builds: false, auto_cancel_pending_pipelines: 'enabled' },
  });
  for (const wrong of ['ten', '-1', '1.5', '99999999999999999999']) {
    const refused = await visitor.change(page.clone(), { build_timeout: wrong }, 'settings');
    expect([wrong, refused.status, await refused.text()]).toEqual([
      wrong,
      422,
      expect.stringContaining(`value="${wrong}"`),
    ]);
  }
});

it('lead to a new path, and refuse one that is taken', async () => {
  const [one, other] = [await newProject(), await newProject()];
  const refused = await visitor.submit(await visitor.load(`${one.base}/edit`), { path: other.path }, 'rename');
  const text = await refused.clone().text();
  expect([refused.status, text]).toEqual([422, expect.stringMatching(/<details open><summary[^>]*>Change the path/)]);
  expect(text).toContain('Path has already been taken.');
  const path = uniqueName('renamed');
  const renamed = await visitor.submit(refused, { path }, 'rename');
  expect([renamed.status, new URL(renamed.url).pathname]).toEqual([200, `/${owner.username}/${path}/edit`]);
  const old = await visitor.load(`${one.base}/edit`);
  expect([old.status, new URL(old.url).pathname]).toEqual([200, `/${owner.username}/${path}/edit`]);
});

it('move the project to a group that the user chooses', async () => {
  const { id, base, path } = await newProject();
  const group = uniqueName('to');
  await owner.client.Groups.create(group, group);
  const page = await visitor.load(`${base}/edit`);
  expect(await page.clone().text()).toContain(`<option value="${group}"`);
  for (const wrong of [evil, owner.username, 'no/such/group']) {
    const refused = await visitor.submit(page.clone(), { namespace: wrong }, 'transfer');
    expect([wrong, refused.status, (await refused.text()).includes('<script')]).toEqual([wrong, 422, false]);
  }
  const moved = await visitor.submit(page, { namespace: group }, 'transfer');
  expect([moved.status, new URL(moved.url).pathname]).toEqual([200, `/${group}/${path}/edit`]);
  expect(await show(id)).toMatchObject({ path_with_namespace: `${group}/${path}` });
});

it('archive a project, and end its archive', async () => {
  const { id, base } = await newProject();
  const archived = await visitor.submit(await visitor.load(`${base}/edit`), {}, 'archive');
  expect(await show(id)).toMatchObject({ archived: true });
  expect(await archived.clone().text()).toContain('/edit">Settings</a>');
  const saved = await visitor.change(archived.clone(), { description: 'Kept for reference' }, 'settings');
  expect(saved.status).toBe(200);
  await visitor.submit(archived, {}, 'unarchive');
  expect(await show(id)).toMatchObject({ archived: false, description: 'Kept for reference' });
});

it('delete a project after its path was typed', async () => {
  const { id, base } = await newProject();
  const refused = await visitor.submit(await visitor.load(`${base}/edit`), { confirm: 'yes' }, 'delete');
  const text = await refused.clone().text();
  expect([refused.status, text]).toEqual([422, expect.stringMatching(/<details open><summary[^>]*>Delete…/)]);
  expect(await show(id)).toMatchObject({ id });
  const gone = await visitor.submit(refused, { confirm: base.slice(1) }, 'delete');
  expect([gone.status, new URL(gone.url).pathname]).toEqual([200, `/${owner.username}`]);
  await expect(show(id)).rejects.toThrow();
  expect((await visitor.load(`${base}/edit`)).status).toBe(404);
});

it('show maintainers what they may change', async () => {
  const { id, base } = await newProject();
  const [maintainer, developer] = [await newUser('maintainer'), await newUser('developer')];
  await root.ProjectMembers.add(id, 40, { userId: maintainer.id });
  await root.ProjectMembers.add(id, 30, { userId: developer.id });
  const own = new PageVisitor();
  await own.signIn(maintainer.username, maintainer.password);
  const text = await (await own.load(`${base}/edit`)).text();
  const forms = [...text.matchAll(/name="form" value="([^"]*)"/g)].map(([, name]) => name);
  expect(forms).toEqual(['settings', 'rename']);
  const others = new PageVisitor();
  await others.signIn(developer.username, developer.password);
  for (const below of ['/edit', '/-/settings/merge_requests', '/-/settings/ci_cd'])
    expect([below, (await others.load(base + below)).status]).toEqual([below, 404]);
  expect(await (await others.load(base)).text()).not.toContain('/edit">Settings</a>');
});
