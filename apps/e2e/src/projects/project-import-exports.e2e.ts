import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { ask, clientFor, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { statusOf } from './status-of';

/* Export and import of projects, by @gitbeaker/rest's ProjectImportExports; and invalid archives. */

type Client = ReturnType<typeof clientFor>;

const asFile = (bytes: Buffer) => ({ content: new Blob([new Uint8Array(bytes)]), filename: 'project.tar.gz' });
const basic = `Basic ${Buffer.from(`root:${connection.token}`).toString('base64')}`;
const lfsType = 'application/vnd.git-lfs+json';

/** Without the client, which delays after a few of these requests. */
async function stateOf(projectId: number, what: 'export' | 'import', token = connection.token) {
  const answer = await ask(`/api/v4/projects/${projectId}/${what}`, { token });
  return (await answer.json()) as { export_status: string; import_status: string; import_error: string | null };
}

async function exported(projectId: number, client: Client = root): Promise<Buffer> {
  const { message } = await client.ProjectImportExports.scheduleExport(projectId, undefined as never);
  expect(message).toContain('202 Accepted');
  await until('the export', async () => {
    const { export_status } = await stateOf(projectId, 'export');
    expect(export_status).not.toBe('failed');
    return export_status === 'finished';
  });
  const archive = await ask(`/api/v4/projects/${projectId}/export/download`, { token: connection.token });
  return Buffer.from(await archive.arrayBuffer());
}

async function untilImported(projectId: number, token = connection.token) {
  return until('the end of the import', async () => {
    const state = await stateOf(projectId, 'import', token);
    return ['finished', 'failed'].includes(state.import_status) ? state : undefined;
  });
}

/** Without the client: for names or forms that it does not have. */
async function asRoot<T = Record<string, unknown>>(path: string, body?: object): Promise<T> {
  const wanted = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const answer = await ask(`/api/v4/projects/${path}`, { token: connection.token, ...wanted });
  expect([path, answer.ok]).toEqual([path, true]);
  return (await answer.json()) as T;
}

const picture = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

/** Parts of archives other than issues and merge requests. */
async function withMore(id: number, request: { iid: number }, [one, other]: { iid: number }[], reviewerId: number) {
  const avatar = { content: new Blob([picture]), filename: 'face.gif' };
  await root.Projects.edit(id, { avatar } as never);
  const snippet = await asRoot<{ id: number }>(`${id}/snippets`, {
    ...{ title: 'Crane', description: 'how', visibility: 'private' },
    files: [
      { file_path: 'src/crane.rb', content: 'turn' },
      { file_path: 'b.txt', content: 'ü\n' },
    ],
  });
  const thread = await asRoot<{ id: string }>(`${id}/snippets/${snippet.id}/discussions`, { body: 'why?' });
  await asRoot(`${id}/snippets/${snippet.id}/discussions/${thread.id}/notes`, { body: 'so' });
  const sha = (await root.Branches.show(id, 'topic')).commit.id;
  await asRoot(`${id}/repository/commits/${sha}/comments`, { note: 'Here', path: 'a.txt', line: 1, line_type: 'new' });
  const readers = { name: 'Readers', approvals_required: 1, user_ids: [reviewerId] };
  await asRoot(`${id}/approval_rules`, readers);
  await asRoot(`${id}/merge_requests/${request.iid}/approval_rules`, { name: 'Own', approvals_required: 0 });
  await asRoot(`${id}/approvals`, { reset_approvals_on_push: true });
  const link = { target_project_id: id, target_issue_iid: other?.iid, link_type: 'blocks' };
  await asRoot(`${id}/issues/${one?.iid}/links`, link);
  await root.Issues.edit(id, one?.iid ?? 0, { removeLabels: 'bug', weight: 5 });
  await root.Issues.edit(id, one?.iid ?? 0, { addLabels: 'bug', weight: 3 });
  await asRoot(`${id}/pipeline_schedules`, { description: 'nightly', ref: 'main', cron: '0 1 * * *', active: false });
  await asRoot(`${id}/push_rule`, { commit_message_regex: '.', max_file_size: 7 });
}

/** The same parts, as expected in the copy. */
async function moreLooksOf(id: number, issueIids: number[], requestIids: number[]) {
  const face = await ask(`/api/v4/projects/${id}/avatar`, { token: connection.token });
  const snippets = await asRoot<Shown[]>(`${id}/snippets`);
  const { commit } = await root.Branches.show(id, 'topic');
  const rules = (all: Shown[]) =>
    all.map(({ name, rule_type, approvals_required, users, overridden }) => ({
      ...{ name, rule_type, approvals_required, overridden },
      users: (users as Shown[]).map(({ username }) => username),
    }));
  const read = async (path: string) =>
    (await asRoot<Shown[]>(`${id}/${path}`)).map((event) => {
      const { created_at, action, state, weight, label, milestone } = event;
      const titles = [label, milestone].map((named) => (named as Shown | undefined)?.name ?? (named as Shown)?.title);
      return { by: (event.user as Shown).username, created_at, action, state, weight, titles };
    });
  const events = (of: string, iid: number, fields: string[]) =>
    Promise.all(fields.map((field) => read(`${of}/${iid}/resource_${field}_events`)));
  return {
    face: [face.headers.get('content-type'), Buffer.from(await face.arrayBuffer()).toString('base64')],
    snippets: await Promise.all(
      snippets.map(async ({ id: snippetId, title, description, visibility, created_at, files }) => ({
        ...{ title, description, visibility, created_at, files: (files as Shown[]).map(({ path }) => path) },
        raw: await Promise.all(
          (files as { path: string }[]).map(async ({ path }) => {
            const at = `snippets/${snippetId}/files/main/${encodeURIComponent(path)}/raw`;
            return (await ask(`/api/v4/projects/${id}/${at}`, { token: connection.token })).text();
          }),
        ),
        threads: (await asRoot<Shown[]>(`${id}/snippets/${snippetId}/discussions`)).map(({ notes }) =>
          (notes as Shown[]).map(({ body, created_at: at }) => [body, at]),
        ),
      })),
    ),
    comments: (await asRoot<Shown[]>(`${id}/repository/commits/${commit.id}/comments`)).map(
      ({ note, path, line, line_type, created_at }) => ({ note, path, line, line_type, created_at }),
    ),
    rules: rules(await asRoot<Shown[]>(`${id}/approval_rules`)),
    ownRules: await Promise.all(
      requestIids.map(async (iid) => rules(await asRoot<Shown[]>(`${id}/merge_requests/${iid}/approval_rules`))),
    ),
    resets: (await asRoot(`${id}/approvals`)).reset_approvals_on_push,
    links: await Promise.all(
      issueIids.map(async (iid) =>
        (await asRoot<Shown[]>(`${id}/issues/${iid}/links`)).map(({ iid: to, link_type }) => [to, link_type]),
      ),
    ),
    issueEvents: await Promise.all(
      issueIids.map((iid) => events('issues', iid, ['label', 'milestone', 'state', 'weight', 'iteration'])),
    ),
    requestEvents: await Promise.all(
      requestIids.map((iid) => events('merge_requests', iid, ['label', 'milestone', 'state'])),
    ),
    schedules: (await asRoot<Shown[]>(`${id}/pipeline_schedules`)).map(
      ({ description, ref, cron, cron_timezone, active, created_at }) => ({
        ...{ description, ref, cron, cron_timezone, active, created_at },
      }),
    ),
    pushRules: (({ commit_message_regex, max_file_size }) => ({ commit_message_regex, max_file_size }))(
      await asRoot(`${id}/push_rule`),
    ),
  };
}

type Shown = Record<string, unknown>;

/** A project with all kinds of records in an archive. */
async function fullProject() {
  const [path, reviewer, stranger] = [uniqueName('whole'), await newUser('reviewer'), await newUser('stranger')];
  const project = await root.Projects.create({
    ...{ name: 'Whole', path, description: 'All of it', visibility: 'public', topics: ['archives'] },
    ...{ mergeMethod: 'ff', initializeWithReadme: true, snippetsAccessLevel: 'private' },
  });
  const { id } = project;
  await root.ProjectMembers.add(id, 30, { userId: reviewer.id });
  await root.ProjectMembers.add(id, 20, { userId: stranger.id });
  const file = { content: new Blob(['the file']), filename: 'notes.txt' };
  const upload = (await root.ProjectMarkdownUploads.create(id, file)) as { markdown: string };
  await root.ProjectLabels.create(id, 'bug', '#ff0000');
  const milestone = await root.ProjectMilestones.create(id, 'First', { dueDate: '2026-02-03' });
  const board = await root.ProjectIssueBoards.create(id, 'Board');
  expect(board.name).toBe('Board');
  const issue = await root.Issues.create(id, 'Broken', {
    ...{ description: `See ${upload.markdown}`, labels: 'bug', milestoneId: milestone.id, confidential: true },
    ...{ assigneeIds: [reviewer.id], weight: 3 },
  });
  const closed = await stranger.client.Issues.create(id, 'Closed', { description: 'by a stranger' });
  await root.Issues.edit(id, closed.iid, { stateEvent: 'close' });
  await root.IssueNotes.create(id, issue.iid, 'seen');
  const thread = await reviewer.client.IssueDiscussions.create(id, issue.iid, 'why?');
  await stranger.client.IssueDiscussions.addNote(id, issue.iid, String(thread.id), 'because');
  await reviewer.client.IssueAwardEmojis.award(id, issue.iid, 'thumbsup');
  await root.Branches.create(id, 'topic', 'main');
  await root.Commits.create(id, 'topic', 'add a file', [{ action: 'create', filePath: 'a.txt', content: 'one\n' }]);
  await root.Tags.create(id, 'v1', 'main', { message: 'first' });
  await root.ProjectReleases.create(id, {
    ...{ tagName: 'v1', name: 'One', description: 'the first' },
    assets: { links: [{ name: 'app', url: 'https://example.com/app' }] },
  } as never);
  const request = await root.MergeRequests.create(id, 'topic', 'main', 'Draft: Add', {
    description: `Closes #${issue.iid}`,
    reviewerIds: [reviewer.id],
  });
  const [version] = await root.MergeRequests.allDiffVersions(id, request.iid);
  await root.MergeRequestDiscussions.create(id, request.iid, 'on the line', {
    position: {
      baseSha: version!.base_commit_sha,
      startSha: version!.start_commit_sha,
      headSha: version!.head_commit_sha,
      positionType: 'text',
      newPath: 'a.txt',
      newLine: '1',
    } as never,
  });
  await reviewer.client.MergeRequestApprovals.approve(id, request.iid);
  await withMore(id, request, [issue, closed], reviewer.id);
  await root.ProtectedBranches.create(id, 'stable-*', { pushAccessLevel: 0, mergeAccessLevel: 30 } as never);
  await root.ProtectedTags.create(id, 'v*', { createAccessLevel: 40 });
  await root.ProjectWikis.create(id, '# Home', 'home');
  const object = randomBytes(200_000);
  const oid = createHash('sha256').update(object).digest('hex');
  const sent = await ask(`/${project.path_with_namespace}.git/info/lfs/objects/${oid}/${object.length}`, {
    ...{ method: 'PUT', body: new Uint8Array(object), headers: { authorization: basic } },
  });
  expect(sent.status).toBe(200);
  // Counted a moment after the issues changed.
  await until('the count', async () => Number((await root.Projects.show(id)).open_issues_count) === 1);
  return { id, reviewer, stranger, object, oid };
}

/** The parts of a project that must be equal in its copy; without ids, times of creation and paths. */
async function looksOf(id: number) {
  const project = await root.Projects.show(id);
  const kept = ({
    description,
    visibility,
    topics,
    merge_method,
    snippets_access_level,
    default_branch,
  }: typeof project) => ({
    ...{ description, visibility, topics, merge_method, snippets_access_level, default_branch },
    open: project.open_issues_count,
    readme: String(project.readme_url).slice(project.web_url.length),
  });
  const notes = (all: object[]) =>
    (all as Noted[]).map(({ body, author, created_at, system, resolvable, position }) => ({
      ...{ body, by: author.username, created_at, system, resolvable, position },
    }));
  const issues = await root.Issues.all({ projectId: id, sort: 'asc', orderBy: 'created_at' });
  const requests = await root.MergeRequests.all({ projectId: id, sort: 'asc' });
  return {
    project: kept(project),
    more: await moreLooksOf(
      id,
      issues.map(({ iid }) => iid),
      requests.map(({ iid }) => iid),
    ),
    branches: (await root.Branches.all(id)).map(({ name, commit, protected: isProtected }) => [
      name,
      commit.id,
      isProtected,
    ]),
    tags: (await root.Tags.all(id)).map(({ name, target, message }) => [name, target, message]),
    labels: (await root.ProjectLabels.all(id)).map(({ name, color, open_issues_count }) => [
      name,
      color,
      open_issues_count,
    ]),
    milestones: (await root.ProjectMilestones.all(id)).map(({ iid, title, due_date, state }) => [
      iid,
      title,
      due_date,
      state,
    ]),
    boards: (await root.ProjectIssueBoards.all(id)).map(({ name }) => name),
    members: (await root.ProjectMembers.all(id)).map(({ username, access_level }) => [username, access_level]),
    protections: (await root.ProtectedBranches.all(id)).map(({ name, push_access_levels }) => [
      ...[name, push_access_levels?.map(({ access_level }) => access_level)],
    ]),
    protectedTags: (await root.ProtectedTags.all(id)).map(({ name }) => name),
    releases: (await root.ProjectReleases.all(id)).map(({ tag_name, name, description, released_at, assets }) => ({
      ...{ tag_name, name, description, released_at, links: assets.links?.map((link) => [link.name, link.url]) },
    })),
    wiki: (await root.ProjectWikis.all(id, { withContent: true })).map(({ slug, content }) => [slug, content]),
    issues: await Promise.all(
      issues.map(async (issue) => ({
        ...{ iid: issue.iid, title: issue.title, state: issue.state, labels: issue.labels, weight: issue.weight },
        ...{ by: issue.author.username, to: issue.assignees?.map(({ username }) => username), up: issue.upvotes },
        ...{ confidential: issue.confidential, at: issue.created_at, milestone: issue.milestone?.title },
        ...{ closed: issue.closed_at, count: issue.user_notes_count },
        notes: notes(await root.IssueNotes.all(id, issue.iid, { sort: 'asc', orderBy: 'created_at' })),
        threads: (await root.IssueDiscussions.all(id, issue.iid)).map(({ notes: said }) => said?.length),
      })),
    ),
    requests: await Promise.all(
      requests.map(async (request) => ({
        ...{ iid: request.iid, title: request.title, state: request.state, draft: request.draft, sha: request.sha },
        ...{ description: request.description, source: request.source_branch, target: request.target_branch },
        reviewers: request.reviewers?.map(({ username }) => username),
        approved:
          (await root.MergeRequestApprovals.showConfiguration(id, { mergerequestIId: request.iid }).catch(
            () => null,
          )) && true,
        closes: (await root.MergeRequests.allIssuesClosed(id, request.iid)).map(({ title }) => title),
        diffs: (await root.MergeRequests.allDiffs(id, request.iid)).map(({ new_path, diff }) => [new_path, diff]),
        versions: (await root.MergeRequests.allDiffVersions(id, request.iid)).map(
          ({ head_commit_sha }) => head_commit_sha,
        ),
        notes: notes(await root.MergeRequestNotes.all(id, request.iid, { sort: 'asc', orderBy: 'created_at' })),
      })),
    ),
  };
}

interface Noted {
  body: string;
  author: { username: string };
  created_at: string;
  system: boolean;
  resolvable: boolean;
  position?: unknown;
}

describe('a project', () => {
  it('is exported, deleted and imported under another path, and looks the same', async () => {
    const { id, object, oid } = await fullProject();
    const before = await looksOf(id);
    const archive = await exported(id);
    const read = await root.ProjectImportExports.showExportStatus(id);
    expect(read).toMatchObject({ export_status: 'finished', _links: { api_url: expect.any(String) } });
    const download = await root.ProjectImportExports.download(id);
    expect((download as unknown as Blob).size).toBe(archive.length);
    await root.Projects.remove(id);
    const path = uniqueName('again');
    const started = await root.ProjectImportExports.import(asFile(archive), path, { name: 'Again' });
    expect(started).toMatchObject({ path, name: 'Again', import_status: 'scheduled' });
    expect(await untilImported(started.id)).toMatchObject({ import_status: 'finished', import_error: null });
    const after = await looksOf(started.id);
    const plain = (looks: object) => JSON.parse(JSON.stringify(looks));
    expect(plain(after)).toEqual(plain(before));
    // Uploads have new URLs, and texts refer to them.
    const [issue] = await root.Issues.all({ projectId: started.id, search: 'Broken' });
    const [, secret, name] = /\/uploads\/([0-9a-f]{32})\/([^)]+)/.exec(issue!.description) ?? [];
    const file = await ask(`/api/v4/projects/${started.id}/uploads/${secret}/${name}`, { token: connection.token });
    expect(await file.text()).toBe('the file');
    const { path_with_namespace } = await root.Projects.show(started.id);
    const batch = await ask(`/${path_with_namespace}.git/info/lfs/objects/batch`, {
      method: 'POST',
      headers: { authorization: basic, accept: lfsType, 'content-type': lfsType },
      body: JSON.stringify({ operation: 'download', objects: [{ oid, size: object.length }] }),
    });
    const { objects } = (await batch.json()) as {
      objects: { actions: { download: { href: string; header: Record<string, string> } } }[];
    };
    const { href, header } = objects[0]!.actions.download;
    const got = Buffer.from(await (await fetch(href, { headers: header })).arrayBuffer());
    expect(got.equals(object)).toBe(true);
  }, 240_000);

  it('names the author if he has no account here, and the importer otherwise', async () => {
    const { id } = await fullProject();
    const archive = await exported(id);
    const importer = await newUser('importer');
    // A user name alone is not enough, unless an administrator imports.
    const started = await importer.client.ProjectImportExports.import(asFile(archive), uniqueName('other'));
    expect(await untilImported(started.id, importer.token)).toMatchObject({ import_status: 'finished' });
    const issues = await importer.client.Issues.all({ projectId: started.id, sort: 'asc', orderBy: 'created_at' });
    expect(issues.map(({ author }) => author.username)).toEqual([importer.username, importer.username]);
    expect(issues[1]!.description).toMatch(/^by a stranger\n\n\*By The stranger-\w+ on 2\S+Z \(imported\)\*$/);
    expect(issues[0]!.assignees).toEqual([]);
    const members = await importer.client.ProjectMembers.all(started.id);
    expect(members.map(({ username }) => username)).toEqual([importer.username]);
  }, 240_000);

  it('is exported and imported only by callers with the right', async () => {
    const { id } = await root.Projects.create({ name: uniqueName('bare') });
    expect(await root.ProjectImportExports.showExportStatus(id)).toMatchObject({ export_status: 'none' });
    expect(await statusOf(root.ProjectImportExports.download(id))).toBe(404);
    expect(await root.ProjectImportExports.showImportStatus(id)).toMatchObject({ import_status: 'none' });
    const developer = await newUser('developer');
    await root.ProjectMembers.add(id, 30, { userId: developer.id });
    const { ProjectImportExports } = developer.client;
    expect(await statusOf(ProjectImportExports.scheduleExport(id, undefined as never))).toBe(403);
    expect(await statusOf(ProjectImportExports.download(id))).toBe(403);
    const archive = await exported(id);
    const namespace = { namespace: 'root' };
    expect(await statusOf(ProjectImportExports.import(asFile(archive), uniqueName('x'), namespace))).toBe(400);
    const { path } = await root.Projects.show(id);
    expect(await statusOf(root.ProjectImportExports.import(asFile(archive), path))).toBe(400);
  });

  it('replaces another project with `overwrite`, and only with a valid archive', async () => {
    const { id, path } = await root.Projects.create({ name: uniqueName('first'), initializeWithReadme: true });
    const archive = await exported(id);
    await root.Issues.create(id, 'later');
    const bad = root.ProjectImportExports.import(asFile(gzipSync('x'.repeat(2000))), path, { overwrite: true });
    expect(await statusOf(bad)).toBe(400);
    expect(await root.Projects.show(id)).toMatchObject({ path });
    // The client sends nested `override_params` as `[object Object]`.
    const body = new FormData();
    body.set('path', path);
    body.set('overwrite', 'true');
    body.set('override_params[description]', 'new');
    body.set('file', asFile(archive).content, 'project.tar.gz');
    const answer = await ask('/api/v4/projects/import', { method: 'POST', token: connection.token, body });
    expect(answer.status).toBe(201);
    const started = (await answer.json()) as { id: number };
    expect(await untilImported(started.id)).toMatchObject({ import_status: 'finished' });
    expect(await statusOf(root.Projects.show(id))).toBe(404);
    expect(await root.Projects.show(started.id)).toMatchObject({ path, description: 'new' });
    expect(await root.Issues.all({ projectId: started.id })).toEqual([]);
  });

  it('is sent to an address, and fetched from one, that may be reached', async () => {
    // A user may request six exports per minute, and root has requested some.
    const { client, token } = await newUser('sender');
    const { id } = await client.Projects.create({ name: uniqueName('sent'), initializeWithReadme: true });
    for (const url of ['http://127.0.0.2:1/x', 'file:///etc/passwd', 'nothing']) {
      const wanted = { method: 'POST', token, headers: { 'content-type': 'application/json' } };
      const body = JSON.stringify({ url, path: uniqueName('x') });
      const upload = JSON.stringify({ upload: { url } });
      expect((await ask(`/api/v4/projects/${id}/export`, { ...wanted, body: upload })).status).toBe(400);
      expect((await ask('/api/v4/projects/remote-import', { ...wanted, body })).status).toBe(400);
    }
    let kept = Buffer.alloc(0);
    const receiver = createServer(async (request, response) => {
      if (request.method === 'PUT') kept = await buffer(request);
      response.end(request.method === 'PUT' ? '' : kept);
    });
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    try {
      await client.ProjectImportExports.scheduleExport(id, { url: `http://${host}/x?signed=1` });
      await until('the export', async () => (await stateOf(id, 'export', token)).export_status === 'finished');
      expect(kept.length).toBeGreaterThan(500);
      const started = await client.ProjectImportExports.importRemote(`http://${host}/x`, uniqueName('fetched'));
      expect(await untilImported(started.id, token)).toMatchObject({ import_status: 'finished', import_error: null });
      expect((await client.Branches.all(started.id)).map(({ name }) => name)).toEqual(['main']);
    } finally {
      receiver.close();
    }
  });

  it.each([
    ['plain text', Buffer.from('plain text'), /not gzip/],
    ['no tar', gzipSync('x'.repeat(4096)), /not a tar/],
    ['empty', gzipSync(Buffer.alloc(1024)), /empty/],
  ])('reports the error of an archive that is %s', async (_what, archive, reason) => {
    const started = await root.ProjectImportExports.import(asFile(archive), uniqueName('bad'));
    const end = await untilImported(started.id);
    expect(end).toMatchObject({ import_status: 'failed', import_error: expect.stringMatching(reason) });
  });
});
