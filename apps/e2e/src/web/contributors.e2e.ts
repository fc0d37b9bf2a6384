import { PageVisitor } from '../identity/page-visitor';
import { root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* The page of contributors. */

// Git removes angle brackets from names.
const evil = `" onclick=alert(1) \u202eturned`;
const visitor = new PageVisitor();

async function newProject(authors: readonly string[]) {
  const path = uniqueName('written');
  const project = await root.Projects.create({ name: path, path, visibility: 'public' });
  for (const [at, authorName] of authors.entries())
    await root.Commits.create(
      project.id,
      'trunk',
      `Add ${at}`,
      [{ action: 'create', filePath: `${at}.txt`, content: 'one\ntwo\n' }],
      { authorName, authorEmail: `${encodeURIComponent(authorName.slice(0, 9))}@example.com` },
    );
  // The projects service learns it from an event.
  await until('the default branch', async () => (await root.Projects.show(project.id)).default_branch === 'trunk');
  return `/${project.path_with_namespace}`;
}
const open = async (address: string) => {
  const response = await visitor.load(address);
  return { status: response.status, text: await response.text() };
};

it('has the authors with their commits and lines, the most active first', async () => {
  const base = await newProject(['Ada', `Bob ${evil}`, `Bob ${evil}`, 'x'.repeat(3000)]);
  const { status, text } = await open(`${base}/-/graphs/trunk`);
  expect(status).toBe(200);
  expect(text).toMatch(
    /Bob &quot; onclick=alert\(1\) turned<\/bdi>[^\n]*2 commits, 4 additions, 0 deletions.*Ada<\/bdi>[^\n]*1 commit, 2 additions, 0 deletions/s,
  );
  expect(text).not.toContain('x'.repeat(300));
  expect((await open(base)).text).toContain(`href="${base}/-/graphs/trunk"`);
  expect((await open(`${base}/-/graphs`)).text).toContain('Bob');
});

it('has pages', async () => {
  const base = await newProject(Array.from({ length: 21 }, (_, at) => `Author ${at + 10}`));
  const authors = async (query: string) =>
    (await open(`${base}/-/graphs/trunk${query}`)).text.match(/<bdi>Author \d+<\/bdi>/g) ?? [];
  const [one, two] = [await authors(''), await authors('?page=2')];
  expect([one.length, two.length, new Set([...one, ...two]).size]).toEqual([20, 1, 21]);
});

it('is not there for other branches, and without commits', async () => {
  const base = await newProject(['Ada']);
  expect((await open(`${base}/-/graphs/none`)).status).toBe(404);
  const path = uniqueName('empty');
  const empty = await root.Projects.create({ name: path, path, visibility: 'public' });
  for (const below of ['graphs', 'graphs/main', 'graphs/none'])
    expect([below, (await open(`${empty.web_url}/-/${below}`)).status]).toEqual([below, 404]);
});
