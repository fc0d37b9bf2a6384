import { addIteration } from '../collaboration/add-iteration';
import { PageVisitor } from '../identity/page-visitor';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { inEachVisibility, type Matrix, prepareMatrix, roles, type Visibility, visibilities } from './access-matrix';

/* Pages of the whole server show what the API shows to the same user. */

/** Below `/-/` of a project. */
const codePages = [
  ...['tree', 'tree/main', 'blob/main/README.md', 'blame/main/README.md', 'raw/main/README.md'],
  ...[
    'commits',
    'commits/main/README.md',
    'commit/main',
    'commit/main.patch',
    'commit/main.diff',
    'branches',
    'tags',
    'tags/v1.0/a',
    'graphs/main',
    'compare',
    'compare/main...main~0',
    'compare/main...none',
  ],
];

let people: Matrix['people'];
let visitors: Matrix['visitors'];
let groups: Matrix['groups'];
/** By visibility, as they are in addresses of the API. */
const milestones = new Map<string, { ofProject: number; ofGroup: number }>();
/** Snippets of each project and of the administrator, by visibility of the project and of the snippet. */
const snippets = new Map<string, number>();
/** A board of each project and of each group, and a package of each project, by visibility. */
const records = new Map<string, { board: number; groupBoard: number; package: number; epic: number }>();

beforeAll(async () => {
  ({ people, visitors, groups } = await prepareMatrix('pages'));
  await Promise.all(visibilities.map(addRecords));
});

async function addRecords(visibility: Visibility): Promise<void> {
  const path = groups.get(visibility)!;
  const tool = `${path}/tool`;
  const ofProject = (await root.ProjectMilestones.create(tool, 'A milestone')).id;
  const ofGroup = (await root.GroupMilestones.create(path, 'A shared milestone')).id;
  milestones.set(visibility, { ofProject, ofGroup });
  await root.ProjectReleases.create(tool, { tagName: 'v1.0/a', ref: 'main', name: 'A release' });
  await root.ProjectWikis.create(tool, 'About the **tool**', 'home');
  const file = { content: new Blob(['bytes']), filename: 'a.txt' };
  await root.PackageRegistry.publish(tool, 'a-package', '1.0', file);
  records.set(visibility, {
    board: (await root.ProjectIssueBoards.create(tool, 'A board')).id,
    groupBoard: (await root.GroupIssueBoards.create(path, 'A board of the group')).id,
    package: (await root.Packages.all({ projectId: tool }))[0]!.id,
    epic: (await root.Epics.create(path, 'An epic')).iid,
  });
  await addIteration(path, 'An iteration');
  for (const own of visibilities) {
    const files = [{ content: `A file of ${own}`, filePath: 'a.txt' }];
    const { id } = await root.ProjectSnippets.create(tool, `Snippet of ${own}`, { visibility: own, files });
    await root.ProjectSnippetNotes.create(tool, id, 'A remark');
    snippets.set(`${visibility} ${own}`, id);
  }
  const files = [{ content: `A file of ${visibility}`, filePath: 'a.txt' }];
  snippets.set(visibility, (await root.Snippets.create(`Snippet of ${visibility}`, { visibility, files })).id);
}

const open = async (role: string, path: string) => {
  const response = await visitors.get(role)!.load(path);
  return { status: response.status, text: await response.text() };
};
const apiStatus = async (role: string, path: string): Promise<number> =>
  (await askJson('GET', path, { token: people.get(role)?.token ?? '' })).status;

describe.each(roles)('%s', (role) => {
  inEachVisibility('opens the pages of a group and its project exactly if the API shows them', async (visibility) => {
    const path = groups.get(visibility)!;
    for (const [web, api, words] of [
      [`/${path}`, `/groups/${path}`, [`The ${path}`, `About ${path}`, `href="/${path}/tool"`]],
      [`/groups/${path}`, `/groups/${path}`, [`The ${path}`, 'Tool']],
      [`/${path}/tool`, `/projects/${path}%2Ftool`, [`A tool of ${path}`, 'alpha', `${path}/tool.git`]],
    ] as const) {
      const [page, status] = await Promise.all([open(role, web), apiStatus(role, api)]);
      expect([web, page.status]).toEqual([web, status]);
      for (const word of words) expect(page.text.includes(word)).toBe(status === 200);
    }
  });

  inEachVisibility('opens the members of a group exactly if the API shows them', async (visibility) => {
    const path = groups.get(visibility)!;
    const status = await apiStatus(role, `/groups/${path}/members/all`);
    const address = `/groups/${path}/-/group_members`;
    const { status: shown, text } = await open(role, address);
    expect(shown).toBe(status === 200 ? 200 : 404);
    expect(text.includes(`@${people.get('reporter')!.username}`)).toBe(status === 200);
    expect((await open(role, `/${path}`)).text.includes(`href="${address}"`)).toBe(status === 200);
  });

  inEachVisibility('sees the README of a project exactly if the API shows the file', async (visibility) => {
    const path = groups.get(visibility)!;
    const status = await apiStatus(role, `/projects/${path}%2Ftool/repository/files/README.md?ref=main`);
    expect((await open(role, `/${path}/tool`)).text.includes('README.md')).toBe(status === 200);
  });

  inEachVisibility('opens the code of a project exactly if the API shows the file', async (visibility) => {
    const path = groups.get(visibility)!;
    const status = await apiStatus(role, `/projects/${path}%2Ftool/repository/files/README.md?ref=main`);
    const expected = status === 200 ? 200 : 404;
    for (const page of codePages) {
      const { status, text } = await open(role, `/${path}/tool/-/${page}`);
      expect([page, status]).toEqual([page, expected]);
      expect([page, text.includes('Page not found')]).toEqual([page, expected === 404]);
    }
    const { text } = await open(role, `/${path}/tool`);
    expect(text.includes(`href="/${path}/tool/-/commits/main"`)).toBe(expected === 200);
  });

  inEachVisibility('opens the pages of records of a project as in the API', async (visibility) => {
    const path = groups.get(visibility)!;
    const { board, package: published } = records.get(visibility)!;
    for (const [page, api, words] of [
      ['issues', 'issues', 'An open issue'],
      ['issues/1', 'issues/1', 'An open issue'],
      ['issues/2', 'issues/2', 'A secret issue'],
      ['issues/3', 'issues/3', ''],
      ['issues?state=all&search=secret', 'issues/2', 'A secret issue'],
      ['merge_requests', 'merge_requests', 'A merge request'],
      ['merge_requests/1', 'merge_requests/1', 'A merge request'],
      ['merge_requests/1/commits', 'merge_requests/1/commits', 'add topic.txt'],
      ['merge_requests/1/diffs', 'merge_requests/1/diffs', '+On the topic'],
      ['merge_requests/2', 'merge_requests/2', ''],
      ['pipelines', 'pipelines', 'There are no pipelines.'],
      ['milestones', 'milestones', 'A milestone'],
      ['milestones/1', `milestones/${milestones.get(visibility)!.ofProject}`, 'A milestone'],
      ['milestones/2', 'milestones/999999999', ''],
      ['releases', 'releases', 'A release'],
      ['releases/v1.0/a', 'releases/v1.0%2Fa', 'A release'],
      ['releases/none', 'releases/none', ''],
      ['wikis', 'wikis', 'About the <strong>tool</strong>'],
      ['wikis/home', 'wikis/home', 'About the <strong>tool</strong>'],
      ['wikis/pages', 'wikis', '<bdi>home</bdi>'],
      ['wikis/none', 'wikis/none', ''],
      ['wikis/home/diff?version_id=master', 'wikis/home', '+About the **tool**'],
      ['wikis/home/diff?version_id=none', 'wikis/none', ''],
      ['boards', 'boards', 'A board'],
      [`boards/${board}`, `boards/${board}`, 'An open issue'],
      ['boards/999999999', 'boards/999999999', ''],
      ['packages', 'packages', 'a-package'],
      [`packages/${published}`, `packages/${published}`, 'a.txt'],
      ['packages/999999999', 'packages/999999999', ''],
      [`packages/${published}/files/a.txt`, `packages/${published}`, 'bytes'],
      ['merge_requests/1.diff', 'merge_requests/1/diffs', '+On the topic'],
      ['merge_requests/1.patch', 'merge_requests/1/diffs', 'Subject: [PATCH] add topic.txt'],
      ['project_members', 'members/all', `@${people.get('reporter')!.username}`],
    ] as const) {
      const [status, shown] = await Promise.all([
        apiStatus(role, `/projects/${path}%2Ftool/${api}`),
        open(role, `/${path}/tool/-/${page}`),
      ]);
      const isList = page.startsWith('issues?');
      if (!isList) expect([page, shown.status]).toEqual([page, status === 200 ? 200 : 404]);
      expect([page, words !== '' && shown.text.includes(words)]).toEqual([page, status === 200]);
    }
  });

  inEachVisibility('opens the pages of records of a group as in the API', async (visibility) => {
    const path = groups.get(visibility)!;
    const { groupBoard, epic } = records.get(visibility)!;
    for (const [page, api, words] of [
      ['milestones', 'milestones', 'A shared milestone'],
      ['milestones/1', `milestones/${milestones.get(visibility)!.ofGroup}`, 'A shared milestone'],
      ['milestones/2', 'milestones/999999999', ''],
      ['boards', 'boards', 'A board of the group'],
      [`boards/${groupBoard}`, `boards/${groupBoard}`, 'A board of the group'],
      ['epics', 'epics', 'An epic'],
      [`epics/${epic}`, `epics/${epic}`, 'An epic'],
      ['epics/999', 'epics/999', ''],
      ['iterations?state=all', 'iterations', 'An iteration'],
      ['iterations/1', 'iterations', 'An iteration'],
      ['iterations/2', 'iterations/2', ''],
      ['packages', 'packages', 'Packages'],
    ] as const) {
      const [status, shown] = await Promise.all([
        apiStatus(role, `/groups/${path}/${api}`),
        open(role, `/groups/${path}/-/${page}`),
      ]);
      expect([page, shown.status]).toEqual([page, status === 200 ? 200 : 404]);
      expect([page, words !== '' && shown.text.includes(words)]).toEqual([page, status === 200]);
    }
  });

  inEachVisibility('sees the notes of an issue of a project as in the API', async (visibility) => {
    const path = groups.get(visibility)!;
    const status = await apiStatus(role, `/projects/${path}%2Ftool/issues/1/discussions`);
    const { text } = await open(role, `/${path}/tool/-/issues/1`);
    expect(text.includes('A remark')).toBe(status === 200);
  });

  inEachVisibility('opens snippets of a project, and their notes, as in the API', async (visibility) => {
    const project = `${groups.get(visibility)}/tool`;
    const api = `/projects/${encodeURIComponent(project)}/snippets`;
    const list = await askJson('GET', api, { token: people.get(role)?.token ?? '' });
    const listed = await open(role, `/${project}/-/snippets`);
    expect(listed.status).toBe(list.status === 200 ? 200 : 404);
    for (const own of visibilities) {
      const id = snippets.get(`${visibility} ${own}`);
      const [status, notes, { status: shown, text }, raw] = await Promise.all([
        apiStatus(role, `${api}/${id}`),
        apiStatus(role, `${api}/${id}/notes`),
        open(role, `/${project}/-/snippets/${id}`),
        open(role, `/${project}/-/snippets/${id}/raw`),
      ]);
      expect([own, shown]).toEqual([own, status === 200 ? 200 : 404]);
      expect([own, text.includes(`A file of ${own}`)]).toEqual([own, status === 200]);
      expect([own, text.includes('A remark')]).toEqual([own, notes === 200]);
      expect([own, listed.text.includes(`href="/${project}/-/snippets/${id}"`)]).toEqual([own, status === 200]);
      expect([own, raw.status]).toEqual([own, status === 200 ? 200 : 404]);
    }
  });

  inEachVisibility('opens a personal snippet as in the API', async (visibility) => {
    const id = snippets.get(visibility);
    const status = await apiStatus(role, `/snippets/${id}`);
    for (const below of ['', '/raw', '/raw/main/a.txt']) {
      const shown = await open(role, `/-/snippets/${id}${below}`);
      expect([below, shown.status]).toEqual([below, status === 200 ? 200 : 404]);
      expect([below, shown.text.includes(`A file of ${visibility}`)]).toEqual([below, status === 200]);
    }
  });

  inEachVisibility('finds the same projects as in the API', async (visibility) => {
    const path = groups.get(visibility)!;
    const { text } = await open(role, `/explore?search=${path}`);
    const { body } = await askJson('GET', `/projects?search_namespaces=true&search=${path}`, {
      token: people.get(role)?.token ?? '',
    });
    expect([path, text.includes(`href="/${path}/tool"`)]).toEqual([path, (body as unknown as object[]).length === 1]);
  });
});

it('the start page of a user has their projects, issues, reviews and todos', async () => {
  const { id } = (await root.Users.all({ username: people.get('developer')!.username }))[0]!;
  const project = await root.Projects.show(`${groups.get('private')}/tool`);
  const issue = await root.Issues.create(project.id, uniqueName('An assigned issue'), { assigneeIds: [id] });
  await root.Branches.create(project.id, 'topic', 'main');
  const request = await root.MergeRequests.create(project.id, 'topic', 'main', uniqueName('A review'), {
    reviewerIds: [id],
  });
  const own = await open('developer', '/');
  for (const word of [issue.title, request.title, `href="/${groups.get('private')}/tool"`])
    expect(own.text).toContain(word);
  const other = await open('guest', '/');
  for (const word of [issue.title, request.title]) expect(other.text).not.toContain(word);
});

it('the form in the menu of a page ends the session', async () => {
  const visitor = new PageVisitor();
  const { username, password } = await newUser();
  await visitor.signIn(username, password);
  const page = await visitor.load('/');
  expect(await page.clone().text()).toContain(`Sign out ${username}`);
  await visitor.submit(page, {});
  expect(await (await visitor.load('/')).text()).toContain('href="/users/sign_in"');
});

it('earlier addresses of a renamed project and its group redirect', async () => {
  const [path, other] = [uniqueName('before'), uniqueName('after')];
  const group = await root.Groups.create(path, path, { visibility: 'public' });
  const project = await root.Projects.create({
    name: 'Tool',
    path: 'tool',
    namespaceId: group.id,
    visibility: 'public',
  });
  await root.RepositoryFiles.create(project.id, 'a.txt', 'main', 'content', 'add a.txt');
  await root.Projects.edit(project.id, { path: 'instrument' });
  await root.Groups.edit(group.id, { path: other });
  for (const [from, to] of [
    [`/${path}/tool/-/blob/main/a.txt`, `/${other}/instrument/-/blob/main/a.txt`],
    [`/groups/${path}`, `/groups/${other}`],
  ] as const) {
    await until('the new path', async () => (await visitors.get('anonymous')!.load(from)).url === connection.url + to);
    expect((await open('anonymous', from)).status).toBe(200);
  }
});

it('a list has pages', async () => {
  const path = uniqueName('many');
  const { id } = await root.Groups.create(path, path, { visibility: 'public' });
  for (let number = 1; number <= 21; number++)
    await root.Projects.create({ name: `p${number}`, path: `p${number}`, namespaceId: id, visibility: 'public' });
  const listed = async (query: string) => {
    const { text } = await open('anonymous', `/${path}${query}`);
    const next = /rel="next" href="([^"]*)"/.exec(text)?.[1];
    return { next, count: new Set(text.match(new RegExp(`href="/${path}/p\\d+"`, 'g'))).size };
  };
  expect(await listed('')).toEqual({ next: '?page=2', count: 20 });
  expect(await listed('?page=2')).toEqual({ next: undefined, count: 1 });
  // What is no number is the first page.
  expect(await listed('?page=-1')).toEqual({ next: '?page=2', count: 20 });
  expect(await listed('?page=x')).toEqual({ next: '?page=2', count: 20 });
});

describe('a README', () => {
  const pageWith = async (name: string, content: string): Promise<string> => {
    const path = uniqueName('readme');
    const project = await root.Projects.create({ name: path, path, visibility: 'public' });
    await root.RepositoryFiles.create(project.id, name, 'main', content, `add ${name}`);
    // The projects service learns it from an event.
    await until('the address of the README', async () => (await root.Projects.show(project.id)).readme_url);
    const { status, text } = await open('anonymous', `/${project.path_with_namespace}`);
    expect(status).toBe(200);
    return text;
  };

  it('of Markdown is shown as the API renders it, with its headings below that of the page', async () => {
    const text = await pageWith('README.md', '# Hello\n\n<script>alert(1)</script> <b onclick="x">bold</b> *there*');
    expect(text).toContain('<h3><a name="hello" href="#hello">Hello</a></h3>');
    expect(text.match(/<h1\b/g)).toHaveLength(1);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('onclick');
  });

  it('of another kind is shown as text', async () => {
    expect(await pageWith('README.txt', '<b>plain</b>')).toContain('<pre>&lt;b>plain&lt;/b></pre>');
  });

  it('that is large is cut', async () => {
    const text = await pageWith('README.txt', `${'x'.repeat(79)}\n`.repeat(10_000));
    expect(text).toContain('The rest of the file is in the <a href');
    expect(text.length).toBeLessThan(300_000);
  });
});
