/**
 * The calls that this server has in common with other ones. `{project}`, `{issue}` and the like in paths are ids of the
 * records, `{fresh}` is a text that is new in each request.
 */
import { counts } from './peer-data.mjs';

/** Paths in the repository here, and in cgit. */
export const cgitCalls = [
  { name: 'tree', ours: 'tree?path=src', theirs: 'tree/src' },
  { name: 'raw file', ours: 'files/src%2Ffile-3.txt/raw?ref=main', theirs: 'plain/src/file-3.txt' },
  { name: 'commits', ours: 'commits?per_page=50', theirs: 'log/' },
  { name: 'branches', ours: 'branches', theirs: 'refs/heads' },
  { name: 'archive', ours: 'archive.tar.gz', theirs: 'snapshot/peer-main.tar.gz' },
];

/** @param count of the records in both answers @param holds where Redmine's answer has them */
const read = (name, count, ours, theirs, holds) => ({
  name,
  count,
  ours: { method: 'GET', path: ours },
  theirs: { method: 'GET', path: theirs, holds },
});

const issues = (name, count, ours, theirs) =>
  read(
    `issues ${name}, ${count}`,
    count,
    `/projects/{project}/issues?per_page=20${ours}`,
    `/projects/{project}/issues.json?limit=20${theirs}`,
    'issues',
  );

const { users, members, milestones, labels, pages, notes, third } = counts;
const anyStatus = '&status_id=*';

/** @param projects their number */
export const redmineReads = (projects) => [
  read('current user', 1, '/user', '/users/current.json', 'user'),
  read('user', 1, '/users/{user}', '/users/{user}.json', 'user'),
  read(`users, ${users}`, users, `/users?per_page=${users}`, `/users.json?limit=${users}`, 'users'),
  read(
    `projects, ${projects}`,
    projects,
    `/projects?per_page=${projects}`,
    `/projects.json?limit=${projects}`,
    'projects',
  ),
  read('project', 1, '/projects/{project}', '/projects/{project}.json', 'project'),
  read(
    `members, ${members}`,
    members,
    '/projects/{project}/members',
    '/projects/{project}/memberships.json',
    'memberships',
  ),
  issues('of a project', 20, '', anyStatus),
  issues('that are closed', third, '&state=closed', '&status_id=closed'),
  issues('of an assignee', third, '&assignee_id={user}', `&assigned_to_id={user}${anyStatus}`),
  issues('with a label or category', third, '&labels={label}', `&category_id={label}${anyStatus}`),
  issues('with a word in the title', 20, '&search=Issue&in=title', `&subject=~Issue${anyStatus}`),
  read(
    'search of issues, 20',
    20,
    '/projects/{project}/search?scope=issues&search=comment&per_page=20',
    '/projects/{project}/search.json?issues=1&q=comment&limit=20',
    'results',
  ),
  read('issue', 1, '/projects/{project}/issues/{issue}', '/issues/{issue}.json', 'issue'),
  read(
    `notes of an issue, ${notes}`,
    notes,
    `/projects/{project}/issues/{discussed}/notes?per_page=${notes}`,
    '/issues/{discussed}.json?include=journals',
    'issue.journals',
  ),
  read(
    `milestones or versions, ${milestones}`,
    milestones,
    '/projects/{project}/milestones',
    '/projects/{project}/versions.json',
    'versions',
  ),
  read(
    'milestone or version',
    1,
    '/projects/{project}/milestones/{milestone}',
    '/versions/{milestone}.json',
    'version',
  ),
  read(
    `labels or categories, ${labels}`,
    labels,
    '/projects/{project}/labels',
    '/projects/{project}/issue_categories.json',
    'issue_categories',
  ),
  read(
    `wiki pages without text, ${pages}`,
    pages,
    '/projects/{project}/wikis',
    '/projects/{project}/wiki/index.json',
    'wiki_pages',
  ),
  read('wiki page', 1, '/projects/{project}/wikis/Page-1', '/projects/{project}/wiki/Page-1.json', 'wiki_page'),
];

const text = 'Some words of a comment. '.repeat(10);

/** `back` is a path whose answer contains the new text afterwards. */
export const redmineWrites = [
  {
    name: 'new issue',
    ours: {
      method: 'POST',
      path: '/projects/{project}/issues',
      body: { title: '{fresh}', description: text },
      back: '/projects/{project}/issues?per_page=1',
    },
    theirs: {
      method: 'POST',
      path: '/projects/{project}/issues.json',
      body: { issue: { subject: '{fresh}', description: text } },
      back: '/projects/{project}/issues.json?limit=1',
    },
  },
  {
    name: 'new note',
    ours: {
      method: 'POST',
      path: '/projects/{project}/issues/{issue}/notes',
      body: { body: `${text}{fresh}` },
      back: '/projects/{project}/issues/{issue}/notes?per_page=1',
    },
    theirs: {
      method: 'PUT',
      path: '/issues/{issue}.json',
      body: { issue: { notes: `${text}{fresh}` } },
      back: '/issues/{issue}.json?include=journals',
    },
  },
  {
    name: 'change of the title of an issue',
    ours: {
      method: 'PUT',
      path: '/projects/{project}/issues/{issue}',
      body: { title: '{fresh}' },
      back: '/projects/{project}/issues/{issue}',
    },
    theirs: {
      method: 'PUT',
      path: '/issues/{issue}.json',
      body: { issue: { subject: '{fresh}' } },
      back: '/issues/{issue}.json',
    },
  },
  {
    name: 'new milestone or version',
    ours: {
      method: 'POST',
      path: '/projects/{project}/milestones',
      body: { title: '{fresh}' },
      back: '/projects/{project}/milestones?search={fresh}',
    },
    theirs: {
      method: 'POST',
      path: '/projects/{project}/versions.json',
      body: { version: { name: '{fresh}' } },
      back: '/projects/{project}/versions.json',
    },
  },
  {
    name: 'new label or category',
    ours: {
      method: 'POST',
      path: '/projects/{project}/labels',
      body: { name: '{fresh}', color: '#428bca' },
      back: '/projects/{project}/labels?search={fresh}',
    },
    theirs: {
      method: 'POST',
      path: '/projects/{project}/issue_categories.json',
      body: { issue_category: { name: '{fresh}' } },
      back: '/projects/{project}/issue_categories.json',
    },
  },
  {
    name: 'new wiki page',
    ours: {
      method: 'POST',
      path: '/projects/{project}/wikis',
      body: { title: '{fresh}', content: `${text}{fresh}` },
      back: '/projects/{project}/wikis/{fresh}',
    },
    theirs: {
      method: 'PUT',
      path: '/projects/{project}/wiki/{fresh}.json',
      body: { wiki_page: { text: `${text}{fresh}` } },
      back: '/projects/{project}/wiki/{fresh}.json',
    },
  },
  {
    name: 'new project',
    ours: {
      method: 'POST',
      path: '/projects',
      body: { name: '{fresh}' },
      back: '/projects?search={fresh}',
    },
    theirs: {
      method: 'POST',
      path: '/projects.json',
      body: { project: { name: '{fresh}', identifier: '{fresh}' } },
      back: '/projects/{fresh}.json',
    },
  },
];
