import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';

/* Forms of releases: creation, edits, links and deletion. */

const evil = `"><script>alert(1)</script></textarea>`;
const visitor = new PageVisitor();
let developer: Awaited<ReturnType<typeof newUser>>;
let base: string;
let id: number;

beforeAll(async () => {
  developer = await newUser('developer');
  await visitor.signIn(developer.username, developer.password);
  const path = uniqueName('release-forms');
  const project = await root.Projects.create({ name: path, path, visibility: 'public', initializeWithReadme: true });
  base = `/${project.path_with_namespace}/-/releases`;
  id = project.id;
  await root.ProjectMembers.add(id, 30, { userId: developer.id });
  await root.Tags.create(id, 'existing', 'main');
  for (const title of ['Spring', `Summer ${evil}`]) await root.ProjectMilestones.create(id, title);
});

const create = async (fields: Record<string, string>) =>
  visitor.submit(await visitor.load(`${base}/new`), fields, 'new-release');
/** The problems at the top of a page. */
const alertOf = (text: string): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1];
const pathOf = ({ url }: Response) => new URL(url).pathname;

describe('a new release', () => {
  it('creates its tag from a branch', async () => {
    const list = await (await visitor.load(base)).text();
    expect(list).toContain(`href="${base}/new"`);
    const page = await visitor.load(`${base}/new`);
    const text = await page.clone().text();
    for (const words of ['<option value="existing">', '<option value="main">', 'value="Spring"'])
      expect(text).toContain(words);
    const created = await visitor.submit(
      page,
      {
        ...{ tag_name: 'v1.0/a', ref: 'main', name: `One ${evil}`, description: `**bold** ${evil}` },
        ...{ 'milestones[]': 'Spring', released_at: '2090-05-06' },
      },
      'new-release',
    );
    expect([created.status, pathOf(created)]).toEqual([200, `${base}/v1.0/a`]);
    const shown = await created.text();
    expect(shown).toContain('<strong>bold</strong>');
    expect(shown).not.toContain('<script');
    expect(await root.ProjectReleases.show(id, 'v1.0/a')).toMatchObject({
      ...{ name: `One ${evil}`, description: `**bold** ${evil}`, upcoming_release: true },
      ...{ milestones: [{ title: 'Spring' }], released_at: '2090-05-06T00:00:00.000Z' },
    });
  });

  it('of an existing tag has the name of the tag', async () => {
    const page = await visitor.load(`${base}/new?tag_name=existing`);
    expect(await page.clone().text()).toContain('value="existing"');
    await visitor.submit(page, { tag_name: 'existing' }, 'new-release');
    expect(await root.ProjectReleases.show(id, 'existing')).toMatchObject({ name: 'existing', description: null });
  });

  it.each([
    ['without a revision', { tag_name: 'v2', ref: '' }, 'The tag does not exist'],
    ['of a missing revision', { tag_name: 'v2', ref: 'none' }, 'Invalid reference name: none.'],
    ['of an invalid tag', { tag_name: 'a..b', ref: 'main' }, 'Tag name invalid.'],
    ['of a released tag', { tag_name: 'existing' }, 'The tag has a release.'],
    ['with an invalid day', { tag_name: 'v2', ref: 'main', released_at: 'soon' }, 'Release date is invalid.'],
  ])('%s is refused, and the form shows what was typed', async (_what, fields, problem) => {
    const refused = await create({ ...fields, description: `Typed ${evil}` });
    const text = await refused.text();
    expect([refused.status, alertOf(text)]).toEqual([422, expect.stringContaining(problem)]);
    expect(text).toContain('>Typed &quot;>&lt;script>alert(1)&lt;/script>&lt;/textarea></textarea>');
    expect(text).not.toContain('<script');
    expect(await root.Tags.all(id, { search: 'v2' })).toEqual([]);
  });

  it('of a protected tag is refused', async () => {
    await root.ProtectedTags.create(id, 'stable-*', { createAccessLevel: 40 });
    const refused = await create({ tag_name: 'stable-1', ref: 'main', name: 'Typed' });
    const text = await refused.text();
    expect([refused.status, alertOf(text)]).toEqual([422, 'The tag is protected from the caller.']);
    expect(text).toContain('value="Typed"');
    expect(await root.Tags.all(id, { search: 'stable' })).toEqual([]);
  });
});

describe('a release', () => {
  const newRelease = async (fields: { description?: string; milestones?: string[] } = {}) => {
    const tagName = `r/${uniqueName('tag')}`;
    await root.ProjectReleases.create(id, { tagName, ref: 'main', name: 'First', ...fields });
    return tagName;
  };

  it('keeps what two users change at the same time, or refuses the second one', async () => {
    const tag = await newRelease({ description: 'Old', milestones: ['Spring'] });
    expect(await (await visitor.load(`${base}/${tag}`)).text()).toContain(`href="${base}/${tag}/edit"`);
    const edit = () => visitor.load(`${base}/${tag}/edit`);
    const [first, second] = [await edit(), await edit()];
    const { released_at } = await root.ProjectReleases.show(id, tag);
    const same = { 'milestones[]': 'Spring', released_at: released_at!.slice(0, 10) };
    await root.ProjectReleases.edit(id, tag, { name: 'Changed' });
    const saved = await visitor.submit(first, { ...same, name: 'First', description: 'By form' }, 'release');
    expect(pathOf(saved)).toBe(`${base}/${tag}`);
    expect(await root.ProjectReleases.show(id, tag)).toMatchObject({
      ...{ name: 'Changed', description: 'By form', milestones: [{ title: 'Spring' }], released_at },
    });
    const refused = await visitor.submit(second, { ...same, name: 'Second', description: 'Old' }, 'release');
    const text = await refused.clone().text();
    expect(refused.status).toBe(422);
    expect(text).toContain('value="Second"');
    expect(text).toContain('Name was changed by somebody else meanwhile');
    await visitor.submit(refused, { name: 'Second', description: 'By form', released_at: '2020-01-02' }, 'release');
    const replaced = await root.ProjectReleases.show(id, tag);
    const day = '2020-01-02T00:00:00.000Z';
    expect(replaced).toMatchObject({ name: 'Second', description: 'By form', released_at: day });
    expect(replaced.milestones ?? []).toEqual([]);
  });

  it('loses its name and description, and gets the name of the tag', async () => {
    const tag = await newRelease({ description: 'Old' });
    const page = await visitor.load(`${base}/${tag}/edit`);
    const { released_at } = await root.ProjectReleases.show(id, tag);
    await visitor.submit(page, { released_at: released_at!.slice(0, 10) }, 'release');
    expect(await root.ProjectReleases.show(id, tag)).toMatchObject({ name: tag, description: '' });
  });

  it('is edited at the address that the API has', async () => {
    const { _links } = await root.ProjectReleases.show(id, await newRelease());
    const { pathname } = new URL(String(_links.edit_url));
    expect(await (await visitor.load(pathname)).text()).toContain('name="form" value="release"');
  });

  it('has links that are added and removed', async () => {
    const tag = await newRelease();
    const url = 'https://example.com/app';
    const add = async (page: Response, fields: Record<string, string>) => visitor.submit(page, fields, 'new-link');
    const edit = await visitor.load(`${base}/${tag}/edit`);
    const added = await add(edit, { name: `App ${evil}`, url, link_type: 'package' });
    expect(pathOf(added)).toBe(`${base}/${tag}/edit`);
    const refused = await add(added.clone(), { name: 'Other', url: 'javascript:alert(1)', link_type: 'other' });
    const text = await refused.text();
    expect([refused.status, text.includes('value="javascript:alert(1)"')]).toEqual([422, true]);
    expect(text).toContain('URL is blocked: Only allowed schemes are http, https, ftp.');
    expect(text).not.toContain('<script');
    const { assets } = await root.ProjectReleases.show(id, tag);
    expect(assets.links).toMatchObject([{ name: `App ${evil}`, url, link_type: 'package' }]);
    await visitor.submit(added, {}, 'remove-link');
    expect((await root.ProjectReleases.show(id, tag)).assets.links).toEqual([]);
  });

  it('is deleted at a second step, and its tag stays', async () => {
    const tag = await newRelease();
    const page = await visitor.load(`${base}/${tag}`);
    const text = await page.clone().text();
    expect(text).toMatch(/<details><summary[^>]*>Delete…<\/summary><p>[^<]*The tag stays\.<\/p><form/);
    expect(pathOf(await visitor.submit(page, {}, 'delete'))).toBe(base);
    expect((await visitor.load(`${base}/${tag}`)).status).toBe(404);
    expect(await root.Tags.show(id, tag)).toMatchObject({ name: tag });
  });

  it.each(['none/edit', 'edit', 'a/b/c/edit'])('at %s is not found', async (at) => {
    expect((await visitor.load(`${base}/${at}`)).status).toBe(404);
  });
});
