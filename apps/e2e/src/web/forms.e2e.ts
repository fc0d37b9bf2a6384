import { createHash } from 'node:crypto';
import { PageVisitor } from '../identity/page-visitor';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { type Matrix, prepareMatrix, roles, visibilities } from './access-matrix';

/* Forms of projects and groups change what the API would change for the same user. */

let matrix: Matrix;
/** A snippet of each project, by the path of its group. */
const snippets = new Map<string, number>();
/** Direct members of each project and of each group, and a user who is added. */
let ofProject: Awaited<ReturnType<typeof newUser>>;
let ofGroup: Awaited<ReturnType<typeof newUser>>;
let added: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  matrix = await prepareMatrix('forms');
  [ofProject, ofGroup, added] = await Promise.all([newUser('member'), newUser('member'), newUser('added')]);
  for (const path of matrix.groups.values()) {
    const files = [{ content: 'A file', filePath: 'a.txt' }];
    const { id } = await root.ProjectSnippets.create(`${path}/tool`, 'A snippet', { visibility: 'public', files });
    snippets.set(path, id);
    await root.ProjectMembers.add(`${path}/tool`, 10, { userId: ofProject.id });
    await root.GroupMembers.add(path, 10, { userId: ofGroup.id });
    await root.ProjectReleases.create(`${path}/tool`, { tagName: 'v1', ref: 'main', name: 'A release' });
    await root.ProjectMilestones.create(`${path}/tool`, 'A milestone of the project');
    await root.GroupMilestones.create(path, 'A milestone of the group');
    await root.ProjectWikis.create(`${path}/tool`, 'A text', 'Notes');
  }
});

/** Opens a page and sends one of its forms, also if the page does not show it. */
async function sendForm(visitor: PageVisitor, path: string, fields: Record<string, string>) {
  const text = await (await visitor.load(path)).text();
  const shown = text
    .split('<form')
    .find((form) => hasField(form, 'form', fields.form) && hasField(form, 'of', fields.of));
  const hidden = new Map((shown ?? text).match(hiddenField)?.map((field) => fieldOf(field)));
  const form = new URLSearchParams({ token: uniqueName('token'), ...Object.fromEntries(hidden), ...fields });
  const { status } = await visitor.send(path, form);
  return { isShown: shown !== undefined, isTaken: status === 303 };
}

const hasField = (form: string, name: string, value: string | undefined): boolean =>
  value === undefined || form.includes(`name="${name}" value="${value}"`);

/** As the form of an edit has it for each field: who may not edit does not get it. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const hiddenField = /<input type="hidden" name="[^"]*" value="[^"]*"\/>/g;

function fieldOf(field: string): [name: string, value: string] {
  const [, name, value] = /name="([^"]*)" value="([^"]*)"/.exec(field)!;
  return [name!, value!.replaceAll('&quot;', '"')];
}

describe.each(roles)('%s', (role) => {
  it.each(visibilities)('writes in a %s project with forms exactly if the API allows it', async (visibility) => {
    const group = matrix.groups.get(visibility)!;
    const base = `/${group}/tool`;
    const snippet = `snippets/${snippets.get(group)}`;
    const onLine = 'merge_requests/1/diffs?at=0n&line=1';
    const edited = { form: 'merge-request', title: 'By form', target_branch: 'main' };
    const file = { file_name: 'a.txt', content: 'A file' };
    const newSnippet = { form: 'new-snippet', title: 'By form', visibility: 'private', name_1: 'a', content_1: 'A' };
    const newPage = { form: 'new-wiki-page', title: `By form ${role}`, content: 'A text' };
    const editedPage = { form: 'wiki-page', title: 'Notes', content: 'By form' };
    await compareWithApi(role, base, `/projects/${encodeURIComponent(base.slice(1))}`, [
      ['issues/1', { form: 'comment', body: 'By form' }, 'POST', 'issues/1/notes', { body: 'By API' }],
      ['issues/2', { form: 'comment', body: 'By form' }, 'POST', 'issues/2/notes', { body: 'By API' }],
      ['issues/new', { form: 'new-issue', title: 'By form' }, 'POST', 'issues', { title: 'By API' }],
      ['issues/1/edit', { form: 'issue', title: 'By form' }, 'PUT', 'issues/1', { title: 'By API' }],
      ['issues/1', { form: 'close' }, 'PUT', 'issues/1', { state_event: 'reopen' }],
      ['merge_requests/1', { form: 'comment', body: 'By form' }, 'POST', 'merge_requests/1/notes', { body: 'By API' }],
      [onLine, { form: 'line-comment', body: 'By form' }, 'POST', 'merge_requests/1/discussions', { body: 'By API' }],
      ['merge_requests/1', { form: 'approve' }, 'POST', 'merge_requests/1/unapprove', {}],
      ['merge_requests/1/edit', edited, 'PUT', 'merge_requests/1', { title: 'By API' }],
      ['merge_requests/1', { form: 'close' }, 'PUT', 'merge_requests/1', { state_event: 'reopen' }],
      [snippet, { form: 'comment', body: 'By form' }, 'POST', `${snippet}/notes`, { body: 'By API' }],
      ['snippets/new', newSnippet, 'POST', 'snippets', { title: 'By API', visibility: 'private', ...file }],
      [`${snippet}/edit`, { form: 'snippet', title: 'By form' }, 'PUT', snippet, { title: 'By API' }],
      ['wikis/new', newPage, 'POST', 'wikis', { title: `By API ${role}`, content: 'A text' }],
      ['wikis/Notes/edit', editedPage, 'PUT', 'wikis/Notes', { content: 'By API' }],
    ]);
  });

  it.each(visibilities)(
    'plans, releases and adds members in a %s project exactly if the API allows it',
    async (visibility) => {
      const group = matrix.groups.get(visibility)!;
      const api = `/projects/${encodeURIComponent(`${group}/tool`)}`;
      const create = () => root.ProjectMilestones.create(`${group}/tool`, uniqueName('milestone'));
      const [one, two] = [await create(), await create()];
      const [tag_name, link] = [uniqueName('tag'), uniqueName('link')];
      const newLink = { form: 'new-link', name: link, url: `https://example.com/${link}` };
      const linkBody = { name: `${link}-api`, url: `https://example.com/${link}-api` };
      await compareWithApi(role, `/${group}/tool`, api, [
        ...(await milestoneRows(root.ProjectMilestones, `${group}/tool`)),
        [`milestones/${one.iid}`, { form: 'promote' }, 'POST', `milestones/${two.id}/promote`, {}],
        [
          'releases/new',
          { form: 'new-release', tag_name, ref: 'main' },
          'POST',
          'releases',
          { tag_name: link, ref: 'main' },
        ],
        ['releases/v1/edit', { form: 'release', name: 'By form' }, 'PUT', 'releases/v1', { name: 'By API' }],
        ['releases/v1/edit', newLink, 'POST', 'releases/v1/assets/links', linkBody],
        ['releases/v1', { form: 'delete' }, 'POST', 'releases', { tag_name: 'v1', name: 'Again' }],
        ...memberRows('project_members', ofProject.id),
      ]);
      await root.ProjectMembers.remove(`${group}/tool`, added.id).catch(() => undefined);
    },
  );

  it.each(visibilities)('plans and adds members in a %s group exactly if the API allows it', async (visibility) => {
    const group = matrix.groups.get(visibility)!;
    await compareWithApi(role, `/groups/${group}`, `/groups/${group}`, [
      ...(await milestoneRows(root.GroupMilestones, group)),
      ...memberRows('group_members', ofGroup.id),
    ]);
    await root.GroupMembers.remove(group, added.id).catch(() => undefined);
  });
});

/** A form of a page, and a request to the API that needs the same right. */
type Row = readonly [
  page: string,
  fields: { form: string } & Record<string, string>,
  method: string,
  route: string,
  body: object,
];

/** Expects each form to be shown, and to be taken, exactly if the API allows its request. */
async function compareWithApi(role: string, base: string, api: string, rows: readonly Row[]): Promise<void> {
  const token = matrix.people.get(role)?.token ?? '';
  const visitor = matrix.visitors.get(role)!;
  for (const [page, fields, method, route, body] of rows) {
    const current = (await askJson('GET', `${api}/${route}`, { token: connection.token })).body;
    const was = Object.fromEntries(
      ['title', 'name', 'content', 'access_level'].map((field) => [field, hashOf(String(current[field]))]),
    );
    const { isShown, isTaken } = await sendForm(visitor, `${base}/-/${page}`, { was: JSON.stringify(was), ...fields });
    const { status } = await askJson(method, `${api}/${route}`, { token, body });
    const isAllowed = status < 300;
    expect([page, fields.form, isTaken]).toEqual([page, fields.form, isAllowed]);
    expect([page, fields.form, isShown]).toEqual([page, fields.form, isAllowed]);
  }
}

async function milestoneRows(
  milestones: typeof root.ProjectMilestones | typeof root.GroupMilestones,
  owner: string,
): Promise<Row[]> {
  const [first] = await milestones.all(owner, { iids: [1] });
  const [one, two] = [
    await milestones.create(owner, uniqueName('one')),
    await milestones.create(owner, uniqueName('two')),
  ];
  const [byForm, byApi] = [uniqueName('form'), uniqueName('api')];
  const route = `milestones/${first!.id}`;
  return [
    ['milestones/new', { form: 'new-milestone', title: byForm }, 'POST', 'milestones', { title: byApi }],
    ['milestones/1/edit', { form: 'milestone', title: `${byForm}-1` }, 'PUT', route, { title: `${byApi}-1` }],
    ['milestones/1', { form: 'close' }, 'PUT', route, { state_event: 'activate' }],
    [`milestones/${one.iid}`, { form: 'delete' }, 'DELETE', `milestones/${two.id}`, {}],
  ];
}

/** @param userId of a direct member, who is one again at the end */
const memberRows = (page: string, userId: number): Row[] => {
  const [of, route] = [String(userId), `members/${userId}`];
  return [
    [page, { form: 'change-member', of, access_level: '20' }, 'PUT', route, { access_level: 10 }],
    [page, { form: 'add-member', username: added.username, access_level: '10' }, 'PUT', route, { access_level: 10 }],
    [page, { form: 'remove-member', of }, 'POST', 'members', { user_id: userId, access_level: 10 }],
  ];
};

it.each(roles)('%s deletes snippets and pages of wikis with forms exactly if the API allows it', async (role) => {
  const token = matrix.people.get(role)?.token ?? '';
  for (const [visibility, group] of matrix.groups) {
    const path = `${group}/tool`;
    const files = [{ content: 'A file', filePath: 'a.txt' }];
    const one = await root.ProjectSnippets.create(path, 'One', { visibility: 'public', files });
    const two = await root.ProjectSnippets.create(path, 'Two', { visibility: 'public', files });
    for (const title of ['One', 'Two']) await root.ProjectWikis.create(path, 'A text', `${title} ${role}`);
    for (const [page, route] of [
      [`snippets/${one.id}/edit`, `snippets/${two.id}`],
      [`wikis/One-${role}/edit`, `wikis/Two-${role}`],
    ] as const) {
      const sent = await sendForm(matrix.visitors.get(role)!, `/${path}/-/${page}`, { form: 'delete' });
      const { status } = await askJson('DELETE', `/projects/${encodeURIComponent(path)}/${route}`, { token });
      const isAllowed = status === 204;
      expect([visibility, page, sent]).toEqual([visibility, page, { isShown: isAllowed, isTaken: isAllowed }]);
    }
  }
});

it('nobody writes in an archived project', async () => {
  const path = uniqueName('archived');
  const project = await root.Projects.create({ name: path, path, visibility: 'public', initializeWithReadme: true });
  await root.Issues.create(project.id, 'An issue');
  await root.Branches.create(project.id, 'topic', 'main');
  await root.RepositoryFiles.create(project.id, 'a.txt', 'topic', 'one\n', 'add a.txt');
  await root.MergeRequests.create(project.id, 'topic', 'main', 'A change');
  await root.ProjectWikis.create(project.id, 'A text', 'home');
  const files = [{ content: 'A file', filePath: 'a.txt' }];
  const { id } = await root.ProjectSnippets.create(project.id, 'A snippet', { visibility: 'public', files });
  await root.ProjectMilestones.create(project.id, 'A milestone');
  await root.ProjectReleases.create(project.id, { tagName: 'v1', ref: 'main' });
  await root.Projects.archive(project.id);
  const visitor = matrix.visitors.get('administrator')!;
  const open = async (below: string) => {
    const page = await visitor.load(`/${project.path_with_namespace}/-/${below}`);
    return { status: page.status, text: await page.text() };
  };
  for (const below of [
    ...['issues', 'issues/1', 'merge_requests', 'merge_requests/1', 'merge_requests/1/diffs'],
    ...['wikis', 'wikis/pages', 'snippets', `snippets/${id}`],
    ...['milestones', 'milestones/1', 'releases', 'releases/v1', 'project_members'],
  ]) {
    await until(`no form on ${below}`, async () => !/name="form"|\/(new|edit)["?]/.test((await open(below)).text));
    expect([below, (await open(below)).status]).toEqual([below, 200]);
  }
  for (const below of [
    ...['issues/new', 'issues/1/edit', 'merge_requests/new', 'merge_requests/1/edit'],
    ...['wikis/new', 'wikis/home/edit', 'snippets/new', `snippets/${id}/edit`],
    ...['milestones/new', 'milestones/1/edit', 'releases/new', 'releases/v1/edit'],
  ])
    expect([below, (await open(below)).status]).toEqual([below, 404]);
});

it.each(roles)('%s opens the form for a merge request exactly if the API allows one', async (role) => {
  for (const visibility of visibilities) {
    const path = `${matrix.groups.get(visibility)}/tool`;
    const { status } = await matrix.visitors.get(role)!.load(`/${path}/-/merge_requests/new`);
    const token = matrix.people.get(role)?.token ?? '';
    const body = { source_branch: 'change', target_branch: 'change', title: 'To itself' };
    const refused = await askJson('POST', `/projects/${encodeURIComponent(path)}/merge_requests`, { token, body });
    expect([path, status]).toEqual([path, refused.status === 422 ? 200 : 404]);
  }
});

describe('an issue', () => {
  let base: string;
  let id: number;
  const visitor = new PageVisitor();
  const open = (below: string) => visitor.load(`${base}/-/${below}`);

  beforeAll(async () => {
    const user = await newUser('writer');
    await visitor.signIn(user.username, user.password);
    const path = uniqueName('forms');
    const project = await root.Projects.create({ name: path, path, visibility: 'public', initializeWithReadme: true });
    base = `/${project.path_with_namespace}`;
    id = project.id;
    await root.ProjectMembers.add(id, 20, { userId: user.id });
    await root.RepositoryFiles.create(
      id,
      '.gitlab/issue_templates/Bug.md',
      'main',
      '\n# What happened\n',
      'add a template',
    );
    await root.ProjectMilestones.create(id, 'Spring');
  });

  it('is opened with a template, labels, milestone and assignee', async () => {
    const page = await open('issues/new?issuable_template=Bug&issue[title]=A%20title');
    const text = await page.clone().text();
    expect(text).toContain('value="A title"');
    expect(text).toContain('>\n\n# What happened');
    const milestone = /<option value="(\d+)">Spring/.exec(text)![1]!;
    const [root1] = await root.Users.all({ username: 'root' });
    const issue = await visitor.submit(
      page,
      {
        ...{ title: 'The wheel stands', description: '# What happened\r\n\r\nNothing', milestone_id: milestone },
        ...{
          'assignee_ids[]': String(root1!.id),
          other_labels: 'bug, wheel',
          due_date: '2030-05-06',
          confidential: '1',
        },
      },
      'new-issue',
    );
    const number = /issues\/(\d+)$/.exec(issue.url)![1]!;
    expect(await root.Issues.show(Number(number), { projectId: id })).toMatchObject({
      ...{ title: 'The wheel stands', description: '# What happened\n\nNothing', labels: ['bug', 'wheel'] },
      ...{
        milestone: { title: 'Spring' },
        assignees: [{ username: 'root' }],
        due_date: '2030-05-06',
        confidential: true,
      },
    });
  });

  it('with a wrong field is shown again as it was typed', async () => {
    const text = 'Typed "with care"';
    const page = await visitor.submit(
      await open('issues/new'),
      { title: ' ', description: text, due_date: 'soon', other_labels: 'one' },
      'new-issue',
    );
    expect(page.status).toBe(422);
    const shown = await page.text();
    expect(shown).toContain('Title is empty.');
    expect(shown).toContain('Due date is invalid.');
    expect(shown).toContain('>Typed &quot;with care&quot;</textarea>');
    expect(shown).toContain('value="one"');
    expect(shown).toMatch(/<title>Error: New issue/);
  });

  it('keeps what two users change at the same time, or refuses the second one', async () => {
    const { iid } = await root.Issues.create(id, 'First', { labels: 'a' });
    const shown = await (await open(`issues/${iid}/edit`)).text();
    const was = /name="was" value="([^"]*)"/.exec(shown)![1]!.replaceAll('&quot;', '"');
    expect(Object.keys(JSON.parse(was))).toEqual(
      expect.arrayContaining(['title', 'labels', 'assignee_ids', 'milestone_id', 'due_date']),
    );
    const csrf = /name="csrf" value="([^"]*)"/.exec(shown)![1]!;
    const save = (over: Record<string, string>) =>
      visitor.load(
        `${base}/-/issues/${iid}/edit`,
        new URLSearchParams({ csrf, form: 'issue', was, title: 'First', description: '', 'labels[]': 'a', ...over }),
      );
    await root.Issues.edit(id, iid, { title: 'Changed', addLabels: 'b' });
    expect((await save({ description: 'By form' })).status).toBe(200);
    const first = await root.Issues.show(iid, { projectId: id });
    expect(first).toMatchObject({ title: 'Changed', description: 'By form', labels: ['a', 'b'] });
    const refused = await save({ title: 'Second', description: 'By form' });
    expect(refused.status).toBe(422);
    const text = await refused.clone().text();
    expect(text).toContain('value="Second"');
    expect(text).toContain('Title was changed by somebody else meanwhile');
    // Sent again, it replaces the other title.
    const saved = await visitor.submit(refused, { title: 'Second', description: 'By form', 'labels[]': 'b' }, 'issue');
    expect(saved.status).toBe(200);
    expect(await root.Issues.show(iid, { projectId: id })).toMatchObject({ title: 'Second', labels: ['b'] });
  });

  it('is no longer confidential after its box was unchecked', async () => {
    const { iid } = await root.Issues.create(id, 'Secret', { confidential: true });
    const edit = await open(`issues/${iid}/edit`);
    expect(await edit.clone().text()).toContain('name="confidential" value="1" checked');
    await visitor.submit(edit, { title: 'Secret' }, 'issue');
    expect(await root.Issues.show(iid, { projectId: id })).toMatchObject({ title: 'Secret', confidential: false });
  });

  it('is discussed, closed and reopened', async () => {
    const { iid } = await root.Issues.create(id, 'Discussed');
    const commented = await visitor.submit(await open(`issues/${iid}`), { body: 'A **remark**' }, 'comment');
    expect(await commented.clone().text()).toContain('A <strong>remark</strong>');
    const replied = await visitor.submit(commented, { body: 'A reply' }, 'reply');
    expect(await replied.text()).toContain('A reply');
    const [discussion] = await root.IssueDiscussions.all(id, iid);
    expect(discussion!.notes!.map(({ body }) => body)).toEqual(['A **remark**', 'A reply']);
    const closed = await visitor.submit(await open(`issues/${iid}`), {}, 'close');
    expect(await closed.clone().text()).toContain('Reopen issue');
    await visitor.submit(closed, {}, 'reopen');
    expect((await root.Issues.show(iid, { projectId: id })).state).toBe('opened');
    // Quick actions alone are no note.
    await visitor.submit(await open(`issues/${iid}`), { body: '/close' }, 'comment');
    expect((await root.Issues.show(iid, { projectId: id })).state).toBe('closed');
  });

  it('is opened once by a form that is sent twice', async () => {
    const page = await (await open('issues/new')).text();
    const csrf = /name="csrf" value="([^"]*)"/.exec(page)![1]!;
    const token = /name="token" value="([^"]*)"/.exec(page)![1]!;
    const title = uniqueName('Twice');
    const form = new URLSearchParams({ csrf, token, form: 'new-issue', title });
    const [one, two] = await Promise.all([
      visitor.load(`${base}/-/issues/new`, form),
      visitor.load(`${base}/-/issues/new`, form),
    ]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.url).toBe(two.url);
    expect(await root.Issues.all({ projectId: id, search: title, in: 'title' })).toHaveLength(1);
  });
});

describe('a merge request', () => {
  const visitor = new PageVisitor();
  let author: Awaited<ReturnType<typeof newUser>>;

  beforeAll(async () => {
    author = await newUser('author');
    await visitor.signIn(author.username, author.password);
  });

  const newProject = async () => {
    const path = uniqueName('changes');
    const created = await root.Projects.create({ name: path, path, visibility: 'public', initializeWithReadme: true });
    await root.RepositoryFiles.create(created.id, '.gitlab/merge_request_templates/Default.md', 'main', 'Why?', 'x');
    return created;
  };

  it('is opened for two branches, with the template of the project, and changed', async () => {
    const { id, path_with_namespace } = await newProject();
    await root.ProjectMembers.add(id, 30, { userId: author.id });
    await root.Branches.create(id, 'topic/a', 'main');
    await root.RepositoryFiles.create(id, 'a.txt', 'topic/a', 'one\n', 'add a.txt');
    const at = `/${path_with_namespace}/-/merge_requests`;
    const chosen = await (await visitor.load(`${at}/new`)).text();
    expect(chosen).toContain('<option value="topic/a">');
    const none = await visitor.load(`${at}/new?merge_request%5Bsource_branch%5D=none`);
    expect(await none.text()).toContain('One of the two branches does not exist.');
    const page = await visitor.load(`${at}/new?merge_request%5Bsource_branch%5D=topic%2Fa`);
    const text = await page.clone().text();
    expect(text).toContain('value="add a.txt"');
    expect(text).toContain('>Why?</textarea>');
    const reviewer = { 'reviewer_ids[]': String(author.id) };
    const made = await visitor.submit(
      page,
      { title: 'A change', description: 'Because', ...reviewer },
      'new-merge-request',
    );
    expect(made.url).toMatch(/merge_requests\/1$/);
    expect(await root.MergeRequests.show(id, 1)).toMatchObject({
      ...{ title: 'A change', description: 'Because', source_branch: 'topic/a', target_branch: 'main' },
      reviewers: [{ username: author.username }],
    });
    const edit = await visitor.load(`${at}/1/edit`);
    await visitor.submit(
      edit,
      { title: 'Draft: A change', description: 'Because', target_branch: 'main' },
      'merge-request',
    );
    expect(await root.MergeRequests.show(id, 1)).toMatchObject({ draft: true, description: 'Because', reviewers: [] });
    // The same branches again.
    const again = await visitor.submit(
      await visitor.load(`${at}/new?merge_request%5Bsource_branch%5D=topic%2Fa`),
      {
        title: 'Again',
      },
      'new-merge-request',
    );
    expect([again.status, await again.text()]).toEqual([422, expect.stringMatching(/role="alert">[^<]*!1/)]);
  });

  it('is opened from a fork for the project that it was forked from', async () => {
    const upstream = await newProject();
    const name = uniqueName('fork');
    const fork = await author.client.Projects.fork(upstream.id, { path: name, name });
    await until('the fork', async () => (await author.client.Projects.show(fork.id)).import_status === 'finished');
    await author.client.Branches.create(fork.id, 'topic', 'main');
    await author.client.RepositoryFiles.create(fork.id, 'a.txt', 'topic', 'one\n', 'add a.txt');
    const at = `/${fork.path_with_namespace}/-/merge_requests/new`;
    expect(await (await visitor.load(at)).text()).toContain(`<option value="${upstream.id}">`);
    const query = new URLSearchParams({
      'merge_request[source_branch]': 'topic',
      'merge_request[target_project_id]': String(upstream.id),
      'merge_request[target_branch]': 'main',
    });
    const made = await visitor.submit(
      await visitor.load(`${at}?${query}`),
      { title: 'From a fork' },
      'new-merge-request',
    );
    expect(made.url).toBe(`${connection.url}/${upstream.path_with_namespace}/-/merge_requests/1`);
    expect(await root.MergeRequests.show(upstream.id, 1)).toMatchObject({ source_project_id: fork.id });
  });

  it('is discussed at its lines', async () => {
    const { id, path_with_namespace } = await newProject();
    await root.ProjectMembers.add(id, 30, { userId: author.id });
    const numbers = (from: number) => Array.from({ length: 20 }, (_, at) => `line ${from + at}\n`).join('');
    await root.RepositoryFiles.create(id, 'a b.txt', 'main', numbers(1), 'add a b.txt');
    await root.Branches.create(id, 'topic', 'main');
    await root.RepositoryFiles.edit(id, 'a b.txt', 'topic', `new\n${numbers(2)}`, 'change a b.txt');
    await author.client.MergeRequests.create(id, 'topic', 'main', 'A change');
    const at = `/${path_with_namespace}/-/merge_requests/1/diffs`;
    const changes = await (await visitor.load(at)).text();
    const comment = async (line: string, body: string) => {
      expect([line, changes.includes(`href="?${line.replace('&', '&amp;')}#write"`)]).toEqual([line, true]);
      return visitor.submit(await visitor.load(`${at}?${line}`), { body }, 'line-comment');
    };
    const added = await comment('at=0n&line=1', 'On the **new** line');
    expect(added.url).toMatch(/diffs$/);
    await comment('at=0o&line=1', 'On the old line');
    await comment('at=0n&line=3', 'On an unchanged line');
    const notes = (await root.MergeRequestDiscussions.all(id, 1)).flatMap(({ notes }) => notes ?? []);
    const lineOf = (position: unknown, side: string) => (position as Record<string, number | null>)[side] ?? null;
    expect(
      notes.map(({ body, position }) => [body, lineOf(position, 'old_line'), lineOf(position, 'new_line')]),
    ).toEqual([
      ['On the **new** line', null, 1],
      ['On the old line', 1, null],
      ['On an unchanged line', 3, 3],
    ]);
    const shown = await visitor.load(at);
    const text = await shown.clone().text();
    // Each one stands below its line, and above the next one.
    expect(text).toMatch(
      /-line 1\n.*On the old line.*\+new\n.*On the <strong>new<\/strong> line.*line 3\n.*On an unchanged line/s,
    );
    const replied = await visitor.submit(shown, { body: 'Why?' }, 'reply');
    expect(replied.url).toBe(`${connection.url}${at}`);
    expect(await (await visitor.submit(replied, {}, 'resolve')).text()).toContain('(resolved)');
    const missing = await (await visitor.load(`${at}?at=0n&line=999`)).text();
    expect(missing).toContain('These changes do not show that line.');
    // After a push the comments are on an earlier version.
    const old = await visitor.load(`${at}?at=0n&line=2`);
    await root.RepositoryFiles.edit(id, 'a b.txt', 'topic', `newer\n${numbers(2)}`, 'change it again');
    await until('the new version', async () => !(await (await visitor.load(at)).text()).includes('On the old line'));
    expect((await visitor.submit(old, { body: 'On the version that was shown' }, 'line-comment')).status).toBe(200);
    const [last] = (await root.MergeRequestDiscussions.all(id, 1)).flatMap(({ notes }) => notes ?? []).slice(-1);
    expect(last).toMatchObject({ body: 'On the version that was shown', position: { new_line: 2 } });
  });

  it('is approved, merged and shown', async () => {
    const reviewer = await newUser('reviewer');
    const path = uniqueName('review');
    const project = await root.Projects.create({ name: path, path, visibility: 'private', initializeWithReadme: true });
    for (const { id } of [author, reviewer]) await root.ProjectMembers.add(project.id, 40, { userId: id });
    await root.Branches.create(project.id, 'topic', 'main');
    await root.RepositoryFiles.create(project.id, 'a.txt', 'topic', 'one\n', 'add a.txt');
    const { iid } = await author.client.MergeRequests.create(project.id, 'topic', 'main', 'A change');
    const own = new PageVisitor();
    await own.signIn(reviewer.username, reviewer.password);
    const at = `/${project.path_with_namespace}/-/merge_requests/${iid}`;
    const approved = await own.submit(await own.load(at), {}, 'approve');
    expect(await approved.text()).toContain(`Approved by <a href="/${reviewer.username}">`);
    const seen = await own.load(at);
    await root.RepositoryFiles.edit(project.id, 'a.txt', 'topic', 'two\n', 'change a.txt');
    const { commit } = await root.Branches.show(project.id, 'topic');
    // The merge is for the commit that the page showed.
    const refused = await own.submit(seen, {}, 'merge');
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringMatching(/role="alert"/)]);
    await until('the new commit', async () => (await (await own.load(at)).text()).includes(String(commit.id)));
    const ready = await own.load(at);
    const merged = await own.submit(ready.clone(), { should_remove_source_branch: '1' }, 'merge');
    expect(await merged.text()).toContain('merged');
    // The page of a merged request has no form any more, and says so all the same.
    const again = await own.submit(ready, { squash: '1' }, 'merge');
    expect([again.status, await again.text()]).toEqual([
      422,
      expect.stringMatching(/role="alert">It is closed, merged/),
    ]);
    expect(await root.MergeRequests.show(project.id, iid)).toMatchObject({
      state: 'merged',
      merged_by: { username: reviewer.username },
    });
    await until('the deletion of the source branch', async () => {
      const branches = await root.Branches.all(project.id);
      return branches.every(({ name }) => name !== 'topic');
    });
  });
});

it('a form of another site, or without a session, changes nothing and keeps what was typed', async () => {
  const path = uniqueName('csrf');
  const project = await root.Projects.create({ name: path, path, visibility: 'public' });
  const visitor = new PageVisitor();
  const send = async (csrf: string) => {
    const form = new URLSearchParams({ csrf, form: 'new-issue', title: 'Not mine', description: 'A long text' });
    const response = await visitor.send(`/${project.path_with_namespace}/-/issues/new`, form);
    expect(await response.text()).toContain('>A long text</textarea>');
    return response.status;
  };
  expect(await send('')).toBe(422);
  await visitor.signIn(connection.username, connection.password);
  expect(await send('x'.repeat(43))).toBe(422);
  expect(await root.Issues.all({ projectId: project.id })).toEqual([]);
});

it('programs that post to a page get an error in JSON', async () => {
  const body = new URLSearchParams({ form: 'new-issue', title: 'x' });
  const response = await fetch(`${connection.url}/a/b/-/issues/new`, { method: 'POST', body });
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json']);
});
