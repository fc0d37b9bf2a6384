import { PageVisitor } from '../identity/page-visitor';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { type Matrix, prepareMatrix, roles, visibilities } from './access-matrix';

/* Forms of issues and merge requests change what the API would change for the same user. */

let matrix: Matrix;

beforeAll(async () => {
  matrix = await prepareMatrix('forms');
});

/** Opens a page and sends one of its forms, also if the page does not show it. @returns the status, 303 if it was taken */
async function sendForm(visitor: PageVisitor, path: string, fields: Record<string, string>) {
  const text = await (await visitor.load(path)).text();
  const isShown = text.includes(`name="form" value="${fields.form}"`);
  const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const form = new URLSearchParams({ csrf, token: uniqueName('token'), ...fields });
  const { status } = await visitor.send(path, form);
  return { isShown, isTaken: status === 303 };
}

describe.each(roles)('%s', (role) => {
  it.each(visibilities)('writes in a %s project with forms exactly if the API allows it', async (visibility) => {
    const base = `/${matrix.groups.get(visibility)}/tool`;
    const api = `/projects/${encodeURIComponent(base.slice(1))}`;
    const token = matrix.people.get(role)?.token ?? '';
    const visitor = matrix.visitors.get(role)!;
    for (const [page, fields, method, route, body] of [
      ['issues/1', { form: 'comment', body: 'By form' }, 'POST', 'issues/1/notes', { body: 'By API' }],
      ['issues/2', { form: 'comment', body: 'By form' }, 'POST', 'issues/2/notes', { body: 'By API' }],
      ['issues/new', { form: 'new-issue', title: 'By form' }, 'POST', 'issues', { title: 'By API' }],
      ['issues/1', { form: 'close' }, 'PUT', 'issues/1', { state_event: 'reopen' }],
      ['merge_requests/1', { form: 'comment', body: 'By form' }, 'POST', 'merge_requests/1/notes', { body: 'By API' }],
      ['merge_requests/1', { form: 'close' }, 'PUT', 'merge_requests/1', { state_event: 'reopen' }],
    ] as const) {
      const { isShown, isTaken } = await sendForm(visitor, `${base}/-/${page}`, fields);
      const { status } = await askJson(method, `${api}/${route}`, { token, body });
      const isAllowed = status < 300;
      expect([page, fields.form, isTaken]).toEqual([page, fields.form, isAllowed]);
      expect([page, fields.form, isShown]).toEqual([page, fields.form, isAllowed]);
    }
  });
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
  it('is approved, merged and shown', async () => {
    const [author, reviewer] = [await newUser('author'), await newUser('reviewer')];
    const path = uniqueName('review');
    const project = await root.Projects.create({ name: path, path, visibility: 'private', initializeWithReadme: true });
    for (const { id } of [author, reviewer]) await root.ProjectMembers.add(project.id, 40, { userId: id });
    await root.Branches.create(project.id, 'topic', 'main');
    await root.RepositoryFiles.create(project.id, 'a.txt', 'topic', 'one\n', 'add a.txt');
    const { iid } = await author.client.MergeRequests.create(project.id, 'topic', 'main', 'A change');
    const visitor = new PageVisitor();
    await visitor.signIn(reviewer.username, reviewer.password);
    const at = `/${project.path_with_namespace}/-/merge_requests/${iid}`;
    const approved = await visitor.submit(await visitor.load(at), {}, 'approve');
    expect(await approved.text()).toContain(`Approved by <a href="/${reviewer.username}">`);
    const seen = await visitor.load(at);
    await root.RepositoryFiles.edit(project.id, 'a.txt', 'topic', 'two\n', 'change a.txt');
    // The merge is for the commit that the page showed.
    const refused = await visitor.submit(seen, {}, 'merge');
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringMatching(/role="alert"/)]);
    const merged = await visitor.submit(await visitor.load(at), { should_remove_source_branch: '1' }, 'merge');
    expect(await merged.text()).toContain('merged');
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
