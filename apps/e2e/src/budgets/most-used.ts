import { kinds, type Spent } from './spent';

/** The operations that clients call most. */
const mostUsed = [
  'identity.users.current',
  'projects.projects.get',
  'projects.projects.list',
  'projects.projects.list-of-group',
  'projects.projects.create',
  'projects.groups.get',
  'projects.groups.list',
  'projects.project-members.list',
  'collaboration.issues.list-of-project',
  'collaboration.issues.get',
  'collaboration.issues.create',
  'collaboration.issues.update',
  'collaboration.issue-notes.list',
  'collaboration.issue-notes.create',
  'collaboration.issue-discussions.list',
  'collaboration.merge-requests.list-of-project',
  'collaboration.merge-requests.get',
  'collaboration.merge-requests.create',
  'collaboration.merge-requests.update',
  'collaboration.merge-requests.merge',
  'collaboration.merge-request-notes.list',
  'collaboration.merge-request-notes.create',
  'collaboration.project-labels.list',
  'repository.branches.list',
  'repository.commits.list',
  'repository.commits.create',
  'repository.files.get',
  'ci.pipelines.list',
  'ci.pipelines.create',
  'ci.jobs.list',
];

/** As the rows of a table in Markdown. */
export function rowsOfMostUsed(budgets: { [operation: string]: Spent }): string {
  const rows = mostUsed.map((name) => [`\`${name}\``, ...kinds.map((kind) => budgets[name]?.[kind] ?? '')]);
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
