import { PageVisitor } from '../identity/page-visitor';
import { askJson, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { inEachVisibility, type Matrix, prepareMatrix, roles } from './access-matrix';

/* The page that searches in the instance, in a group and in a project. */

const evil = `"><script>alert(1)</script>`;
/** A word that nothing else on the server has. */
const word = uniqueName('needle').replaceAll('-', '');
const visitor = new PageVisitor();
let person: Awaited<ReturnType<typeof newUser>>;
let group: { id: number };
let project: { id: number; path_with_namespace: string };

/** The scopes, with one match for the word in each. */
const everywhere = ['projects', 'blobs', 'issues', 'merge_requests', 'commits', 'wiki_blobs', 'milestones', 'users'];
const scopesOf = {
  instance: [...everywhere, 'snippet_titles'],
  group: everywhere,
  project: [...everywhere.slice(1), 'notes'],
};

beforeAll(async () => {
  person = await newUser('finder');
  await root.Users.edit(person.id, { name: `Finder ${word}` });
  const path = uniqueName('search');
  group = await root.Groups.create(path, path);
  const made = await root.Projects.create({ name: `Tool ${word}`, path: 'tool', namespaceId: group.id });
  project = made as typeof project;
  const { id } = project;
  await root.GroupMembers.add(group.id, 40, { userId: person.id });
  await root.RepositoryFiles.create(id, 'src/a b#.ts', 'main', `one\n${evil}\nthree ${word}\n`, `Add ${word} ${evil}`);
  await root.Issues.create(id, `Issue ${word} ${evil}`);
  await root.IssueNotes.create(id, 1, `Note ${word} ${evil}`);
  await root.Branches.create(id, 'change', 'main');
  await root.MergeRequests.create(id, 'change', 'main', `Request ${word} ${evil}`);
  await root.ProjectMilestones.create(id, `Milestone ${word}`);
  await root.ProjectWikis.create(id, 'Text', `Page ${word}`);
  await person.client.Snippets.create(`Snippet ${word}`, {
    ...{ visibility: 'private', files: [{ filePath: 'a.txt', content: 'text' }] },
  });
  await visitor.signIn(person.username, person.password);
  // The projects service learns names of members from events.
  const members = `/groups/${group.id}/search?scope=users&search=${word}`;
  await until('the name', async () => (await askJson('GET', members, person)).body?.length === 1);
});

const open = async (query: Record<string, string>, by = visitor) => {
  const response = await by.load(`/search?${new URLSearchParams(query)}`);
  return { status: response.status, text: await response.text(), url: response.url };
};
const inPlaces = (): [keyof typeof scopesOf, Record<string, string>][] => [
  ['instance', {}],
  ['group', { group_id: String(group.id) }],
  ['project', { project_id: String(project.id) }],
];
/** The addresses of what was found: those in the list and in the headings. */
const linksOf = (text: string): string[] =>
  [...text.matchAll(/<(?:li|li><p|h2)>(?:<img[^>]*> )?<a href="([^"]+)"/g)].map(([, to = '']) => to);

it('finds records of each kind in each place, and leads to them', async () => {
  for (const [kind, place] of inPlaces()) {
    for (const scope of scopesOf[kind]) {
      const { status, text } = await open({ ...place, scope, search: word });
      const links = linksOf(text);
      expect([kind, scope, status, links]).toEqual([kind, scope, 200, [expect.any(String)]]);
      const target = await (await visitor.load(links[0]!)).text();
      expect([kind, scope, target.includes(word)]).toEqual([kind, scope, true]);
      for (const page of [text, target]) expect(page).not.toContain('<script>alert');
    }
  }
});

it('shows lines of code around a match, each with its address', async () => {
  const { text } = await open({ project_id: String(project.id), search: word });
  const file = `/${project.path_with_namespace}/-/blob/main/src/a%20b%23.ts`;
  for (const line of [1, 2, 3]) expect(text).toContain(`href="${file}#L${line}"`);
  expect(text).toContain(`three ${word}`);
});

it('has links from the pages of the project and the group, and from each page of a user', async () => {
  const { path_with_namespace: path } = project;
  for (const [page, to] of [
    [`/${path}`, `/search?project_id=${project.id}`],
    [`/${path.split('/')[0]}`, `/search?group_id=${group.id}`],
    ['/', '/search'],
  ] as const)
    expect([page, await (await visitor.load(page)).text()]).toEqual([page, expect.stringContaining(`href="${to}"`)]);
});

it('leads visitors to the sign-in, and back', async () => {
  const { url } = await open({ search: 'x y', scope: 'issues' }, new PageVisitor());
  const { pathname, searchParams } = new URL(url);
  expect([pathname, searchParams.get('return_to')]).toEqual(['/users/sign_in', '/search?search=x+y&scope=issues']);
});

it('says why it does not search, and repeats what was typed', async () => {
  for (const [search, scope, problem] of [
    ['a', 'blobs', 'Search is too short (minimum is 2).'],
    ['a '.repeat(65), 'issues', 'Search has too many words (maximum is 64).'],
    [`${evil}${'x'.repeat(4096)}`, 'issues', 'Search is too long'],
  ] as const) {
    const { status, text } = await open({ search, scope });
    expect([status, text]).toEqual([400, expect.stringContaining(problem)]);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain(search.slice(-5));
  }
});

it('searches for nothing without a text, and in the first kind of records for an unknown one', async () => {
  for (const query of [{}, { search: ' ' }, { search: '', page: '5' }]) {
    const { status, text } = await open(query);
    expect([status, text.includes('Nothing matches'), linksOf(text)]).toEqual([200, false, []]);
  }
  const unknown = await open({ search: word, scope: `__proto__${evil}` });
  expect([unknown.status, linksOf(unknown.text)]).toEqual([200, [`/${project.path_with_namespace}`]]);
  const none = await open({ search: `${word}${word}`, page: '999999999' });
  expect([none.status, none.text.includes('Nothing matches.')]).toEqual([200, true]);
});

it('is not there in a project or a group that the user does not see', async () => {
  const other = await newUser('other');
  const stranger = new PageVisitor();
  await stranger.signIn(other.username, other.password);
  for (const place of [
    { project_id: String(project.id) },
    { group_id: String(group.id) },
    { project_id: '999999999' },
    { group_id: evil },
  ])
    expect([place, (await open({ ...place, search: word }, stranger)).status]).toEqual([place, 404]);
  for (const scope of scopesOf.instance.filter((name) => name !== 'users'))
    expect([scope, linksOf((await open({ scope, search: word }, stranger)).text)]).toEqual([scope, []]);
});

it('names the project of each record that has one', async () => {
  const placeIn = async (scope: string) =>
    /<span class="dim">([^<]*)</.exec((await open({ scope, search: word })).text)?.[1];
  expect(await placeIn('issues')).toBe(project.path_with_namespace);
  expect(await placeIn('snippet_titles')).toBe('');
});

it('finds nothing in a project without files, pages and commits', async () => {
  const path = uniqueName('empty');
  const { id } = await root.Projects.create({ name: path, path, visibility: 'public' });
  for (const scope of scopesOf.project) {
    const { status, text } = await open({ project_id: String(id), scope, search: word });
    expect([scope, status, text.includes('Nothing matches.')]).toEqual([scope, 200, true]);
  }
});

it('has pages', async () => {
  const path = uniqueName('many');
  const { id } = await root.Projects.create({ name: path, path, visibility: 'public' });
  await Promise.all(Array.from({ length: 21 }, (_, at) => root.Issues.create(id, `Straw ${at}`)));
  const query = { project_id: String(id), scope: 'issues', search: 'straw' };
  const [one, two] = [await open(query), await open({ ...query, page: '2' })];
  const all = new Set([...linksOf(one.text), ...linksOf(two.text)]);
  expect([linksOf(one.text).length, linksOf(two.text).length, all.size]).toEqual([20, 1, 21]);
  expect(one.text).toContain('rel="next"');
});

describe('each role', () => {
  let matrix: Matrix;

  beforeAll(async () => {
    matrix = await prepareMatrix('search');
  }, 60_000);

  inEachVisibility('finds the same as with the API, in the same kinds of records', async (visibility) => {
    const path = matrix.groups.get(visibility)!;
    const { id } = await root.Projects.show(`${path}/tool`);
    for (const role of roles.filter((name) => name !== 'anonymous')) {
      const { token } = matrix.people.get(role)!;
      for (const [scope, title, search] of [
        ['blobs', 'Code', 'tool'],
        ['issues', 'Issues', 'issue'],
        ['merge_requests', 'Merge requests', 'request'],
        ['notes', 'Comments', 'remark'],
      ] as const) {
        const asked = new URLSearchParams({ scope, search });
        const byApi = await askJson('GET', `/projects/${id}/search?${asked}`, { token });
        const page = await open({ project_id: String(id), scope, search }, matrix.visitors.get(role)!);
        const offered = page.text.includes(`aria-current="true">${title}</a>`);
        const found = offered ? linksOf(page.text).length : 0;
        const expected = byApi.status === 200 ? (byApi.body as unknown as unknown[]).length : 0;
        expect([role, scope, page.status, offered, found]).toEqual([
          ...[role, scope, byApi.status === 404 ? 404 : 200, byApi.status === 200, expected],
        ]);
      }
    }
  });
});
