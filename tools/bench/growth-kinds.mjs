/**
 * Kinds of records for the growth benchmark: how the server creates the first of each kind, how copies differ from it,
 * and which lists, counts and searches are measured.
 */
import { randomBytes } from 'node:crypto';
import { api } from './stack.mjs';
import { vulnerability } from './vulnerabilities.mjs';

const words = ['engine', 'wheel', 'brake', 'lamp', 'mirror', 'pedal', 'chain', 'saddle', 'bell', 'frame'];
const ciFile = 'job:\n  script: [echo]\n';
const start = Date.UTC(2020, 0, 1);

/** A separate time for each, a second apart. */
export const dayOf = (at) => new Date(start + at * 1000);
const titled = (at) => ({ title: `The ${words[at % 10]} of number ${at}` });
const named = (at) => ({ name: `The ${words[at % 10]} of number ${at}` });

/** A new SSH public key. */
const newKey = () =>
  `ssh-ed25519 ${Buffer.concat([Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0 '), randomBytes(32)]).toString('base64')}`;
const secretOf = (at) => ({ sha256: `growth ${at}` });

/** A group with a project, and the parents of the first record of each kind. */
export async function makePlace(stack) {
  const name = `growth-${Date.now()}`;
  const group = await api(stack, 'POST', '/groups', { name, path: name });
  const project = await api(stack, 'POST', '/projects', { name, namespace_id: group.id, initialize_with_readme: true });
  const G = `/groups/${group.id}`;
  const P = `/projects/${project.id}`;
  const post = (path, body = {}) => api(stack, 'POST', path, body);
  const milestone = await post(`${P}/milestones`, { title: 'one' });
  const issue = await post(`${P}/issues`, { title: 'noted' });
  const labels = {};
  for (const label of ['all', 'tenth', 'hundredth'])
    labels[label] = (await post(`${P}/labels`, { name: label, color: '#112233' })).id;
  await post(`${P}/repository/commits`, {
    ...{ branch: 'topic', start_branch: 'main', commit_message: 'ci' },
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: ciFile }],
  });
  const hook = await post(`${P}/hooks`, { url: 'https://receiver.invalid/', push_events: false });
  const user = await newUser(stack, `${name}-reader`);
  return { stack, post, name, G, P, group, project, milestone, issue, labels, hook, user, reader: user };
}

let users = 0;
function newUser(stack, name = `growth-${Date.now()}-${users++}`) {
  const profile = { email: `${name}@example.com`, username: name, name, password: `secret-${name}` };
  return api(stack, 'POST', '/users', { ...profile, skip_confirmation: true });
}

/**
 * `make` creates one record through the server; `other` returns the different fields of the `at`-th copy of its
 * document, besides id and number; `template` is the document if there is no such request. `asks` are paths by name,
 * with a random word for `%RANDOM%`.
 */
export const kinds = [
  {
    name: 'issues',
    ...{ first: 2_000, database: 'collaboration', collection: 'issues' },
    make: ({ post, P }) => post(`${P}/issues`, { title: 'first', description: 'text', labels: 'all' }),
    // Every tenth has one label, every hundredth another; one in ten is closed, one in fifty has a milestone.
    other: (at, _, { labels, milestone }) => ({
      ...titled(at),
      description: `It concerns the ${words[Math.floor(at / 10) % 10]}, and was seen on day ${at % 365}.`,
      labelIds: [labels.all, ...(at % 10 === 0 ? [labels.tenth] : []), ...(at % 100 === 0 ? [labels.hundredth] : [])],
      state: at % 10 === 9 ? 'closed' : 'opened',
      milestoneId: at % 50 === 0 ? milestone.id : null,
      ...{ createdAt: dayOf(at), updatedAt: dayOf(at) },
    }),
    asks: ({ P, G, milestone }) => ({
      page: `${P}/issues`,
      'page 20': `${P}/issues?page=20`,
      'by the last change': `${P}/issues?order_by=updated_at&sort=asc`,
      opened: `${P}/issues?state=opened`,
      closed: `${P}/issues?state=closed`,
      'with a common label': `${P}/issues?labels=tenth`,
      'with a rare label': `${P}/issues?labels=hundredth`,
      'without a label': `${P}/issues?not[labels]=tenth`,
      'of a milestone': `${P}/issues?milestone=one`,
      'of an author': `${P}/issues?author_username=root`,
      'search, a common word': `${P}/issues?search=engine`,
      'search, one match': `${P}/issues?search=number+77.`,
      'search in opened ones': `${P}/issues?search=wheel&labels=all&state=opened`,
      'by due date': `${P}/issues?order_by=due_date`,
      'by popularity': `${P}/issues?order_by=popularity`,
      'by label priority': `${P}/issues?order_by=label_priority`,
      statistics: `${P}/issues_statistics`,
      'statistics with a search': `${P}/issues_statistics?search=engine`,
      'statistics with a search of another word': `${P}/issues_statistics?search=%RANDOM%`,
      'statistics without a label': `${P}/issues_statistics?not[labels]=tenth`,
      'statistics with a label': `${P}/issues_statistics?labels=tenth`,
      'of the group': `${G}/issues`,
      'statistics of the group': `${G}/issues_statistics`,
      'of everybody': '/issues?scope=all',
      'statistics of everybody': '/issues_statistics?scope=all',
      'labels with counts': `${P}/labels?with_counts=true`,
      'of a milestone by its id': `${P}/milestones/${milestone.id}/issues`,
      'search in the project': `${P}/search?scope=issues&search=engine`,
      'search in the group': `${G}/search?scope=issues&search=engine`,
      'search everywhere': '/search?scope=issues&search=engine',
      'the first': `${P}/issues/1`,
      'the project': P,
    }),
  },
  {
    name: 'notes of an issue',
    ...{ database: 'collaboration', collection: 'notes' },
    make: ({ post, P, issue }) => post(`${P}/issues/${issue.iid}/notes`, { body: 'text' }),
    other: (at) => ({ body: `A word of the ${words[at % 10]}`, createdAt: dayOf(at), updatedAt: dayOf(at) }),
    asks: ({ P, issue }) => ({
      page: `${P}/issues/${issue.iid}/notes`,
      'oldest first': `${P}/issues/${issue.iid}/notes?sort=asc`,
      'discussions, page': `${P}/issues/${issue.iid}/discussions`,
      participants: `${P}/issues/${issue.iid}/participants`,
      search: `${P}/search?scope=notes&search=engine`,
      'the issue': `${P}/issues/${issue.iid}`,
    }),
  },
  {
    name: 'events of an issue',
    ...{ database: 'collaboration', collection: 'label_events' },
    make: ({ stack, P, issue }) => api(stack, 'PUT', `${P}/issues/${issue.iid}`, { add_labels: 'tenth' }),
    other: (at) => ({ createdAt: dayOf(at) }),
    asks: ({ P, issue }) => ({ page: `${P}/issues/${issue.iid}/resource_label_events` }),
  },
  {
    name: 'merge requests',
    ...{ database: 'collaboration', collection: 'merge_requests' },
    make: ({ post, P }) =>
      post(`${P}/merge_requests`, { title: 'first', source_branch: 'topic', target_branch: 'main' }),
    other: (at) => ({
      ...titled(at),
      ...{ sourceBranch: `topic-${at}`, openKey: `growth ${at}`, createdAt: dayOf(at), updatedAt: dayOf(at) },
    }),
    asks: ({ P, G }) => ({
      page: `${P}/merge_requests`,
      opened: `${P}/merge_requests?state=opened`,
      'by the last change': `${P}/merge_requests?order_by=updated_at`,
      'of a source branch': `${P}/merge_requests?source_branch=topic-7`,
      'of a target branch': `${P}/merge_requests?target_branch=main`,
      search: `${P}/merge_requests?search=engine`,
      'of the group': `${G}/merge_requests`,
      'of everybody': '/merge_requests?scope=all',
      'search in the project': `${P}/search?scope=merge_requests&search=engine`,
      'the first': `${P}/merge_requests/1`,
    }),
  },
  {
    name: 'labels',
    ...{ database: 'collaboration', collection: 'labels' },
    make: ({ post, P }) => post(`${P}/labels`, { name: 'first', color: '#112233' }),
    other: (at) => titled(at),
    asks: ({ P }) => ({
      page: `${P}/labels`,
      search: `${P}/labels?search=engine`,
      'with counts': `${P}/labels?with_counts=true`,
    }),
  },
  {
    name: 'milestones',
    ...{ database: 'collaboration', collection: 'milestones' },
    make: ({ post, P }) => post(`${P}/milestones`, { title: 'first' }),
    other: (at) => titled(at),
    asks: ({ P }) => ({
      page: `${P}/milestones`,
      active: `${P}/milestones?state=active`,
      titled: `${P}/milestones?title=one`,
      search: `${P}/milestones?search=engine`,
    }),
  },
  {
    name: 'epics',
    ...{ database: 'collaboration', collection: 'epics' },
    make: ({ post, G }) => post(`${G}/epics`, { title: 'first' }),
    other: (at) => ({ ...titled(at), createdAt: dayOf(at), updatedAt: dayOf(at) }),
    asks: ({ G }) => ({ page: `${G}/epics`, search: `${G}/epics?search=engine`, opened: `${G}/epics?state=opened` }),
  },
  {
    name: 'snippets',
    ...{ database: 'collaboration', collection: 'snippets' },
    make: ({ post, P }) => post(`${P}/snippets`, { title: 's', file_name: 'a', content: 'x', visibility: 'public' }),
    other: (at) => titled(at),
    asks: ({ P }) => ({ page: `${P}/snippets`, search: '/search?scope=snippet_titles&search=engine' }),
  },
  {
    name: 'boards',
    ...{ database: 'collaboration', collection: 'boards' },
    make: ({ post, P }) => post(`${P}/boards`, { name: 'first' }),
    other: (at) => named(at),
    asks: ({ P }) => ({ page: `${P}/boards` }),
  },
  {
    name: 'activities',
    ...{ database: 'integrations', collection: 'activities' },
    make: ({ post, P }) => post(`${P}/issues`, { title: 'told' }),
    other: (at) => ({ key: `growth ${at}` }),
    asks: ({ P }) => ({
      page: `${P}/events`,
      'of issues': `${P}/events?target_type=issue`,
      'of pushes': `${P}/events?action=pushed`,
      'of a user': '/users/1/events',
      'of my own': '/events',
    }),
  },
  {
    name: 'todos',
    ...{ database: 'integrations', collection: 'todos' },
    make: ({ post, P, issue }) => post(`${P}/issues/${issue.iid}/todo`),
    other: (at) => ({ key: `growth ${at}` }),
    asks: ({ project }) => ({
      page: '/todos',
      done: '/todos?state=done',
      'of a project': `/todos?project_id=${project.id}`,
      'of a kind': '/todos?type=MergeRequest',
    }),
  },
  {
    name: 'hooks',
    ...{ database: 'integrations', collection: 'hooks' },
    make: ({ post, P }) => post(`${P}/hooks`, { url: 'https://receiver.invalid/', push_events: false }),
    other: () => ({}),
    asks: ({ P }) => ({ page: `${P}/hooks` }),
  },
  {
    name: 'users',
    ...{ database: 'identity', collection: 'users' },
    make: ({ stack }) => newUser(stack),
    other: (at) => ({
      ...{ usernameKey: `growing-${at}`, username: `growing-${at}`, name: `The ${words[at % 10]} of number ${at}` },
      ...{ emailKeys: [`growing-${at}@example.com`], email: `growing-${at}@example.com`, nameKey: `number ${at}` },
      searchKeys: [`growing-${at}`, words[at % 10]],
    }),
    asks: ({ reader }) => ({
      page: '/users',
      active: '/users?active=true',
      'by name': '/users?order_by=name&sort=asc',
      'of a name': `/users?username=${reader.username}`,
      search: '/users?search=engine',
      'search everywhere': '/search?scope=users&search=engine',
    }),
  },
  {
    // The existing users, each as a member.
    name: 'members',
    ...{ database: 'projects', collection: 'members' },
    make: ({ post, P, reader }) => post(`${P}/members`, { user_id: reader.id, access_level: 30 }),
    other: (_, id) => ({ userId: id }),
    asks: ({ P }) => ({
      page: `${P}/members`,
      all: `${P}/members/all`,
      search: `${P}/members?query=growing-7`,
      users: `${P}/users`,
      'the project': P,
    }),
  },
  {
    name: 'projects',
    ...{ database: 'projects', collection: 'projects' },
    make: ({ post, group }) => post('/projects', { name: `first-${Date.now()}`, namespace_id: group.id }),
    other: (at, _, __, { pathKey, path, ...document }) => ({
      ...{ ...named(at), path: `growing-${at}`, pathKey: pathKey.replace(/[^/]+$/, `growing-${at}`) },
      ...(document.fullPath && { fullPath: document.fullPath.replace(/[^/]+$/, `growing-${at}`) }),
    }),
    asks: ({ G }) => ({
      page: '/projects',
      simple: '/projects?simple=true',
      'by the last activity': '/projects?order_by=last_activity_at',
      search: '/projects?search=engine',
      'of the group': `${G}/projects`,
      'of a user': '/users/1/projects',
      'of a topic': '/projects?topic=none',
      'search everywhere': '/search?scope=projects&search=engine',
      'issues of the group': `${G}/issues`,
      'issues of everybody': '/issues?scope=all',
      'statistics of the group': `${G}/issues_statistics`,
      'merge requests of the group': `${G}/merge_requests`,
      'milestones of the group': `${G}/milestones`,
      'labels of the group': `${G}/labels`,
      namespaces: '/namespaces',
      'the group': G,
    }),
  },
  {
    name: 'groups',
    ...{ database: 'projects', collection: 'namespaces' },
    make: ({ post, group, name }) => post('/groups', { name: 'sub', path: `sub-${name}`, parent_id: group.id }),
    other: (at, _, __, { pathKey, fullPath }) => ({
      ...{ ...named(at), path: `growing-${at}`, pathKey: pathKey.replace(/[^/]+$/, `growing-${at}`) },
      ...(fullPath && { fullPath: fullPath.replace(/[^/]+$/, `growing-${at}`) }),
    }),
    asks: ({ G }) => ({
      page: '/groups',
      search: '/groups?search=engine',
      subgroups: `${G}/subgroups`,
      descendants: `${G}/descendant_groups`,
      namespaces: '/namespaces?search=engine',
      'projects of the group': `${G}/projects`,
      'the group': G,
    }),
  },
  {
    name: 'pipelines',
    ...{ database: 'ci', collection: 'pipelines' },
    make: ({ post, P }) => post(`${P}/pipeline`, { ref: 'topic' }),
    other: (at, id, _, { jobs = [] }) => ({
      jobs: jobs.map((job) => ({ ...job, id, tokenSha256: `growth ${at}` })),
      ...{ pendingSince: undefined, deadlineAt: undefined },
    }),
    asks: ({ P }) => ({
      page: `${P}/pipelines`,
      'of a status': `${P}/pipelines?status=success`,
      'of a branch': `${P}/pipelines?ref=topic`,
      'by the last change': `${P}/pipelines?order_by=updated_at`,
      'of a user': `${P}/pipelines?username=root`,
      jobs: `${P}/jobs`,
      'jobs of a status': `${P}/jobs?scope=pending`,
      latest: `${P}/pipelines/latest?ref=topic`,
    }),
  },
  {
    name: 'schedules',
    ...{ database: 'ci', collection: 'schedules' },
    make: ({ post, P }) => post(`${P}/pipeline_schedules`, { description: 's', ref: 'main', cron: '0 1 1 1 *' }),
    other: () => ({}),
    asks: ({ P }) => ({ page: `${P}/pipeline_schedules`, active: `${P}/pipeline_schedules?scope=active` }),
  },
  {
    name: 'environments',
    ...{ database: 'ci', collection: 'environments' },
    make: ({ post, P }) => post(`${P}/environments`, { name: 'staging' }),
    other: (at) => ({ name: `review/${words[at % 10]}-${at}`, slug: `review-${at}` }),
    asks: ({ P }) => ({
      page: `${P}/environments`,
      search: `${P}/environments?search=engine`,
      available: `${P}/environments?states=available`,
    }),
  },
  {
    name: 'deployments',
    ...{ database: 'ci', collection: 'deployments' },
    make: ({ post, P }) =>
      post(`${P}/deployments`, { environment: 'staging', sha: 'main', ref: 'main', tag: false, status: 'success' }),
    other: () => ({}),
    asks: ({ P }) => ({
      page: `${P}/deployments`,
      'of an environment': `${P}/deployments?environment=staging`,
      'of a status': `${P}/deployments?status=success`,
      'by the last change': `${P}/deployments?order_by=updated_at`,
    }),
  },
  {
    name: 'triggers',
    ...{ database: 'ci', collection: 'triggers' },
    make: ({ post, P }) => post(`${P}/triggers`, { description: 'b' }),
    other: (at) => ({ tokenSha256: `growth ${at}` }),
    asks: ({ P }) => ({ page: `${P}/triggers` }),
  },
  {
    name: 'feature flags',
    ...{ database: 'ci', collection: 'feature_flags' },
    make: ({ post, P }) =>
      post(`${P}/feature_flags`, {
        ...{ name: 'dark-mode', version: 'new_version_flag' },
        strategies: [{ name: 'default', parameters: {}, scopes: [{ environment_scope: '*' }] }],
      }),
    other: (at) => ({ name: `${words[at % 10]}-${at}` }),
    asks: ({ P }) => ({ page: `${P}/feature_flags`, enabled: `${P}/feature_flags?scope=enabled` }),
  },
  {
    name: 'releases',
    ...{ database: 'delivery', collection: 'releases' },
    make: ({ post, P }) => post(`${P}/releases`, { tag_name: 'v1', ref: 'main', description: 'first' }),
    other: (at) => ({ tagName: `v1.${at}`, releasedAt: dayOf(at), createdAt: dayOf(at) }),
    asks: ({ P, G }) => ({ page: `${P}/releases`, 'of the group': `${G}/releases` }),
  },
  {
    name: 'packages',
    ...{ database: 'delivery', collection: 'packages' },
    make: ({ stack, P }) => api(stack, 'PUT', `${P}/packages/generic/app/1.0/a.txt`, {}),
    other: (at) => ({
      slot: `growth ${at}`,
      version: `1.${at}`,
      name: `${words[at % 10]}-${at}`,
      createdAt: dayOf(at),
    }),
    asks: ({ P, G }) => ({
      page: `${P}/packages`,
      'of a name': `${P}/packages?package_name=engine`,
      'of a type': `${P}/packages?package_type=generic`,
      'of the group': `${G}/packages`,
    }),
  },
  {
    name: 'vulnerabilities',
    ...{ database: 'security', collection: 'vulnerabilities' },
    template: ({ project }) => vulnerability(project.id, 0),
    other: (at) => ({ fingerprint: `growth ${at}` }),
    asks: ({ P, G }) => ({
      page: `${P}/vulnerabilities`,
      detected: `${P}/vulnerabilities?state=detected`,
      'of a severity': `${P}/vulnerabilities?severity=high`,
      'of a scanner': `${P}/vulnerabilities?report_type=sast`,
      'of the group': `${G}/vulnerabilities`,
    }),
  },
  {
    name: 'tokens',
    ...{ database: 'identity', collection: 'access_tokens' },
    make: ({ post, reader }) =>
      post(`/users/${reader.id}/impersonation_tokens`, { name: 'growth', scopes: ['api'], expires_at: '2099-01-01' }),
    other: secretOf,
    asks: ({ reader }) => ({ page: `/users/${reader.id}/impersonation_tokens` }),
  },
  {
    name: 'deploy keys',
    ...{ database: 'identity', collection: 'ssh_keys' },
    make: ({ post, P }) => post(`${P}/deploy_keys`, { title: 'key', key: newKey() }),
    other: secretOf,
    asks: ({ P }) => ({ page: `${P}/deploy_keys`, 'of everybody': '/deploy_keys' }),
  },
  {
    name: 'deploy tokens',
    ...{ database: 'identity', collection: 'deploy_tokens' },
    make: ({ post, P }) => post(`${P}/deploy_tokens`, { name: 'token', scopes: ['read_repository'] }),
    other: secretOf,
    asks: ({ P }) => ({ page: `${P}/deploy_tokens`, 'of everybody': '/deploy_tokens' }),
  },
  {
    name: 'badges',
    ...{ database: 'projects', collection: 'badges' },
    make: ({ post, P }) => post(`${P}/badges`, { link_url: 'https://example.com', image_url: 'https://example.com/x' }),
    other: named,
    asks: ({ P }) => ({ page: `${P}/badges` }),
  },
  {
    name: 'uploads',
    ...{ database: 'projects', collection: 'uploads' },
    make: ({ stack, P }) => {
      const form = new FormData();
      form.append('file', new Blob(['x']), 'a.txt');
      return fetch(`${stack.url}/api/v4${P}/uploads`, {
        ...{ method: 'POST', headers: { 'private-token': stack.token }, body: form },
      }).then((response) => response.json());
    },
    other: (at) => ({ createdAt: dayOf(at) }),
    asks: ({ P }) => ({ page: `${P}/uploads` }),
  },
  {
    name: 'topics',
    ...{ database: 'projects', collection: 'topics' },
    make: ({ post }) => post('/topics', { name: `growth-${Date.now()}`, title: 'x' }),
    other: (at) => ({ nameKey: `${words[at % 10]}-${at}`, name: `${words[at % 10]}-${at}` }),
    asks: () => ({ page: '/topics', search: '/topics?search=engine' }),
  },
  {
    name: 'stars',
    ...{ database: 'projects', collection: 'stars' },
    make: ({ post, P }) => post(`${P}/star`),
    other: (at, id) => ({ userId: id, createdAt: dayOf(at) }),
    asks: ({ P }) => ({ page: `${P}/starrers` }),
  },
  {
    name: 'protected branches',
    ...{ database: 'repository', collection: 'protected_refs' },
    make: ({ post, P }) => post(`${P}/protected_branches`, { name: 'stable' }),
    other: (at) => ({ name: `${words[at % 10]}-${at}` }),
    asks: ({ P }) => ({
      page: `${P}/protected_branches`,
      search: `${P}/protected_branches?search=engine`,
      branches: `${P}/repository/branches`,
    }),
  },
];
