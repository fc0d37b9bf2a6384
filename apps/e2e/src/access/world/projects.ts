import { newSshKey } from '../../identity/ssh-key';
import { containerReport } from '../../security/reports';
import { uniqueName } from '../../server/connection';
import { until } from '../../server/until';
import { newGroup } from './groups';
import type { People } from './people';
import { asRoot, everywhere, fileNamed, makerBelow, nobody, type Records, recordsOf, send } from './send';

const developer = 30;
const ciFile = 'job:\n  script: [echo]\n';

/** Everything that a fork copies. */
async function fillCode(project: string): Promise<void> {
  const commit = (branch: string, file_path: string, content: string) =>
    asRoot('POST', `${project}/repository/commits`, {
      ...{ branch, start_branch: 'main', commit_message: 'file [ci skip]' },
      actions: [{ action: 'create', file_path, content }],
    });
  await commit('feature', 'feature.txt', 'x');
  await commit('ci', '.gitlab-ci.yml', ciFile);
  await asRoot('POST', `${project}/repository/tags`, { tag_name: 'v1', ref: 'main' });
}

/** Related records of an issue, merge request or snippet, with its name as prefix. */
async function fillTalk(name: string, base: string): Promise<{ [name: string]: unknown }> {
  const make = makerBelow(base);
  const note = await make('/notes', { body: 'note' });
  const award = await make('/award_emoji', { name: 'tada' });
  const noteAward = await make(`/notes/${note.id}/award_emoji`, { name: 'tada' });
  const discussion = await make('/discussions', { body: 'thread' });
  const [first] = discussion.notes as { id: number }[];
  return {
    [`${name}_note`]: note.id,
    [`${name}_award`]: award.id,
    [`${name}_note_award`]: noteAward.id,
    [`${name}_thread`]: discussion.id,
    [`${name}_thread_note`]: first!.id,
  };
}

/** One record of each kind that operations need, all created by the administrator. */
async function fill(id: unknown, bystander: { id: number }): Promise<Records> {
  const project = `/projects/${id}`;
  const make = makerBelow(project);
  const issue = await make('/issues', { title: 'issue' });
  const other = await make('/issues', { title: 'linked' });
  const note = await make(`/issues/${issue.iid}/notes`, { body: 'note' });
  const linked = { target_project_id: id, target_issue_iid: other.iid };
  const link = await make(`/issues/${issue.iid}/links`, linked);
  const label = await make('/labels', { name: 'label', color: '#112233' });
  const milestone = await make('/milestones', { title: uniqueName('milestone') });
  const snippet = await make('/snippets', { title: 's', file_name: 'a.txt', content: 'x', visibility: 'public' });
  const wiki = await make('/wikis', { title: 'home', content: 'x' });
  const mr = await make('/merge_requests', {
    ...{ title: 'mr', source_branch: 'feature', target_branch: 'main', target_project_id: id },
  });
  const [version] = await asRoot('GET', `${project}/merge_requests/${mr.iid}/versions`);
  const rule = await make('/approval_rules', { name: 'rule', approvals_required: 0, rule_type: 'regular' });
  const pipeline = await make('/pipeline', { ref: 'ci' });
  const [job] = await asRoot('GET', `${project}/pipelines/${pipeline.id}/jobs`);
  const schedule = await make('/pipeline_schedules', { description: 's', ref: 'main', cron: '0 1 * * *' });
  await make(`/pipeline_schedules/${schedule.id}/variables`, { key: 'KEPT', value: 'x' });
  await make('/releases', { tag_name: 'v1', description: 'first' });
  const asset = { name: 'app', url: 'https://example.com/app', filepath: '/app' };
  const releaseLink = await make('/releases/v1/assets/links', asset);
  const hook = await make('/hooks', { url: 'https://receiver.invalid/', push_events: false });
  const runner = await asRoot('POST', '/user/runners', { runner_type: 'project_type', project_id: id });
  const badge = await make('/badges', { link_url: 'https://example.com', image_url: 'https://example.com/x.png' });
  const deployKey = await make('/deploy_keys', { title: 'key', key: newSshKey() });
  await make('/members', { user_id: bystander.id, access_level: 10 });
  await make('/security_reports', fileNamed('report.json', JSON.stringify(containerReport)));
  await make('/variables', { key: 'KEPT', value: 'x' });
  const upload = await make('/uploads', fileNamed('a.txt'));
  const [, secret] = /\/uploads\/(\w+)\//.exec(String(upload.url))!;
  await asRoot('PUT', `${project}/packages/generic/app/1.0/file.txt`, {});
  const [file] = await asRoot('GET', `${project}/packages`);
  const [entry] = await asRoot('GET', `${project}/repository/tree`);
  const [commit] = await asRoot('GET', `${project}/repository/commits`);
  const vulnerability = await until(
    'the vulnerability',
    async () => (await asRoot('GET', `${project}/vulnerabilities`))[0],
  );
  const talk = await make(`/repository/commits/${commit?.id}/discussions`, { body: 'thread' });
  return recordsOf({
    ...{ id, issue: issue.iid, issue_id: issue.id, note: note.id, link: link.id ?? link.issue_link_id },
    ...{ label: label.id, milestone: milestone.id, snippet: snippet.id, wiki: wiki.slug, mr: mr.iid },
    ...{ version: version?.id, rule: rule.id, pipeline: pipeline.id, job: job?.id, schedule: schedule.id },
    ...{ release_link: releaseLink.id, hook: hook.id, badge: badge.id, deploy_key: deployKey.id, runner: runner.id },
    ...{
      package: file?.id,
      blob: entry?.id,
      sha: commit?.id,
      member: bystander.id,
      upload: secret,
      vulnerability: vulnerability.id,
    },
    ...{ commit_thread: talk.id, commit_thread_note: (talk.notes as { id: number }[])[0]!.id },
    ...(await fillTalk('issue', `${project}/issues/${issue.iid}`)),
    ...(await fillTalk('mr', `${project}/merge_requests/${mr.iid}`)),
    ...(await fillTalk('snippet', `${project}/snippets/${snippet.id}`)),
  });
}

async function newProject(groupId: unknown, visibility: string) {
  const path = uniqueName('access');
  const body = { name: path, path, namespace_id: groupId, visibility, initialize_with_readme: true };
  const { id } = await asRoot('POST', '/projects', body);
  await fillCode(`/projects/${id}`);
  return id;
}

/** A fork of a project in the namespace of a user. */
async function newFork(of: unknown, token: string) {
  const asked = { path: uniqueName('fork'), visibility: 'private' };
  const { id } = await send(token, 'POST', `/projects/${of}/fork`, asked);
  await until('the fork', async () => {
    const { import_status } = await asRoot('GET', `/projects/${id}`);
    return import_status === 'finished' || import_status === 'none';
  });
  return id;
}

/** A project in every state, each with one record of each kind. */
export async function makeProjects({ bystander, owner, developer: forker, addMembers }: People) {
  const group = await newGroup('public');
  await asRoot('POST', `/groups/${group.id}/members`, { user_id: owner.id, access_level: 50 });
  const ofGroup = async (visibility: string) => {
    const id = await newProject(group.id, visibility);
    await addMembers(`/projects/${id}`);
    return fill(id, bystander);
  };
  const [open, internal, closed] = [await ofGroup('public'), await ofGroup('internal'), await ofGroup('private')];
  const [archived, deleted] = [await ofGroup('public'), await ofGroup('public')];
  await asRoot('POST', `/projects/${archived.id}/archive`);
  await asRoot('DELETE', `/projects/${deleted.id}`);

  const [other, invited] = [await newGroup('public'), await newGroup('public')];
  await asRoot('POST', `/groups/${invited.id}/members`, { user_id: owner.id, access_level: 50 });
  await addMembers(`/groups/${invited.id}`);
  const sharedId = await newProject(other.id, 'private');
  await asRoot('POST', `/projects/${sharedId}/share`, { group_id: invited.id, group_access: developer });

  const forkId = await newFork(open.id, forker.token);
  const [shared, forked] = [await fill(sharedId, bystander), await fill(forkId, bystander)];
  await everywhere('archived', `/projects/${archived.id}/issues/1/notes`, { method: 'POST' }, 403);
  await everywhere('deleted', `/projects/${deleted.id}`, {}, 404);
  const missing = { ...deleted, id: nobody, vulnerability: nobody, runner: nobody };
  return { public: open, internal, private: closed, archived, shared, forked, deleted, missing };
}

/** A visible and a confidential issue of a public project. */
export async function makeIssues({ public: { id } }: { public: Records }) {
  const make = async (confidential: boolean) => {
    const { iid } = await asRoot('POST', `/projects/${id}/issues`, { title: 'issue', confidential });
    return recordsOf({ id, issue: iid, ...(await fillTalk('issue', `/projects/${id}/issues/${iid}`)) });
  };
  const [open, confidential] = [await make(false), await make(true)];
  return { open, confidential, missing: { ...confidential, issue: nobody } };
}
