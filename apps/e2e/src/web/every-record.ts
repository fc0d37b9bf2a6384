import { send } from '../access/world/send';
import { finishJob } from '../ci/finish-job';
import { addIteration } from '../collaboration/add-iteration';
import { newSshKey } from '../identity/ssh-key';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/** The texts of records; the functions may return another text at each call. */
export interface Texts {
  /** Letters and digits: of paths, and of keys of variables. */
  word: string;
  /** Letters, digits and spaces. */
  groupName: string;
  /** Of branches and tags: no spaces and no slashes. */
  name(): string;
  /** Of files, labels, stages and topics: no slashes and no commas. */
  label(): string;
  /** At most 255 characters. */
  title(): string;
  /** In Markdown. */
  text(): string;
  /** An address of another server. */
  url: string;
  code: string;
  /** Of a job. */
  log: string;
  /** A word of titles, texts and code. */
  search: string;
}

/** @returns a function that returns one of the texts after the other, again and again */
export function inTurn(...texts: string[]): () => string {
  let calls = 0;
  return () => texts[calls++ % texts.length]!;
}

/** A record of each kind that has a page. */
export interface Records {
  /** Owns all of them. */
  person: Awaited<ReturnType<typeof newUser>>;
  projectId: number;
  /** `/user/project` */
  projectPath: string;
  /** `/groups/group` */
  groupPath: string;
  fileName: string;
  branch: string;
  tag: string;
  /** Its slug. */
  wikiPage: string;
  /** Paths of pages, below `/-/` of project or group. */
  below: Record<string, string>;
  personalSnippet: string;
  /** A word of them. */
  search: string;
}

interface Adding {
  texts: Texts;
  person: Records['person'];
  projectId: number;
  groupId: number;
  below: Records['below'];
}

/** Creates a record of each kind, with the texts wherever a user can write one. */
export async function addEveryRecord(texts: Texts): Promise<Records> {
  const { word, title, label } = texts;
  const person = await newUser('guest');
  const about = () => ({ description: title(), visibility: 'public' }) as const;
  const project = await person.client.Projects.create({
    ...{ name: `${uniqueName('p')} ${word}`, path: uniqueName(word.slice(0, 120).toLowerCase()) },
    ...{ ...about(), topics: [label()] },
  });
  await root.Users.edit(person.id, { name: title(), bio: title(), location: title() });
  const group = await person.client.Groups.create(texts.groupName, uniqueName('g'), about());
  await person.client.Groups.create(word, uniqueName('s'), { parentId: group.id, visibility: 'public' });
  const adding: Adding = { texts, person, projectId: project.id, groupId: group.id, below: {} };
  const [fileName, branch] = await addCode(adding);
  await addPlan(adding, branch);
  const tag = await addRelease(adding);
  const wikiPage = await addWiki(adding);
  const personalSnippet = await addSnippets(adding);
  await addRuns(adding);
  await addSettings(adding, `/projects/${project.id}`);
  await addSettings(adding, `/groups/${group.id}`);
  await addAddresses(adding);
  await addIteration(group.full_path, title());
  return {
    ...{ person, projectId: project.id, fileName, branch, tag, wikiPage, below: adding.below, personalSnippet },
    search: texts.search,
    ...{ projectPath: `/${project.path_with_namespace}`, groupPath: `/groups/${group.full_path}` },
  };
}

/** @returns the names of a file, without its extension, and of a branch */
async function addCode({ texts, projectId }: Adding): Promise<[string, string]> {
  const { label, title, text } = texts;
  const [fileName, branch] = [label(), `t/${texts.name()}`];
  const add = (at: string, path: string, content: string, author = {}) =>
    root.RepositoryFiles.create(projectId, path, at, content, title(), author);
  await add('main', 'README.md', `# ${title()}\n\n${text()}\n`);
  const authorName = title().replaceAll(/[<>\p{C}]/gu, '');
  await add('main', `${fileName}.ts`, texts.code, { authorName, authorEmail: 'author@example.com' });
  await root.Branches.create(projectId, branch, 'main');
  await add(branch, `${fileName}.md`, `# ${text()}`);
  return [fileName, branch];
}

/** Milestones, an issue with a note, a merge request, boards and an epic. */
async function addPlan({ texts, person: { client, token }, projectId, groupId, below }: Adding, branch: string) {
  const { title, label, text } = texts;
  const planned = { description: text(), startDate: '2020-01-01', dueDate: '2090-01-01' };
  const milestone = await client.ProjectMilestones.create(projectId, title(), planned);
  await client.GroupMilestones.create(groupId, title(), planned);
  const about = { description: text(), labels: `${label()},${label().slice(0, 120)}` };
  const assigned = { assigneeIds: [(await client.Users.showCurrentUser()).id], milestoneId: milestone.id };
  await client.Issues.create(projectId, title(), { ...assigned, ...about });
  below.note = `issues/1/notes/${(await client.IssueNotes.create(projectId, 1, text())).id}/edit`;
  await client.MergeRequests.create(projectId, branch, 'main', title(), about);
  const [listed] = await client.ProjectLabels.all(projectId);
  const board = await send(token, 'POST', `/projects/${projectId}/boards`, { name: title() });
  await send(token, 'POST', `/projects/${projectId}/boards/${board.id}/lists`, { label_id: listed!.id });
  below.board = `boards/${board.id}`;
  below.groupBoard = `boards/${(await send(token, 'POST', `/groups/${groupId}/boards`, { name: title() })).id}`;
  await client.Epics.create(groupId, title(), { description: text(), labels: label().slice(0, 120) });
}

/** With a link and an evidence. @returns its tag */
async function addRelease({ texts, person: { client }, projectId }: Adding): Promise<string> {
  const { name, title, text, url } = texts;
  const tagName = name();
  const [milestone] = await client.ProjectMilestones.all(projectId);
  await client.ProjectReleases.create(projectId, {
    ...{ tagName, ref: 'main', name: title(), description: text(), milestones: [milestone!.title] },
    assets: { links: [{ name: title(), url, link_type: 'package' }] },
  });
  await client.ProjectReleases.createEvidence(projectId, tagName);
  return tagName;
}

/** @returns the slug of a page */
async function addWiki({ texts: { title, label, text }, person: { client }, projectId }: Adding): Promise<string> {
  await client.ProjectWikis.create(projectId, `# ${text()}\n`, 'home');
  const format = { format: 'org' } as const;
  return (await client.ProjectWikis.create(projectId, title(), `${label()}/${label()}`, format)).slug;
}

/** Of the project with a note, and of the person. @returns the path of that of the person */
async function addSnippets({ texts, person: { client }, projectId, below }: Adding): Promise<string> {
  const { title, label, text, code } = texts;
  const files = ['ts', 'txt'].map((type) => ({ filePath: `${label()}.${type}`, content: code }));
  const about = { description: text(), visibility: 'public', files } as const;
  const { id } = await client.ProjectSnippets.create(projectId, title(), about);
  below.snippet = `snippets/${id}`;
  await client.ProjectSnippetNotes.create(projectId, id, text());
  return `/-/snippets/${(await client.Snippets.create(title(), about)).id}`;
}

/** A pipeline, its job with a log and artifacts, a schedule, and a package. */
async function addRuns({ texts, person: { client }, projectId, below }: Adding): Promise<void> {
  const { word, title, label, code, log } = texts;
  const [stage, name, folder] = [label().slice(0, 200), label().slice(0, 200), label()];
  const file = { workflow: { name: title() }, stages: [stage], [name]: { script: ['true'], stage } };
  await root.RepositoryFiles.create(projectId, '.gitlab-ci.yml', 'main', JSON.stringify(file), title());
  const pipeline = await until('a pipeline', async () => (await root.Pipelines.all(projectId))[0]);
  below.pipeline = `pipelines/${pipeline.id}`;
  const job = await finishJob(projectId, { [`${folder}/${label()}.txt`]: code }, log);
  below.job = `jobs/${job.id}`;
  below.artifacts = `jobs/${job.id}/artifacts/browse/${encodeURIComponent(folder)}`;
  const schedule = await root.PipelineSchedules.create(projectId, title(), 'main', '0 4 * * *');
  await root.PipelineScheduleVariables.create(projectId, schedule.id, word, title());
  below.schedule = `pipeline_schedules/${schedule.id}/edit`;
  const content = new Blob([code]);
  await client.PackageRegistry.publish(projectId, word, '1.0', { content, filename: `${word}.txt` });
  below.package = `packages/${(await client.Packages.all({ projectId }))[0]!.id}`;
}

/** Webhooks with a delivery, keys, tokens and variables. @param parent a route: `/projects/5` */
async function addSettings({ texts, person: { token }, below }: Adding, parent: string): Promise<void> {
  const { word, title, text } = texts;
  const api = (method: string, path: string, body?: object) => send(token, method, `${parent}${path}`, body);
  const url = 'http://127.0.0.1:1/';
  await api('POST', '/hooks', { url, custom_headers: [{ key: word.slice(0, 100), value: word }] });
  const hook = await api('POST', '/hooks', { url: url + word, name: title(), tag_push_events: true });
  // Nothing listens there.
  expect((await askJson('POST', `${parent}/hooks/${hook.id}/test/push_events`, { token })).status).toBe(422);
  const [event] = await api('GET', `/hooks/${hook.id}/events`);
  const isProject = parent.startsWith('/projects/');
  const of = isProject ? '' : 'group ';
  below[`${of}hook`] = `hooks/${hook.id}/edit`;
  below[`${of}delivery`] = `hooks/${hook.id}/hook_logs/${event!.id}`;
  const about = () => ({ name: title(), description: title(), expires_at: '2099-05-06' });
  if (isProject) await api('POST', '/deploy_keys', { title: title(), key: newSshKey(), can_push: true });
  const scopes = ['read_repository', 'write_registry'];
  await api('POST', '/deploy_tokens', { ...about(), username: word, scopes });
  await api('POST', '/access_tokens', { ...about(), scopes: ['api', 'write_repository'] });
  const file = { key: word, protected: true, raw: true, variable_type: 'file' };
  await api('POST', '/variables', { ...file, value: text(), description: title() });
  const hidden = { key: word, environment_scope: word, masked_and_hidden: true };
  await api('POST', '/variables', { ...hidden, value: 'hush-hush' });
}

/** Mirrors and badges. */
async function addAddresses({ texts, person: { client }, projectId, groupId }: Adding): Promise<void> {
  const { word, title, url } = texts;
  for (const address of [`http://a:b@127.0.0.1:1/${word}.git`, `ssh://git@127.0.0.1:1/${word}.git`])
    await client.ProjectRemoteMirrors.createPushMirror(projectId, address, { enabled: true });
  await client.ProjectBadges.add(projectId, url, `${connection.url}/${word}.svg`, { name: title() });
  await client.ProjectBadges.add(projectId, url, url, { name: title() });
  await client.GroupBadges.add(groupId, url, `${url}/%{project_path}`, { name: title() });
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Paths of pages that everybody sees. */
export function publicPaths(records: Records): string[] {
  const { person, projectPath, groupPath, below, personalSnippet } = records;
  const [fileName, branch, tag] = [encoded(records.fileName), encoded(records.branch), encoded(records.tag)];
  const ofProject = [
    ...['tree/main', 'blob/main/README.md', `blob/main/${fileName}.ts`, `blob/${branch}/${fileName}.md`],
    ...['commits/main', 'commit/main', `blame/main/${fileName}.ts`, `commits/main/${fileName}.ts`],
    ...['issues', 'issues/1', 'merge_requests'],
    ...['', '/commits', '/diffs', '/pipelines'].map((part) => `merge_requests/1${part}`),
    ...['pipelines', below.pipeline, below.job, 'snippets', below.snippet],
    ...[
      'branches',
      'tags',
      `tags/${tag}`,
      'compare',
      'compare/main~1...main',
      'compare/main...nothing',
      `compare/main...${branch}`,
    ],
    ...['graphs/main', 'milestones', 'milestones/1', 'releases', `releases/${tag}`],
    ...['wikis', 'wikis/pages', `wikis/${encoded(records.wikiPage)}`],
  ];
  return [
    ...['/', '/explore', projectPath, ...ofProject.map((part) => `${projectPath}/-/${part}`), personalSnippet],
    ...[groupPath, `${groupPath}/-/milestones`, `${groupPath}/-/milestones/1`, `/${person.username}`],
  ];
}

/** Paths of pages that only the owner of the records sees, or sees with forms. */
export function ownPaths(records: Records): string[] {
  const { projectId, projectPath, groupPath, below, personalSnippet, search } = records;
  const [branch, tag, wikiPage] = [records.branch, records.tag, records.wikiPage].map(encoded);
  const ofProject = [
    ...['issues/new', 'issues/1', 'issues/1/edit', below.note],
    ...['new', '1', '1/edit', '1/diffs', '1/diffs?at=0n&line=1#write', '1/diffs?at=0o&line=99'].map(
      (part) => `merge_requests/${part}`,
    ),
    `merge_requests/new?${new URLSearchParams({ 'merge_request[source_branch]': records.branch })}`,
    ...['wikis', 'wikis/pages', 'wikis/new', 'wikis/home/edit', `wikis/${wikiPage}/edit`],
    ...['snippets/new', below.snippet, `${below.snippet}/edit`, 'tags', 'branches', `tree/${branch}`],
    ...[
      'milestones/new',
      'milestones/1',
      'milestones/1/edit',
      'releases/new',
      `releases/${tag}`,
      `releases/${tag}/edit`,
    ],
    ...['pipelines/new', 'pipeline_schedules', 'pipeline_schedules/new', below.schedule, below.pipeline, below.job],
    ...['settings/merge_requests', 'settings/ci_cd', 'project_members', 'hooks', below.hook, below.delivery, 'mirrors'],
    ...['badges', 'deploy_keys', 'deploy_tokens', 'settings/access_tokens', 'variables'],
    ...['boards', below.board, 'packages', below.package, 'container_registry', below.artifacts],
  ];
  const ofGroup = [
    ...['milestones/new', 'milestones/1', 'milestones/1/edit', 'group_members', 'edit', 'variables'],
    ...['settings/access_tokens', 'deploy_tokens', 'hooks', below['group hook'], below['group delivery'], 'badges'],
    ...[
      'boards',
      below.groupBoard,
      'packages',
      'issues',
      'merge_requests',
      'epics',
      'epics/1',
      'iterations',
      'iterations/1',
    ],
  ];
  const ofAccount = ['profile', 'personal_access_tokens', 'ssh_keys', 'gpg_keys', 'active_sessions'];
  return [
    ...[
      '/',
      '/dashboard/todos',
      `${projectPath}/edit`,
      `${personalSnippet}/edit`,
      '/-/snippets',
      '/projects/new',
      '/groups/new',
    ],
    ...ofAccount.map((part) => `/-/user_settings/${part}`),
    ...['emails', 'notifications', 'applications', 'password', 'two_factor_auth'].map((part) => `/-/profile/${part}`),
    ...ofProject.map((part) => `${projectPath}/-/${part}`),
    ...ofGroup.map((part) => `${groupPath}/-/${part}`),
    ...['projects', 'users', 'snippet_titles'].map((scope) => `/search?${new URLSearchParams({ scope, search })}`),
    ...['blobs', 'issues', 'merge_requests', 'notes', 'commits', 'wiki_blobs', 'milestones'].map(
      (scope) => `/search?${new URLSearchParams({ scope, search, project_id: String(projectId) })}`,
    ),
  ];
}
