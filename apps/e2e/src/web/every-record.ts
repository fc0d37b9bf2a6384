import { send } from '../access/world/send';
import { finishJob } from '../ci/finish-job';
import { addIteration } from '../collaboration/add-iteration';
import { newSshKey } from '../identity/ssh-key';
import { connection, newUser, root, uniqueName } from '../server/connection';
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
  groupId: number;
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
}

/** Creates a record of each kind, with the texts wherever a user can write one. */
export async function addEveryRecord(texts: Texts): Promise<Records> {
  const { word, name, label, title, text, url } = texts;
  const person = await newUser('guest');
  const api = (method: string, path: string, body?: object) => send(person.token, method, path, body);
  const project = await person.client.Projects.create({
    ...{ name: `${uniqueName('p')} ${word}`, path: uniqueName(word.slice(0, 120).toLowerCase()) },
    ...{ description: title(), visibility: 'public', topics: [label()] },
  });
  await root.Users.edit(person.id, { name: title(), bio: title(), location: title() });
  const { id } = project;
  const [fileName, branch, tag] = [label(), `t/${name()}`, name()];
  const below: Record<string, string> = {};
  await root.RepositoryFiles.create(id, 'README.md', 'main', `# ${title()}\n\n${text()}\n`, title());
  await root.RepositoryFiles.create(id, `${fileName}.ts`, 'main', texts.code, title(), {
    ...{ authorName: title().replaceAll(/[<>\p{C}]/gu, ''), authorEmail: 'author@example.com' },
  });
  const [stage, jobName] = [label().slice(0, 200), label().slice(0, 200)];
  const file = { workflow: { name: title() }, stages: [stage], [jobName]: { script: ['true'], stage } };
  await root.RepositoryFiles.create(id, '.gitlab-ci.yml', 'main', JSON.stringify(file), title());
  const pipeline = await until('a pipeline', async () => (await root.Pipelines.all(id))[0]);
  below.pipeline = `pipelines/${pipeline.id}`;

  const group = await person.client.Groups.create(texts.groupName, uniqueName('g'), {
    ...{ description: title(), visibility: 'public' },
  });
  await person.client.Groups.create(word, uniqueName('s'), { parentId: group.id, visibility: 'public' });
  const planned = { description: text(), startDate: '2020-01-01', dueDate: '2090-01-01' };
  const milestone = await person.client.ProjectMilestones.create(id, title(), planned);
  await person.client.GroupMilestones.create(group.id, title(), planned);
  await person.client.ProjectReleases.create(id, {
    ...{ tagName: tag, ref: 'main', name: title(), description: text(), milestones: [milestone.title] },
    assets: { links: [{ name: title(), url, link_type: 'package' }] },
  });
  await person.client.ProjectReleases.createEvidence(id, tag);
  const about = { description: text(), labels: `${label()},${label().slice(0, 120)}` };
  await person.client.Issues.create(id, title(), {
    ...{ assigneeIds: [person.id], milestoneId: milestone.id, ...about },
  });
  const note = await person.client.IssueNotes.create(id, 1, text());
  below.note = `issues/1/notes/${note.id}/edit`;
  const schedule = await root.PipelineSchedules.create(id, title(), 'main', '0 4 * * *');
  await root.PipelineScheduleVariables.create(id, schedule.id, word, title());
  below.schedule = `pipeline_schedules/${schedule.id}/edit`;

  await root.Branches.create(id, branch, 'main~1');
  await root.RepositoryFiles.create(id, `${fileName}.md`, branch, `# ${text()}`, title());
  await person.client.ProjectWikis.create(id, `# ${text()}\n`, 'home');
  const wiki = { format: 'org' } as const;
  const { slug } = await person.client.ProjectWikis.create(id, title(), `${label()}/${label()}`, wiki);
  const files = ['ts', 'txt'].map((type) => ({ filePath: `${label()}.${type}`, content: texts.code }));
  const snippet = await person.client.ProjectSnippets.create(id, title(), {
    ...{ description: text(), visibility: 'public', files },
  });
  await person.client.ProjectSnippetNotes.create(id, snippet.id, text());
  below.snippet = `snippets/${snippet.id}`;
  const personal = { description: text(), visibility: 'public', files } as const;
  const personalSnippet = `/-/snippets/${(await person.client.Snippets.create(title(), personal)).id}`;
  await person.client.MergeRequests.create(id, branch, 'main', title(), about);

  await addSettings(texts, person.token, `/projects/${id}`, below);
  await addSettings(texts, person.token, `/groups/${group.id}`, below);
  for (const address of [`http://a:b@127.0.0.1:1/${word}.git`, `ssh://git@127.0.0.1:1/${word}.git`])
    await person.client.ProjectRemoteMirrors.createPushMirror(id, address, { enabled: true });
  await person.client.ProjectBadges.add(id, url, `${connection.url}/${word}.svg`, { name: title() });
  await person.client.ProjectBadges.add(id, url, url, { name: title() });
  await person.client.GroupBadges.add(group.id, url, `${url}/%{project_path}`, { name: title() });

  const folder = label();
  const job = await finishJob(id, { [`${folder}/${label()}.txt`]: texts.code }, texts.log);
  below.job = `jobs/${job.id}`;
  below.artifacts = `jobs/${job.id}/artifacts/browse/${encodeURIComponent(folder)}`;
  await person.client.PackageRegistry.publish(id, word, '1.0', {
    ...{ content: new Blob([texts.code]), filename: `${word}.txt` },
  });
  below.package = `packages/${(await person.client.Packages.all({ projectId: id }))[0]!.id}`;
  const board = await api('POST', `/projects/${id}/boards`, { name: title() });
  below.board = `boards/${board.id}`;
  below.groupBoard = `boards/${(await api('POST', `/groups/${group.id}/boards`, { name: title() })).id}`;
  const [listed] = await person.client.ProjectLabels.all(id);
  await api('POST', `/projects/${id}/boards/${board.id}/lists`, { label_id: listed!.id });
  await person.client.Epics.create(group.id, title(), { description: text(), labels: label().slice(0, 120) });
  await addIteration(group.full_path, title());
  return {
    ...{ person, projectId: id, groupId: group.id, fileName, branch, tag, wikiPage: slug, below, personalSnippet },
    ...{ projectPath: `/${project.path_with_namespace}`, groupPath: `/groups/${group.full_path}` },
  };
}

/** Webhooks with a delivery, keys, tokens and variables. @param parent a route: `/projects/5` */
async function addSettings(
  { word, title, text }: Texts,
  token: string,
  parent: string,
  below: Record<string, string>,
): Promise<void> {
  const api = (method: string, path: string, body?: object) => send(token, method, `${parent}${path}`, body);
  const url = 'http://127.0.0.1:1/';
  await api('POST', '/hooks', { url, custom_headers: [{ key: word.slice(0, 100), value: title() }] });
  const hook = await api('POST', '/hooks', { url: url + word, name: title(), tag_push_events: true });
  // Nothing listens there, so the test fails, with 422.
  await api('POST', `/hooks/${hook.id}/test/push_events`).catch(() => undefined);
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

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Paths of pages that everybody sees. */
export function publicPaths(records: Records): string[] {
  const { person, projectPath, groupPath, below, personalSnippet } = records;
  const [fileName, branch, tag] = [records.fileName, records.branch, records.tag].map(encoded) as [
    string,
    string,
    string,
  ];
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
  const { projectPath, groupPath, below, personalSnippet } = records;
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
    ...['boards', below.groupBoard, 'packages', 'epics', 'epics/1', 'iterations', 'iterations/1'],
  ];
  const ofAccount = ['profile', 'personal_access_tokens', 'ssh_keys', 'gpg_keys', 'active_sessions'];
  return [
    ...['/', `${projectPath}/edit`, `${personalSnippet}/edit`, '/-/snippets', '/projects/new', '/groups/new'],
    ...ofAccount.map((part) => `/-/user_settings/${part}`),
    ...['emails', 'notifications', 'applications', 'password', 'two_factor_auth'].map((part) => `/-/profile/${part}`),
    ...ofProject.map((part) => `${projectPath}/-/${part}`),
    ...ofGroup.map((part) => `${groupPath}/-/${part}`),
  ];
}
