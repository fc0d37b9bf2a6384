import { readFileSync } from 'node:fs';
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { finishJob } from '../ci/finish-job';
import { addIteration } from '../collaboration/add-iteration';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { fill, launchBrowser, newPageIn, noScript, press, signIn } from './chromium';
import { newSshKey } from './ssh-key';

/*
 * Every page, at the width of the smallest phone, light and dark, with unusual texts: nothing overflows, and there are
 * no accessibility problems.
 */

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const long = 'Verwaltungsprogrammabteilungsleiterstellvertreterzimmer'.repeat(3);
const turning = 'أداة الرسوم\u202egnp البيانية';
const uri = `https://app.example/${long.toLowerCase()}`;
const everyScope = 'api read_api read_user read_repository write_repository sudo openid profile email';

let browser: Browser;
let person: Awaited<ReturnType<typeof newUser>>;
let projectPath: string;
let groupPath: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  [browser, person] = await Promise.all([launchBrowser(), newUser('guest')]);
  for (const name of [long, turning]) {
    const made = await root.Applications.create(name, `${uri}\nurn:ietf:wg:oauth:2.0:oob`, everyScope);
    ids[name] = String(made.applicationId ?? made.application_id);
  }
  const project = await person.client.Projects.create({
    name: `${uniqueName('p')} ${long}`,
    path: uniqueName(long.slice(0, 120).toLowerCase()),
    description: `${long} ${turning}`,
    visibility: 'public',
  });
  projectPath = `/${project.path_with_namespace}`;
  await root.RepositoryFiles.create(project.id, 'README.md', 'main', `# ${long}\n\n${turning}\n\n    ${long}\n`, 'x');
  const code = `// ${long} ${turning}\nexport const text = '${long.repeat(3)}' + /x/ + 1;\n`;
  await root.RepositoryFiles.create(project.id, `${long}.ts`, 'main', code, `${long} ${turning}`);
  const job = { script: ['true'], stage: long.slice(0, 200) };
  const file = { workflow: { name: `${long} ${turning}` }, stages: [job.stage], [long.slice(0, 200)]: job };
  await root.RepositoryFiles.create(project.id, '.gitlab-ci.yml', 'main', JSON.stringify(file), 'x');
  const pipeline = await until('a pipeline', async () => (await root.Pipelines.all(project.id))[0]);
  const [made] = await root.Jobs.all(project.id, { pipelineId: pipeline.id });
  ids.pipeline = `pipelines/${pipeline.id}`;
  ids.job = `jobs/${made!.id}`;
  const group = await person.client.Groups.create('أداة الرسوم', uniqueName('g'), {
    description: long,
    visibility: 'public',
  });
  await person.client.Groups.create(long, uniqueName('s'), { parentId: group.id, visibility: 'public' });
  groupPath = `/groups/${group.full_path}`;
  const planned = { description: `${long} ${turning}`, startDate: '2020-01-01', dueDate: '2090-01-01' };
  const milestone = await person.client.ProjectMilestones.create(project.id, `${long} ${turning}`, planned);
  await person.client.GroupMilestones.create(group.id, `${long} ${turning}`, planned);
  await person.client.ProjectReleases.create(project.id, {
    ...{ tagName: long, ref: 'main', name: `${long} ${turning}`, description: `${long} ${turning}` },
    milestones: [milestone.title],
    assets: { links: [{ name: `${long} ${turning}`, url: uri, link_type: 'package' }] },
  });
  await person.client.ProjectReleases.createEvidence(project.id, long);
  const text = { description: `${long} ${turning}`, labels: `${turning},${long.slice(0, 120)}` };
  await person.client.Issues.create(project.id, `${long} ${turning}`, {
    ...{ assigneeIds: [person.id], milestoneId: milestone.id, ...text },
  });
  const note = await person.client.IssueNotes.create(project.id, 1, `${long} ${turning}\n\n    ${long}`);
  const schedule = await root.PipelineSchedules.create(project.id, `${long} ${turning}`, 'main', '0 4 * * *');
  await root.PipelineScheduleVariables.create(project.id, schedule.id, long, turning);
  ids.schedule = `pipeline_schedules/${schedule.id}/edit`;
  ids.note = `issues/1/notes/${note.id}/edit`;
  await root.Branches.create(project.id, `t/${long}`, 'main~1');
  await root.RepositoryFiles.create(project.id, `${long}.md`, `t/${long}`, `# ${long}`, long);
  await person.client.ProjectWikis.create(project.id, `# ${long}\n\n${turning}\n\n    ${long}\n`, 'home');
  await person.client.ProjectWikis.create(project.id, `${long} ${turning}`, `${turning}/${long}`, { format: 'org' });
  const files = [`${long}.ts`, `${turning}.txt`].map((filePath) => ({ filePath, content: code }));
  const snippet = await person.client.ProjectSnippets.create(project.id, `${long} ${turning}`, {
    ...{ description: text.description, visibility: 'public', files },
  });
  await person.client.ProjectSnippetNotes.create(project.id, snippet.id, `${long} ${turning}`);
  ids.snippet = `snippets/${snippet.id}`;
  const personal = { description: text.description, visibility: 'public', files } as const;
  ids.personalSnippet = `/-/snippets/${(await person.client.Snippets.create(`${long} ${turning}`, personal)).id}`;
  await person.client.MergeRequests.create(project.id, `t/${long}`, 'main', `${long} ${turning}`, text);
  await prepareSettings(`/projects/${project.id}`);
  await prepareSettings(`/groups/${group.id}`);
  const [name, image] = [`${long} ${turning}`, `${connection.url}/${long}.svg`];
  for (const address of [`http://a:b@127.0.0.1:1/${long}.git`, `ssh://git@127.0.0.1:1/${long}.git`])
    await person.client.ProjectRemoteMirrors.createPushMirror(project.id, address, { enabled: true });
  await person.client.ProjectBadges.add(project.id, uri, image, { name });
  await person.client.ProjectBadges.add(project.id, uri, uri, { name: turning });
  await person.client.GroupBadges.add(group.id, uri, `${uri}/%{project_path}`, { name });
  await addRecords(project.id, group.id, group.full_path);
});
afterAll(() => browser?.close());

/** Webhooks with a delivery, keys, tokens and variables. @param parent a route: `/projects/5` */
async function prepareSettings(parent: string): Promise<void> {
  const api = async (method: string, below: string, body?: object) =>
    (await askJson(method, `${parent}/hooks${below}`, { token: person.token, ...(body && { body }) })).body;
  const url = 'http://127.0.0.1:1/';
  await api('POST', '', { url, custom_headers: [{ key: long.slice(0, 100), value: long }] });
  const hook = await api('POST', '', { url: url + long, name: `${long} ${turning}`, tag_push_events: true });
  // Nothing listens there, so the test fails.
  await api('POST', `/${hook.id}/test/push_events`);
  const [event] = (await api('GET', `/${hook.id}/events`)) as unknown as { id: number }[];
  const isProject = parent.startsWith('/projects/');
  const of = isProject ? '' : 'group ';
  ids[`${of}hook`] = `hooks/${hook.id}/edit`;
  ids[`${of}delivery`] = `hooks/${hook.id}/hook_logs/${event!.id}`;
  const [name, expires_at] = [`${long} ${turning}`, '2099-05-06'];
  const about = { name, description: name, expires_at };
  const value = `${name}\n\n${long}`;
  for (const [route, body] of [
    ...(isProject ? [['deploy_keys', { title: name, key: newSshKey(), can_push: true, expires_at }] as const] : []),
    ['deploy_tokens', { ...about, username: long, scopes: ['read_repository', 'write_registry'] }],
    ['access_tokens', { ...about, scopes: ['api', 'write_repository'] }],
    ['variables', { key: long, value, description: name, protected: true, raw: true, variable_type: 'file' }],
    ['variables', { key: long, value: 'hush-hush', environment_scope: long, masked_and_hidden: true }],
  ] as const) {
    const { status } = await askJson('POST', `${parent}/${route}`, { token: person.token, body });
    expect([route, status]).toEqual([route, 201]);
  }
}

/** Artifacts, packages, boards, epics and iterations. */
async function addRecords(id: number, groupId: number, groupFullPath: string): Promise<void> {
  ids.artifacts = `jobs/${(await finishJob(id, { [`${long}/${turning}.txt`]: long })).id}/artifacts/browse/${long}`;
  const file = { content: new Blob([long]), filename: `${long}.txt` };
  await person.client.PackageRegistry.publish(id, long, '1.0', file);
  ids.package = `packages/${(await person.client.Packages.all({ projectId: id }))[0]!.id}`;
  const board = async (at: string) =>
    (await askJson('POST', `${at}/boards`, { token: person.token, body: { name: `${long} ${turning}` } })).body.id;
  const [own, ofGroup] = [await board(`/projects/${id}`), await board(`/groups/${groupId}`)];
  [ids.board, ids.groupBoard] = [`boards/${own}`, `boards/${ofGroup}`];
  const [label] = await person.client.ProjectLabels.all(id);
  const list = { token: person.token, body: { label_id: label!.id } };
  expect((await askJson('POST', `/projects/${id}/boards/${own}/lists`, list)).status).toBe(201);
  await person.client.Epics.create(groupId, `${long} ${turning}`, { description: long, labels: long.slice(0, 120) });
  await addIteration(groupFullPath, `${long} ${turning}`);
}

const authorize = (name: string, over: Record<string, string> = {}): string => {
  const request = { client_id: ids[name]!, redirect_uri: uri, response_type: 'code', scope: everyScope };
  return `/oauth/authorize?${new URLSearchParams({ ...request, ...over })}`;
};

type Step = [name: string, go: (page: Page) => Promise<unknown>];

/** The steps to each page, one after the other, in a new browser. */
const way: Step[] = [
  ['start', (page) => page.goto('/')],
  ['API reference', (page) => page.goto('/-/reference')],
  ['nothing', (page) => page.goto(`/${long}/${long}`)],
  ['explore', (page) => page.goto('/explore')],
  ['project', (page) => page.goto(projectPath)],
  ...[
    'tree/main',
    'blob/main/README.md',
    `blob/main/${long}.ts`,
    'commits',
    'commit/main',
    `blame/main/${long}.ts`,
  ].map((below): Step => [below, (page) => page.goto(`${projectPath}/-/${below}`)]),
  ...[
    'issues',
    'issues/1',
    'merge_requests',
    'merge_requests/1',
    'merge_requests/1/commits',
    'merge_requests/1/diffs',
  ].map((below): Step => [below, (page) => page.goto(`${projectPath}/-/${below}`)]),
  ...['pipelines', 'pipeline', 'job', 'snippets', 'snippet'].map(
    (name): Step => [name, (page) => page.goto(`${projectPath}/-/${ids[name] ?? name}`)],
  ),
  ...['branches', 'tags', 'compare', 'compare/main~1...main', 'compare/main...nothing'].map(
    (below): Step => [below, (page) => page.goto(`${projectPath}/-/${below}`)],
  ),
  ...['graphs/main', 'milestones', 'milestones/1', 'releases', `releases/${long}`].map(
    (below): Step => [below, (page) => page.goto(`${projectPath}/-/${below}`)],
  ),
  ['burndown opened', (page) => openBurndown(page)],
  ...['wikis', 'wikis/pages', `wikis/${turning}/${long}`].map(
    (below): Step => [below, (page) => page.goto(`${projectPath}/-/${below}`)],
  ),
  ['personal snippet', (page) => page.goto(ids.personalSnippet!)],
  ['group', (page) => page.goto(groupPath)],
  ...['milestones', 'milestones/1'].map(
    (below): Step => [`group: ${below}`, (page) => page.goto(`${groupPath}/-/${below}`)],
  ),
  ['user', (page) => page.goto(`/${person.username}`)],
  ['unknown client', (page) => page.goto('/oauth/authorize?client_id=unknown')],
  ['wrong address', (page) => page.goto(authorize(long, { redirect_uri: 'https://evil.example' }))],
  ['forgotten password', (page) => page.goto('/users/password/new')],
  ['link that is no good', (page) => page.goto('/users/password/edit?reset_password_token=x')],
  ['confirmation that is no good', (page) => page.goto('/users/confirmation?confirmation_token=x')],
  ['sign-in', (page) => page.goto('/users/sign_in')],
  ['sign-in refused', (page) => signIn(page, { username: long, password: 'wrong' })],
  ['applications', (page) => page.goto('/-/profile/applications').then(() => signIn(page, person))],
  ['own start', (page) => page.goto('/')],
  ...['issues/new', 'issues/1', 'issues/1/edit', 'merge_requests/new', 'merge_requests/1', 'merge_requests/1/edit'].map(
    (below): Step => [`own ${below}`, (page) => page.goto(`${projectPath}/-/${below}`)],
  ),
  ...['wikis', 'wikis/pages', 'wikis/new', 'wikis/home/edit', `wikis/${turning}/${long}/edit`, 'snippets/new'].map(
    (below): Step => [`own ${below}`, (page) => page.goto(`${projectPath}/-/${below}`)],
  ),
  ['page of a wiki refused', (page) => refuseWikiPage(page)],
  ['own snippet', (page) => page.goto(`${projectPath}/-/${ids.snippet}`)],
  ['own form of a snippet', (page) => page.goto(`${projectPath}/-/${ids.snippet}/edit`)],
  ['own form of a personal snippet', (page) => page.goto(`${ids.personalSnippet}/edit`)],
  ['snippet refused', (page) => refuseSnippet(page)],
  ['own form for a merge request', (page) => page.goto(newMergeRequest())],
  ['line of a change', (page) => page.goto(`${projectPath}/-/merge_requests/1/diffs?at=0n&line=1#write`)],
  ['line that is not there', (page) => page.goto(`${projectPath}/-/merge_requests/1/diffs?at=0o&line=99`)],
  ['reply', (page) => page.goto(`${projectPath}/-/issues/1`).then(() => page.getByText('Reply').first().click())],
  ['issue refused', (page) => refuseIssue(page)],
  ...[
    'milestones/new',
    'milestones/1',
    'milestones/1/edit',
    'releases/new',
    `releases/${long}`,
    `releases/${long}/edit`,
  ].map(
    (below): Step => [`own ${below}`, (page) => page.goto(`${projectPath}/-/${below}`).then(() => openSummaries(page))],
  ),
  ...['milestones/new', 'milestones/1', 'milestones/1/edit'].map(
    (below): Step => [
      `own group: ${below}`,
      (page) => page.goto(`${groupPath}/-/${below}`).then(() => openSummaries(page)),
    ],
  ),
  ['own snippets', (page) => page.goto('/-/snippets')],
  ...[
    ...['profile', 'personal_access_tokens', 'ssh_keys', 'gpg_keys', 'active_sessions'].map(
      (one) => `user_settings/${one}`,
    ),
    ...['emails', 'notifications'].map((one) => `profile/${one}`),
  ].map((below): Step => [below, (page) => page.goto(`/-/${below}`)]),
  ['token created', (page) => createToken(page)],
  ['token refused', (page) => createToken(page, [])],
  ['tokens, opened', (page) => page.goto('/-/user_settings/personal_access_tokens').then(() => openSummaries(page))],
  ['new project', (page) => page.goto('/projects/new')],
  ['new group', (page) => page.goto('/groups/new')],
  ['own note', (page) => page.goto(`${projectPath}/-/${ids.note}`).then(() => openSummaries(page))],
  ...['pipelines/new', 'pipeline_schedules', 'pipeline_schedules/new', 'schedule', 'pipeline', 'job'].map(
    (name): Step => [
      `own ${name}`,
      (page) => page.goto(`${projectPath}/-/${ids[name] ?? name}`).then(() => openSummaries(page)),
    ],
  ),
  ['pipelines of a merge request', (page) => page.goto(`${projectPath}/-/merge_requests/1/pipelines`)],
  ['settings', (page) => page.goto(`${projectPath}/edit`).then(() => openSummaries(page))],
  ['settings saved', (page) => page.goto(`${projectPath}/edit`).then(() => press(page, 'Save'))],
  ...['merge_requests', 'ci_cd'].map(
    (below): Step => [`settings of ${below}`, (page) => page.goto(`${projectPath}/-/settings/${below}`)],
  ),
  ['members', (page) => page.goto(`${projectPath}/-/project_members`).then(() => openSummaries(page))],
  ['members of a group', (page) => page.goto(`${groupPath}/-/group_members`).then(() => openSummaries(page))],
  ...['hooks', 'hook', 'delivery', 'mirrors', 'badges'].map(
    (name): Step => [
      name,
      (page) => page.goto(`${projectPath}/-/${ids[name] ?? name}`).then(() => openSummaries(page)),
    ],
  ),
  ['webhook refused', (page) => refuseHook(page)],
  ...[
    'edit',
    'variables',
    'settings/access_tokens',
    'deploy_tokens',
    'hooks',
    'group hook',
    'group delivery',
    'badges',
  ].map(
    (name): Step => [
      `settings of a group: ${name}`,
      (page) => page.goto(`${groupPath}/-/${ids[name] ?? name}`).then(() => openSummaries(page)),
    ],
  ),
  ...['deploy_keys', 'deploy_tokens', 'settings/access_tokens', 'variables'].map(
    (below): Step => [below, (page) => page.goto(`${projectPath}/-/${below}`).then(() => openSummaries(page))],
  ),
  ['deploy key refused', (page) => refuseDeployKey(page)],
  ['deploy token created', (page) => createDeployToken(page, long)],
  ['deploy token refused', (page) => createDeployToken(page, turning)],
  ['variable refused', (page) => refuseVariable(page)],
  ...['boards', 'board', 'packages', 'package', 'container_registry', 'job', 'artifacts'].map(
    (name): Step => [
      `records: ${name}`,
      (page) => page.goto(`${projectPath}/-/${ids[name] ?? name}`).then(() => openSummaries(page)),
    ],
  ),
  ...['boards', 'groupBoard', 'packages', 'epics', 'epics/1', 'iterations', 'iterations/1'].map(
    (name): Step => [`records of a group: ${name}`, (page) => page.goto(`${groupPath}/-/${ids[name] ?? name}`)],
  ),
  ['own menu', (page) => page.locator('header summary').click()],
  ['applications again', (page) => page.goto('/-/profile/applications')],
  ['application registered', (page) => register(page)],
  ['application not registered', (page) => register(page, 'javascript:alert(1)')],
  ['steps opened', (page) => page.goto('/-/profile/applications').then(() => openSummaries(page))],
  ['consent, long name', (page) => page.goto(authorize(long))],
  ['consent, turning name', (page) => page.goto(authorize(turning, { response_mode: 'form_post' }))],
  ['back by form', (page) => press(page, 'Authorize')],
  ['code to copy', (page) => copyCode(page)],
  ['password', (page) => page.goto('/-/profile/password')],
  ['second factor', (page) => page.goto('/-/profile/two_factor_auth')],
];

const newMergeRequest = (): string =>
  `${projectPath}/-/merge_requests/new?${new URLSearchParams({ 'merge_request[source_branch]': `t/${long}` })}`;

async function refuseIssue(page: Page): Promise<void> {
  await page.goto(`${projectPath}/-/issues/new`);
  await fill(page, 'Title', ' ');
  await fill(page, 'Other labels', `${long}, ${turning}`);
  await press(page, 'Create issue');
}

async function refuseWikiPage(page: Page): Promise<void> {
  await page.goto(`${projectPath}/-/wikis/new`);
  await fill(page, 'Title', `${turning}/../${long}`);
  await fill(page, 'Content', `${long} ${turning}`);
  await press(page, 'Create page');
}

/** With the fields of two more files, and a confirmation opened. */
async function refuseSnippet(page: Page): Promise<void> {
  await page.goto(`${ids.personalSnippet}/edit`);
  for (const at of [0, 1]) await page.getByText('Add a file').nth(at).click();
  await page.locator('[name=name_4]').fill(`${long} ${turning}`);
  await press(page, 'Save');
  await page.getByText('Delete…').click();
}

async function refuseHook(page: Page): Promise<void> {
  await page.goto(`${projectPath}/-/hooks`);
  await fill(page, 'URL', `ftp://${long}.example/${turning}`);
  await fill(page, 'Secret token', 'a secret');
  await press(page, 'Add webhook');
}

async function register(page: Page, redirectUri = uri): Promise<void> {
  await fill(page, 'Name', `${long} ${turning}`);
  await fill(page, 'Redirect URIs, one per line', `${redirectUri}\ncom.example.app:/back`);
  for (const box of await page.locator('input[name="scopes[]"]').all()) await box.check();
  await press(page, 'Register');
}

async function createToken(page: Page, scopes = ['api', 'read_user']): Promise<void> {
  await page.goto('/-/user_settings/personal_access_tokens');
  await fill(page, 'Name', `${long} ${turning}`.slice(0, 255));
  for (const scope of scopes) await page.locator(`input[value="${scope}"]`).check();
  await press(page, 'Create token');
}

async function refuseDeployKey(page: Page): Promise<void> {
  await page.goto(`${projectPath}/-/deploy_keys`);
  await fill(page, 'Key', `${long} ${turning}`);
  await page.getByLabel('Title', { exact: true }).last().fill(`${long} ${turning}`);
  await press(page, 'Add key');
}

async function createDeployToken(page: Page, username: string): Promise<void> {
  await page.goto(`${projectPath}/-/deploy_tokens`);
  await fill(page, 'Name', `${turning} ${long}`);
  await fill(page, 'Username', username);
  for (const box of await page.locator('input[name="scopes[]"]').all()) await box.check();
  await press(page, 'Create token');
}

async function refuseVariable(page: Page): Promise<void> {
  await page.goto(`${projectPath}/-/variables`);
  await fill(page, 'Key', `${long} ${turning}`);
  for (const label of ['Value', 'Description'])
    await page.getByLabel(label, { exact: true }).last().fill(`${long} ${turning}`);
  await press(page, 'Add variable');
}

async function openSummaries(page: Page): Promise<void> {
  for (const summary of await page.locator('main summary').all()) await summary.click();
}

async function openBurndown(page: Page): Promise<void> {
  await page.goto(`${projectPath}/-/milestones/1`);
  await page.locator('figure summary').click();
}

async function copyCode(page: Page): Promise<void> {
  await page.goto(authorize(long, { redirect_uri: 'urn:ietf:wg:oauth:2.0:oob', state: 'x' }));
  await press(page, 'Authorize');
}

/** Accessibility problems of a page. */
async function faultsOf(page: Page): Promise<string[]> {
  const tooWide = await page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const over = [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > clientWidth);
    return ['runs over the edge: ' + scrollWidth + ' > ' + clientWidth + ': ' + over.map((each) => each.outerHTML.slice(0, 80))];
  })()`);
  await page.evaluate(axe);
  const barriers = await barriersOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Only colors differ in dark mode.
  const inDark = await barriersOf(page, 'color-contrast');
  await page.emulateMedia({ colorScheme: 'light' });
  return [...tooWide, ...barriers, ...inDark.map((barrier) => `dark: ${barrier}`)];
}

const barriersOf = (page: Page, ...rules: string[]): Promise<string[]> =>
  page.evaluate<string[]>(
    `axe.run(${JSON.stringify(rules.length > 0 ? { runOnly: rules } : {})})
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120))))`,
  );

it('every page fits 320 pixels and passes axe, light and dark', async () => {
  const viewport = { width: 320, height: 640 };
  const page = await newPageIn(browser, { viewport, isMobile: true, hasTouch: true, locale: 'en' });
  const faults: Record<string, string[]> = {};
  for (const [name, go] of way) {
    await go(page);
    await page.locator('h1').first().waitFor();
    const found = await faultsOf(page);
    if (found.length > 0) faults[`${name} (${page.url()})`] = found;
  }
  expect(faults).toEqual({});
}, 300_000);

it('the second factor, from its first code to its last page', async () => {
  const user = await newUser('guest');
  const page = await newPageIn(browser, { viewport: { width: 320, height: 640 } });
  await page.goto('/-/profile/two_factor_auth');
  await signIn(page, user);
  const totp = new TOTP({ secret: Secret.fromBase32((await page.locator('p code').textContent())!) });
  await fill(page, 'Six-digit code of the app', totp.generate());
  await press(page, 'Switch on');
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.goto('/-/profile/two_factor_auth');
  expect(await faultsOf(page)).toEqual([]);
  await page.context().clearCookies();
  await page.goto('/-/profile/applications');
  await signIn(page, user);
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
});

it('every page for administrators fits 320 pixels and passes axe, light and dark', async () => {
  const [hook, node, user] = [await systemHook(), await geoNode(), await newUser(long.slice(0, 100).toLowerCase())];
  await root.Users.edit(user.id, { name: `${long} ${turning}`, note: `${long} ${turning}` });
  const viewport = { width: 320, height: 640 };
  const page = await newPageIn(browser, { viewport, isMobile: true, hasTouch: true, locale: 'en' });
  await page.goto('/admin');
  await signIn(page, connection);
  const faults: Record<string, string[]> = {};
  for (const path of [
    ...['/admin', '/admin/users', `/admin/users?search=${user.username}`, '/admin/users/new'],
    ...['', '/edit', '/impersonation_tokens'].map((below) => `/admin/users/${user.username}${below}`),
    ...['/admin/hooks', `/admin/hooks/${hook.id}/edit`, `/admin/hooks/${hook.id}/hook_logs/${hook.event}`],
    ...['/admin/application_settings/general', '/admin/application_settings/network'],
    ...['/admin/application_settings/appearance', '/admin/geo/nodes', '/admin/repository_storage_moves'],
    '/admin/background_jobs',
  ]) {
    await page.goto(path);
    await openSummaries(page);
    expect([path, await page.locator('nav[aria-label=Administration]').count()]).toEqual([path, 1]);
    const found = await faultsOf(page);
    if (found.length > 0) faults[path] = found;
  }
  await page.goto('/admin/users/new');
  for (const label of ['Name', 'Username', 'Email address']) await fill(page, label, `${long} ${turning}`);
  await press(page, 'Create user');
  await page.getByRole('alert').waitFor();
  expect([faults, await faultsOf(page)]).toEqual([{}, []]);
  await root.SystemHooks.remove(hook.id);
  await root.GeoNodes.remove(node.id);
}, 120_000);

/** With a delivery. */
async function systemHook(): Promise<{ id: number; event: number }> {
  const api = async (method: string, below: string, body?: object) =>
    (await askJson(method, `/hooks${below}`, { token: connection.token, ...(body && { body }) })).body;
  const url = `http://127.0.0.1:1/${long}`;
  const { id } = await api('POST', '', { url, name: `${long} ${turning}`, repository_update_events: false });
  // Nothing listens there, so the test fails.
  await api('POST', `/${id}`);
  const [event] = (await api('GET', `/${id}/events`)) as unknown as { id: number }[];
  return { id: Number(id), event: event!.id };
}

const geoNode = () =>
  root.GeoNodes.create(`${uniqueName('node')} ${long.slice(0, 150)} ${turning}`, `${uri}/${uniqueName('n')}`);

it('the queues, for administrators', async () => {
  const page = await newPageIn(browser);
  await page.goto('/admin/background_jobs');
  await signIn(page, connection);
  await page.getByRole('heading', { name: 'Queues' }).waitFor();
  expect(await page.getByText('integrations.lines').count()).toBeGreaterThan(0);
});

it('no name turns the words around it', async () => {
  const page = await newPageIn(browser);
  await page.goto(authorize(turning, { scope: 'read_user' }));
  await signIn(page, person);
  await page.getByRole('button', { name: 'Authorize' }).waitFor();
  expect(await page.locator('main').textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(await page.title()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(await page.locator('h1 bdi').textContent()).toContain('أداة');
});

it('an application is deleted at the second word, without scripts', async () => {
  const user = await newUser('guest');
  const page = await newPageIn(browser, noScript);
  await page.goto('/-/profile/applications');
  await signIn(page, user);
  await fill(page, 'Name', 'Short-lived');
  await fill(page, 'Redirect URIs, one per line', 'https://app.example/cb');
  await page.getByLabel('Read your primary email address').check();
  await press(page, 'Register');
  const id = (await page.locator('#application_id').textContent())!;
  const button = page.getByRole('button', { name: 'Delete Short-lived' });
  expect(await button.isVisible()).toBe(false);
  await page.getByText('Delete…', { exact: true }).click();
  await page.getByText('its ID and secret are good for nothing').waitFor();
  await button.click();
  await page.waitForURL(`${connection.url}/-/profile/applications`);
  expect(await page.getByText(id).count()).toBe(0);
});

it('pages for browsers, records for programs', async () => {
  for (const path of ['/', '/nothing/here', projectPath]) {
    const asked = (accept: string) => fetch(connection.url + path, { headers: { accept } });
    const [page, record] = [await asked('text/html,*/*;q=0.8'), await asked('application/json')];
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(record.headers.get('content-type')).toMatch(/^application\/json/);
    expect(page.headers.get('vary')).toContain('Accept');
    const text = await page.text();
    for (const link of ['/-/reference', '/users/sign_in']) expect(text).toContain(`href="${link}"`);
  }
});
