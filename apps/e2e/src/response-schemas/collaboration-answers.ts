import { newWorld, type World } from '../collaboration/world';
import { root } from '../server/connection';
import type { Answers } from './answers';

export async function askCollaboration(answers: Answers): Promise<void> {
  const world = await newWorld();
  const milestones = await askMilestones(answers, world);
  await askLabels(answers, world);
  const issue = await askIssues(answers, world, milestones);
  const mergeRequest = await askMergeRequests(answers, world, milestones);
  const epic = await askEpics(answers, world, issue.id);
  const snippet = await askSnippets(answers, world);
  await askNotes(answers, [
    `${world.project}/issues/${issue.iid}`,
    `${world.project}/merge_requests/${mergeRequest.iid}`,
    `${world.project}/snippets/${snippet.id}`,
    `${world.group}/epics/${epic.id}`,
  ]);
  await askMilestoneContents(answers, world, milestones);
}

interface Milestones {
  ofProject: number;
  ofGroup: number;
}

async function askMilestones(answers: Answers, { project, group }: World): Promise<Milestones> {
  const dates = { start_date: '2020-10-01', due_date: '2020-10-15' };
  const whole = { title: 'Dated', description: 'With all fields', ...dates };
  const ofProject = await answers.post('milestone.json', `${project}/milestones`, whole);
  const ofGroup = await answers.post('milestone.json', `${group}/milestones`, { title: 'Bare' });
  const closed = await answers.post('milestone.json', `${project}/milestones`, { title: 'Over' });
  await answers.put('milestone.json', `${project}/milestones/${closed.id}`, { state_event: 'close' });
  for (const list of ['', '?state=closed', '?include_parent_milestones=true'])
    await answers.take('milestones.json', `${project}/milestones${list}`);
  await answers.take('milestones.json', `${group}/milestones`);
  await answers.take('milestone.json', `${group}/milestones/${ofGroup.id}`);
  return { ofProject: ofProject.id, ofGroup: ofGroup.id };
}

async function askMilestoneContents(answers: Answers, { project, group }: World, ids: Milestones): Promise<void> {
  for (const milestone of [`${project}/milestones/${ids.ofProject}`, `${group}/milestones/${ids.ofGroup}`]) {
    await answers.take('issues.json', `${milestone}/issues`);
    await answers.take('merge_requests.json', `${milestone}/merge_requests`);
  }
}

async function askLabels(answers: Answers, { project, group }: World): Promise<void> {
  const ofProject = { name: 'bug', color: '#d9534f', description: 'It breaks', priority: 1 };
  const { id } = await answers.post('labels/project_label.json', `${project}/labels`, ofProject);
  await answers.put('labels/project_label.json', `${project}/labels/${id}`, { description: '', priority: null });
  await answers.take('labels/project_label.json', `${project}/labels/bug`);
  await answers.post('labels/label.json', `${group}/labels`, { name: 'ours', color: 'teal' });
  await answers.take('labels/label.json', `${group}/labels/ours`);
  await answers.takeEach('labels/project_label.json', `${project}/labels`);
  await answers.takeEach('labels/project_label_with_counts.json', `${project}/labels?with_counts=true`);
  await answers.takeEach('labels/label.json', `${group}/labels`);
  await answers.takeEach('labels/label_with_counts.json', `${group}/labels?with_counts=true`);
}

/** @returns an issue with a note of each kind */
async function askIssues(answers: Answers, { project, group, member }: World, milestones: Milestones) {
  const issues = `${project}/issues`;
  const { iid, id } = await answers.post('issue.json', issues, {
    title: 'Full',
    description: '- [x] one\n- [ ] two',
    labels: 'bug,ours',
    assignee_ids: [member.id],
    milestone_id: milestones.ofProject,
    due_date: '2020-10-15',
    weight: 3,
    confidential: true,
  });
  const bare = await answers.post('issue.json', issues, { title: 'Bare' });
  await answers.put('issue.json', `${issues}/${bare.iid}`, { state_event: 'close', milestone_id: milestones.ofGroup });
  await answers.post('issue.json', issues, { title: 'Opened' });
  await root.IssueAwardEmojis.award(project.split('/')[2]!, iid, 'thumbsup');
  await answers.post('notes.json#/items', `${issues}/${iid}/notes`, { body: 'Between us', confidential: true });
  await answers.post('issue.json', `${issues}/${iid}/unsubscribe`, {});
  for (const list of [issues, `${group}/issues`, '/issues?scope=all']) await answers.take('issues.json', list);
  await answers.take('issues.json', `${issues}?state=closed`, { token: member.token });
  for (const one of [`${issues}/${iid}`, `${issues}/${bare.iid}`, `/issues/${id}`])
    await answers.take('issue.json', one);
  await answers.take('user/basics.json', `${issues}/${iid}/participants`);
  for (const issue of await answers.ask<{ labels: object[] }[]>(`${issues}?with_labels_details=true&labels=bug`))
    answers.addEach('label_basic.json', 'labels of an issue', issue.labels);
  return { id, iid };
}

/** @returns an open merge request; others are closed, merged and in conflict */
async function askMergeRequests(answers: Answers, world: World, milestones: Milestones) {
  const { project, group, projectId, member } = world;
  const mergeRequests = `${project}/merge_requests`;
  const open = async (branch: string, fields: object) => {
    await root.Commits.create(
      projectId,
      branch,
      `Write ${branch}`,
      [{ action: 'create', filePath: `${branch}.txt`, content: branch }],
      { startBranch: 'main' },
    );
    const whole = { source_branch: branch, target_branch: 'main', title: branch, ...fields };
    return answers.post('merge_request.json', mergeRequests, whole);
  };
  const full = await open('full', {
    description: 'Closes #1',
    labels: 'bug',
    assignee_ids: [member.id],
    reviewer_ids: [member.id],
    milestone_id: milestones.ofProject,
    remove_source_branch: true,
    squash: true,
  });
  const closed = await open('closed', { milestone_id: milestones.ofGroup });
  await answers.put('merge_request.json', `${mergeRequests}/${closed.iid}`, { state_event: 'close' });
  const merged = await open('merged', {});
  await answers.put('merge_request.json', `${mergeRequests}/${merged.iid}/merge`, {});
  for (const list of [mergeRequests, `${group}/merge_requests`, '/merge_requests?scope=all'])
    await answers.take('merge_requests.json', list);
  for (const state of ['closed', 'merged'])
    await answers.take('merge_requests.json', `${mergeRequests}?state=${state}`, { token: member.token });
  await answers.takeEach('merge_request_simple.json', `${mergeRequests}?view=simple`);
  for (const { iid } of [full, closed, merged]) await answers.take('merge_request.json', `${mergeRequests}/${iid}`);
  await answers.take('commits.json', `${mergeRequests}/${full.iid}/commits`);
  await answers.take('user/basics.json', `${mergeRequests}/${full.iid}/participants`);
  await answers.take('issues.json', `${mergeRequests}/${full.iid}/closes_issues`);
  await answers.take('merge_requests.json', `${project}/issues/1/related_merge_requests`);
  await answers.take('merge_requests.json', `${project}/issues/1/closed_by`);
  return full;
}

async function askEpics(answers: Answers, { group }: World, issueId: number) {
  const epics = `${group}/epics`;
  const full = await answers.post('epic.json', epics, {
    title: 'Full',
    description: 'An epic',
    labels: 'ours',
    start_date_is_fixed: true,
    start_date_fixed: '2020-10-01',
    due_date_is_fixed: true,
    due_date_fixed: '2020-10-15',
    confidential: true,
  });
  const child = await answers.post('epic.json', epics, { title: 'Child', parent_id: full.id });
  await answers.put('epic.json', `${epics}/${child.iid}`, { state_event: 'close' });
  const link = await answers.post('epic_issue_link.json', `${epics}/${full.iid}/issues/${issueId}`, {});
  await answers.put('epic_issues.json', `${epics}/${full.iid}/issues/${link.id}`, {});
  await answers.take('epic_issues.json', `${epics}/${full.iid}/issues`);
  await answers.take('epics.json', epics);
  for (const { iid } of [full, child]) await answers.take('epic.json', `${epics}/${iid}`);
  return full;
}

async function askSnippets(answers: Answers, { project }: World) {
  const one = 'snippets.json#/items';
  const text = { title: 'Text', file_name: 'a.txt', content: 'a', visibility: 'public' };
  const ofProject = await answers.post(one, `${project}/snippets`, text);
  await answers.take('snippets.json', `${project}/snippets`);
  await answers.take(one, `${project}/snippets/${ofProject.id}`);
  const personal = await answers.post(one, '/snippets', { ...text, description: 'Mine' });
  await answers.put(one, `/snippets/${personal.id}`, { title: 'Other' });
  for (const list of ['/snippets', '/snippets/public']) await answers.take('snippets.json', list);
  await answers.take(one, `/snippets/${personal.id}`);
  return ofProject;
}

async function askNotes(answers: Answers, noteables: string[]): Promise<void> {
  const one = 'notes.json#/items';
  for (const noteable of noteables) {
    const { id } = await answers.post(one, `${noteable}/notes`, { body: 'A comment' });
    await answers.put(one, `${noteable}/notes/${id}`, { body: 'Another' });
    const discussion = { method: 'POST', body: { body: 'To be discussed' } };
    const { notes } = await answers.ask<{ notes: object[] }>(`${noteable}/discussions`, discussion);
    answers.addEach(one, `POST ${noteable}/discussions`, notes);
    await answers.take('notes.json', `${noteable}/notes`);
    await answers.take(one, `${noteable}/notes/${id}`);
  }
}
