import { PageVisitor } from '../identity/page-visitor';
import { connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Forms of issues and merge requests: what is sent, what is refused, and what is shown after both. */

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
    // Sent again, it replaces the other title, and not the labels, which the user left alone.
    const again = { title: 'Second', description: 'By form', 'labels[]': 'a' };
    const labels = await visitor.submit(refused.clone(), { ...again, 'labels[]': 'b' }, 'issue');
    expect([labels.status, await labels.text()]).toEqual([422, expect.stringContaining('Labels was changed by')]);
    const saved = await visitor.submit(refused, again, 'issue');
    expect(saved.status).toBe(200);
    expect(await root.Issues.show(iid, { projectId: id })).toMatchObject({ title: 'Second', labels: ['a', 'b'] });
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

it('a form that is too large leads to a page that says so, and changes nothing', async () => {
  const path = uniqueName('large');
  const project = await root.Projects.create({ name: path, path, visibility: 'public' });
  const visitor = new PageVisitor();
  await visitor.signIn(connection.username, connection.password);
  const form = await visitor.load(`/${project.path_with_namespace}/-/issues/new`);
  const answer = await visitor.submit(form, { title: 'Large', description: 'x'.repeat(8 << 20) }, 'new-issue');
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
  expect(text).toContain('<h1>The form is too large</h1>');
  expect(text).toContain('A form may have <span>7.3 MB</span>.');
  expect(text).toContain(`Sign out ${connection.username}`);
  expect(await root.Issues.all({ projectId: project.id })).toEqual([]);
});

it('programs that post to a page get an error in JSON', async () => {
  const body = new URLSearchParams({ form: 'new-issue', title: 'x' });
  const response = await fetch(`${connection.url}/a/b/-/issues/new`, { method: 'POST', body });
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json']);
});
