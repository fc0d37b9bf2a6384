/** The same records on both servers, for the comparison with Redmine. */
import { plannedIssues, plannedNotes } from './mix-calls.mjs';
import { api } from './stack.mjs';

const numbered = (name, count) => Array.from({ length: count }, (_, at) => `${name}-${at + 1}`);
const [{ description: text }] = plannedIssues;
const password = 'Peer-of-the-bench-1';
const developer = 30;

/** An issue has one category in Redmine: the label that only a third of the issues has. */
const issues = plannedIssues.map(({ title, description, labels }, at) => ({
  title,
  description,
  label: labels.at(-1),
  // The first issue has the notes, and no events.
  assigned: at % 3 === 1,
  closed: at % 3 === 2,
}));

const plan = {
  text,
  password,
  users: numbered('peer', 5),
  labels: [...new Set(plannedIssues.flatMap(({ labels }) => labels))],
  label: issues[0].label,
  milestones: numbered('milestone', 5),
  pages: numbered('Page', 5).map((title) => ({ title, content: text.repeat(4) })),
  notes: plannedNotes,
  issues,
};

/** Numbers of records in the answers. */
export const counts = {
  users: plan.users.length,
  members: plan.users.length + 1,
  milestones: plan.milestones.length,
  labels: plan.labels.length,
  pages: plan.pages.length,
  notes: plan.notes.length,
  third: issues.filter(({ closed }) => closed).length,
};

/** @param names of the projects @returns what `redmine-fill.rb` creates */
export const planFor = (names) => ({ ...plan, projects: names });

/** Adds the rest of the plan to a project that fillForMix has created. */
async function complete(stack, id, users) {
  const project = `/projects/${id}`;
  const { path } = await api(stack, 'GET', project);
  await api(stack, 'PUT', project, { description: text });
  for (const user_id of users) await api(stack, 'POST', `${project}/members`, { user_id, access_level: developer });
  for (const [at, { assigned, closed }] of issues.entries()) {
    const issue = `${project}/issues/${at + 1}`;
    if (assigned) await api(stack, 'PUT', issue, { assignee_ids: [users[0]] });
    if (closed) await api(stack, 'PUT', issue, { state_event: 'close' });
  }
  for (const page of plan.pages) await api(stack, 'POST', `${project}/wikis`, page);
  const milestones = [];
  for (const title of plan.milestones) milestones.push(await api(stack, 'POST', `${project}/milestones`, { title }));
  return { id, name: path, issues: issues.map((_, at) => at + 1), milestone: milestones[0].id, label: plan.label };
}

/** @param ids of projects that fillForMix has created @returns names of the records in paths, as Redmine's */
export async function completeOurs(stack, ids) {
  const users = [];
  for (const username of plan.users) {
    const names = { username, name: username, email: `${username}@example.com` };
    users.push((await api(stack, 'POST', '/users', { ...names, password, skip_confirmation: true })).id);
  }
  const projects = [];
  for (const id of ids) projects.push(await complete(stack, id, users));
  return { user: users[0], projects };
}
