import { createHash } from 'node:crypto';
import { PageVisitor } from '../identity/page-visitor';
import { newSshKey } from '../identity/ssh-key';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { inEachVisibility, type Matrix, prepareMatrix, roles } from './access-matrix';

/* Forms of projects and groups change what the API would change for the same user. */

let matrix: Matrix;
/** Records of each project that are only edited, by the path of its group. */
const records = new Map<string, { snippet: number; note: number; schedule: number }>();
/** Direct members of each project and of each group, and a user who is added. */
let ofProject: Awaited<ReturnType<typeof newUser>>;
let ofGroup: Awaited<ReturnType<typeof newUser>>;
let added: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  matrix = await prepareMatrix('forms');
  [ofProject, ofGroup, added] = await Promise.all([newUser('member'), newUser('member'), newUser('added')]);
  const fill = async (path: string) => {
    const files = [{ content: 'A file', filePath: 'a.txt' }];
    const snippet = await root.ProjectSnippets.create(`${path}/tool`, 'A snippet', { visibility: 'public', files });
    const note = await root.IssueNotes.create(`${path}/tool`, 1, 'A note');
    const schedule = await root.PipelineSchedules.create(`${path}/tool`, 'By root', 'change', '0 4 * * *');
    records.set(path, { snippet: snippet.id, note: note.id, schedule: schedule.id });
    await root.ProjectMembers.add(`${path}/tool`, 10, { userId: ofProject.id });
    await root.GroupMembers.add(path, 10, { userId: ofGroup.id });
    await root.ProjectReleases.create(`${path}/tool`, { tagName: 'v1', ref: 'main', name: 'A release' });
    await root.ProjectMilestones.create(`${path}/tool`, 'A milestone of the project');
    await root.GroupMilestones.create(path, 'A milestone of the group');
    await root.ProjectWikis.create(`${path}/tool`, 'A text', 'Notes');
  };
  await Promise.all([...matrix.groups.values()].map(fill));
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
  // A form that issues a secret is answered with its page.
  return { isShown: shown !== undefined, isTaken: status === 200 || status === 303 };
}

const hasField = (form: string, name: string, value: string | undefined): boolean =>
  value === undefined || form.includes(`name="${name}" value="${value}"`);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const hiddenField = /<input type="hidden" name="[^"]*" value="[^"]*"\/>/g;

function fieldOf(field: string): [name: string, value: string] {
  const [, name, value] = /name="([^"]*)" value="([^"]*)"/.exec(field)!;
  return [name!, value!.replaceAll('&quot;', '"')];
}

describe.each(roles)('%s', (role) => {
  inEachVisibility('writes in a project with forms exactly if the API allows it', async (visibility) => {
    const group = matrix.groups.get(visibility)!;
    const base = `/${group}/tool`;
    const snippet = `snippets/${records.get(group)!.snippet}`;
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

  inEachVisibility(
    'changes settings, notes and schedules of a project exactly if the API allows it',
    async (visibility) => {
      const group = matrix.groups.get(visibility)!;
      const path = `${group}/tool`;
      const newNote = async () => `issues/1/notes/${(await root.IssueNotes.create(path, 1, 'A note')).id}`;
      const [one, two] = [await newNote(), await newNote()];
      const changed = `issues/1/notes/${records.get(group)!.note}`;
      const schedule = `pipeline_schedules/${records.get(group)!.schedule}`;
      const planned = { description: 'Nightly', ref: 'change', cron: '0 4 * * *', cron_timezone: 'UTC' };
      await compareWithApi(role, `/${path}`, `/projects/${encodeURIComponent(path)}`, [
        [`${changed}/edit`, { form: 'note', body: 'By form' }, 'PUT', changed, { body: 'By API' }],
        [`${one}/edit`, { form: 'delete' }, 'DELETE', two, {}],
        ['pipeline_schedules/new', { form: 'new-schedule', ...planned }, 'POST', 'pipeline_schedules', planned],
        [`${schedule}/edit`, { form: 'schedule', description: 'By form' }, 'PUT', schedule, { description: 'By API' }],
        ['edit', { form: 'settings', name: 'By form' }, 'PUT', '', { name: 'tool' }],
        ['edit', { form: 'rename', path: 'tool' }, 'PUT', '', { path: 'tool' }],
        ['edit', { form: 'archive' }, 'POST', 'unarchive', {}],
      ]);
    },
  );

  inEachVisibility('plans, releases and adds members in a project exactly if the API allows it', async (visibility) => {
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
  });

  inEachVisibility('configures a project exactly if the API allows it', async (visibility) => {
    const path = `${matrix.groups.get(visibility)}/tool`;
    const [hook, mirror] = [{ url: 'http://127.0.0.1:1/' }, { url: 'http://127.0.0.1:1/a.git' }];
    const badge = { link_url: 'https://example.com/', image_url: 'https://example.com/a.svg' };
    await compareWithApi(role, `/${path}`, `/projects/${encodeURIComponent(path)}`, [
      ['hooks', { form: 'new-hook', ...hook }, 'POST', 'hooks', hook],
      ['mirrors', { form: 'new-mirror', ...mirror }, 'POST', 'remote_mirrors', mirror],
      ['badges', { form: 'new-badge', ...badge }, 'POST', 'badges', badge],
    ]);
  });

  inEachVisibility('adds keys, tokens and variables in a project exactly if the API allows it', async (visibility) => {
    const group = matrix.groups.get(visibility)!;
    await compareWithApi(role, `/${group}/tool`, `/projects/${encodeURIComponent(`${group}/tool`)}`, secretRows());
  });

  inEachVisibility('plans and adds members in a group exactly if the API allows it', async (visibility) => {
    const group = matrix.groups.get(visibility)!;
    await compareWithApi(role, `/groups/${group}`, `/groups/${group}`, [
      ...(await milestoneRows(root.GroupMilestones, group)),
      ...memberRows('group_members', ofGroup.id),
    ]);
    await root.GroupMembers.remove(group, added.id).catch(() => undefined);
  });

  inEachVisibility('configures a group exactly if the API allows it', async (visibility) => {
    const path = matrix.groups.get(visibility)!;
    const hook = { url: 'http://127.0.0.1:1/' };
    const badge = { link_url: 'https://example.com/', image_url: 'https://example.com/a.svg' };
    await compareWithApi(role, `/groups/${path}`, `/groups/${path}`, [
      ['edit', { form: 'settings', name: 'By form' }, 'PUT', '', { name: 'By API' }],
      ['edit', { form: 'rename', path }, 'PUT', '', { path }],
      ['hooks', { form: 'new-hook', ...hook }, 'POST', 'hooks', hook],
      ['badges', { form: 'new-badge', ...badge }, 'POST', 'badges', badge],
      ...secretRows().filter(([page]) => page !== 'deploy_keys'),
    ]);
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
    const was = method === 'PUT' ? { was: await hashesOf(`${api}/${route}`) } : {};
    const { isShown, isTaken } = await sendForm(visitor, `${base}/-/${page}`, { ...was, ...fields });
    const { status } = await askJson(method, `${api}/${route}`, { token, body });
    const isAllowed = status < 300;
    expect([page, fields.form, { isShown, isTaken }]).toEqual([
      page,
      fields.form,
      { isShown: isAllowed, isTaken: isAllowed },
    ]);
  }
}

/** The field `was` of a form that edits the record of the route. Who may not edit gets no form to read it from. */
async function hashesOf(route: string): Promise<string> {
  const { body } = await askJson('GET', route, { token: connection.token });
  const fields = ['title', 'name', 'content', 'body', 'description', 'access_level'];
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, hashOf(String(body[field]))])));
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

/** Keys, tokens and variables of a project; a group has no keys. */
const secretRows = (): Row[] => {
  const [byForm, byApi] = [uniqueName('form').replace('-', '_'), uniqueName('api').replace('-', '_')];
  const fetches = { name: byApi, scopes: ['read_repository'] };
  const token = { form: 'new-token', name: byForm, 'scopes[]': 'read_repository' };
  const variable = { form: 'new-variable', key: byForm, environment_scope: '*' };
  const key = { form: 'new-key', title: byForm, key: newSshKey() };
  return [
    ['deploy_keys', key, 'POST', 'deploy_keys', { title: byApi, key: newSshKey() }],
    ['deploy_tokens', token, 'POST', 'deploy_tokens', fetches],
    [
      'settings/access_tokens',
      { ...token, access_level: '10' },
      'POST',
      'access_tokens',
      { ...fetches, access_level: 10 },
    ],
    ['variables', variable, 'POST', 'variables', { key: byApi, value: 'By API' }],
  ];
};

/**
 * Pairs of records, by kind: a form deletes or moves the one, the API the other. A pair that a role may not change stays
 * for the next role.
 */
const pairs = new Map<string, unknown>();

async function pairOf<T>(kind: string, create: () => Promise<T>): Promise<[byForm: T, byApi: T]> {
  if (!pairs.has(kind)) pairs.set(kind, [await create(), await create()]);
  return pairs.get(kind) as [T, T];
}

async function isTakenByApi(role: string, method: string, route: string): Promise<boolean> {
  const { status } = await askJson(method, route, { token: matrix.people.get(role)?.token ?? '' });
  return status < 300;
}

describe.each(roles)('%s', (role) => {
  inEachVisibility(
    'deletes snippets and pages of wikis with forms exactly if the API allows it',
    async (visibility) => {
      const path = `${matrix.groups.get(visibility)}/tool`;
      const files = [{ content: 'A file', filePath: 'a.txt' }];
      const newSnippet = async () =>
        `snippets/${(await root.ProjectSnippets.create(path, 'One', { visibility: 'public', files })).id}`;
      const newPage = async () => `wikis/${(await root.ProjectWikis.create(path, 'A text', uniqueName('page'))).slug}`;
      for (const create of [newSnippet, newPage]) {
        const [one, two] = await pairOf(`${create.name} ${visibility}`, create);
        const sent = await sendForm(matrix.visitors.get(role)!, `/${path}/-/${one}/edit`, { form: 'delete' });
        const isAllowed = await isTakenByApi(role, 'DELETE', `/projects/${encodeURIComponent(path)}/${two}`);
        expect([one, sent]).toEqual([one, { isShown: isAllowed, isTaken: isAllowed }]);
        if (isAllowed) pairs.delete(`${create.name} ${visibility}`);
      }
    },
  );

  inEachVisibility('moves and deletes groups with forms exactly if the API allows it', async (visibility) => {
    const { id: parentId } = await root.Groups.show(matrix.groups.get(visibility)!);
    const newGroup = () => {
      const path = uniqueName('below');
      return root.Groups.create(path, path, { parentId, visibility });
    };
    for (const [form, method, below] of [
      ['transfer', 'POST', '/transfer'],
      ['delete', 'DELETE', ''],
    ] as const) {
      const [one, two] = await pairOf(`${form} ${visibility}`, newGroup);
      const fields = { form, group_id: '', confirm: one.full_path };
      const sent = await sendForm(matrix.visitors.get(role)!, `/groups/${one.full_path}/-/edit`, fields);
      const isAllowed = await isTakenByApi(role, method, `/groups/${two.id}${below}`);
      expect([form, sent]).toEqual([form, { isShown: isAllowed, isTaken: isAllowed }]);
      if (isAllowed) pairs.delete(`${form} ${visibility}`);
    }
  });

  inEachVisibility('opens the form for a merge request exactly if the API allows one', async (visibility) => {
    const path = `${matrix.groups.get(visibility)}/tool`;
    const { status } = await matrix.visitors.get(role)!.load(`/${path}/-/merge_requests/new`);
    const token = matrix.people.get(role)?.token ?? '';
    const body = { source_branch: 'change', target_branch: 'change', title: 'To itself' };
    const refused = await askJson('POST', `/projects/${encodeURIComponent(path)}/merge_requests`, { token, body });
    expect([path, status]).toEqual([path, refused.status === 422 ? 200 : 404]);
  });
});

it('nobody writes in an archived project', async () => {
  const path = uniqueName('archived');
  const project = await root.Projects.create({ name: path, path, visibility: 'public', initializeWithReadme: true });
  await root.Issues.create(project.id, 'An issue');
  const note = await root.IssueNotes.create(project.id, 1, 'A note');
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
    ...['variables', 'pipelines', 'pipeline_schedules'],
  ]) {
    // Settings stay open: their link `/edit` is not below `/-`.
    await until(
      `no form on ${below}`,
      async () => !/name="form"|\/-\/[^"]*\/(new|edit)["?]/.test((await open(below)).text),
    );
    expect([below, (await open(below)).status]).toEqual([below, 200]);
  }
  for (const below of [
    ...['issues/new', 'issues/1/edit', `issues/1/notes/${note.id}/edit`, 'merge_requests/new', 'merge_requests/1/edit'],
    ...['wikis/new', 'wikis/home/edit', 'snippets/new', `snippets/${id}/edit`],
    ...['milestones/new', 'milestones/1/edit', 'releases/new', 'releases/v1/edit'],
    ...['pipelines/new', 'pipeline_schedules/new'],
  ])
    expect([below, (await open(below)).status]).toEqual([below, 404]);
});
