import { containerReport } from '../security/reports';
import type { Answer, Ask } from './world';

/** The user who creates the records, and the place. */
export interface FuzzedWorld {
  word: string;
  member: Ask;
  administrator: Ask;
  /** Runs a GraphQL mutation as the member. */
  graphql: (query: string) => Promise<Answer>;
  project: string;
  group: string;
  groupPath: string;
  projectId: number;
}

/** Boards, notes on commits, drafts, packages, jobs: all other records that operations need. */
export async function fillFurther(world: FuzzedWorld): Promise<void> {
  await fillPlanning(world);
  await fillTalk(world);
  await fillFiles(world);
  await fillPeople(world);
  await fillInstance(world);
  await fillJobs(world);
}

async function fillPlanning({ member, graphql, project, group, groupPath, word }: FuzzedWorld): Promise<void> {
  for (const at of [project, group]) {
    const label = await member('POST', `${at}/labels`, { name: `list-${word}-${at.length}`, color: '#112233' });
    const board = await member('POST', `${at}/boards`, { name: `board-${at.length}` });
    await member('POST', `${at}/boards/${board.id}/lists`, { label_id: label.id });
  }
  const input = `groupPath: "${groupPath}" title: "June" startDate: "2030-06-01" dueDate: "2030-06-30"`;
  const { data } = await graphql(`mutation { iterationCreate(input: {${input}}) { iteration { id } } }`);
  const { id } = (data as { iterationCreate: { iteration: { id: string } } }).iterationCreate.iteration;
  await member('POST', `${project}/issues/1/notes`, { body: `/iteration *iteration:${id.split('/').pop()}` });
  const epic = await member('POST', `${group}/epics`, { title: 'another' });
  await member('POST', `${group}/epics/${epic.iid}/epics`, { title: 'below' });
  const [issue] = (await member('GET', `${project}/issues`)) as unknown as Answer[];
  await member('POST', `${group}/epics/${epic.iid}/issues/${issue?.id}`);
  await member('POST', `${project}/issues/1/todo`);
  await member('PUT', `${project}/integrations/external-wiki`, { external_wiki_url: 'https://example.com/wiki' });
}

async function fillTalk({ member, project, group }: FuzzedWorld): Promise<void> {
  const [commit] = (await member('GET', `${project}/repository/commits`)) as unknown as Answer[];
  await member('POST', `${project}/repository/commits/${commit?.id}/comments`, { note: 'comment' });
  await member('POST', `${project}/statuses/${commit?.id}`, { state: 'success', name: 'outside' });
  const [epic] = (await member('GET', `${group}/epics`)) as unknown as Answer[];
  for (const at of [`${project}/repository/commits/${commit?.id}`, `${group}/epics/${epic?.id}`]) {
    const { id } = await member('POST', `${at}/discussions`, { body: 'discussion' });
    await member('POST', `${at}/discussions/${id}/notes`, { body: 'reply' });
  }
  const note = await member('POST', `${group}/epics/${epic?.id}/notes`, { body: 'note' });
  await member('POST', `${group}/epics/${epic?.iid}/award_emoji`, { name: 'thumbsup' });
  await member('POST', `${group}/epics/${epic?.iid}/notes/${note.id}/award_emoji`, { name: 'tada' });
  await member('POST', `${project}/merge_requests/1/draft_notes`, { note: 'draft' });
  const { diff_refs } = await member('GET', `${project}/merge_requests/1`);
  const position = { ...(diff_refs as object), position_type: 'text', new_path: 'a/b.txt', new_line: 1 };
  for (const text of ['d', 'e', 'f'])
    await member('POST', `${project}/merge_requests/1/discussions`, {
      ...{ body: ['```suggestion', text, '```'].join('\n'), position },
    });
  for (const at of [project, `${project}/merge_requests/1`])
    await member('POST', `${at}/approval_rules`, {
      ...{ name: `rule-${at.length}`, approvals_required: 0, rule_type: 'regular' },
    });
}

async function fillFiles({ member, project }: FuzzedWorld): Promise<void> {
  await member('PUT', `${project}/packages/generic/app/1.0/app.txt`);
  await member('POST', `${project}/uploads`, formOf('a.txt', 'text'));
  const kept = formOf('key.jks', 'key');
  kept.append('name', 'key.jks');
  await member('POST', `${project}/secure_files`, kept);
  await member('POST', `${project}/security_reports`, formOf('report.json', JSON.stringify(containerReport)));
}

async function fillPeople({ member, administrator, project, group, word, projectId }: FuzzedWorld): Promise<void> {
  const other = await member('POST', '/groups', { name: `other-${word}`, path: `other-${word}` });
  for (const at of [project, group]) await member('POST', `${at}/share`, { group_id: other.id, group_access: 30 });
  await member('POST', `${project}/job_token_scope/groups_allowlist`, { target_group_id: other.id });
  const second = await member('POST', '/projects', { name: `other-${word}`, namespace_id: other.id });
  await member('POST', `${project}/job_token_scope/allowlist`, { target_project_id: second.id });
  await administrator('POST', `/projects/${second.id}/fork/${projectId}`);
  await member('POST', `${group}/deploy_tokens`, { name: word, scopes: ['read_repository'] });
  await member('PUT', `${project}/notification_settings`, { level: 'watch' });
  for (const at of [project, group, `/users/${(await member('GET', '/user')).id}`])
    await administrator('PUT', `${at}/custom_attributes/room`, { value: '7' });
}

async function fillInstance({ administrator, word }: FuzzedWorld): Promise<void> {
  for (const name of ['one', 'two']) await administrator('POST', '/topics', { name: `${name}-${word}`, title: name });
  await administrator('POST', '/broadcast_messages', { message: word });
  const license = { plan: 'premium', licensee: { Name: word }, starts_at: '2020-01-01' };
  await administrator('POST', '/license', { license: Buffer.from(JSON.stringify(license)).toString('base64') });
  await administrator('POST', '/service_accounts');
  // An instance allows few of these: later worlds reuse those of earlier ones, and a faster machine has more worlds.
  const scarce = {
    '/member_roles': { name: word, base_access_level: 30, read_vulnerability: true },
    '/admin/ci/variables': { key: `KEPT_${word}`, value: 'b' },
  };
  for (const [path, values] of Object.entries(scarce)) {
    const there = (await administrator('GET', path)) as unknown as Answer[];
    if (there.length === 0) await administrator('POST', path, values);
  }
  await administrator('POST', '/hooks', { url: 'https://receiver.invalid/' });
  await administrator('POST', `/features/${word}`, { value: 'true' });
  await administrator('POST', '/geo_nodes', { name: word, url: `https://${word}.invalid` });
  const application = { name: word, redirect_uri: 'https://example.com', scopes: 'api' };
  await administrator('POST', '/applications', application);
}

/** A job that a runner is executing. */
async function fillJobs({ member, projectId }: FuzzedWorld): Promise<void> {
  const own = { runner_type: 'project_type', project_id: projectId, run_untagged: true };
  const { token } = await member('POST', '/user/runners', own);
  await member('POST', '/jobs/request', { token });
}

function formOf(name: string, content: string): FormData {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  return form;
}
