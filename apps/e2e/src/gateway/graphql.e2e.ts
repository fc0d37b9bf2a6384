import { ask, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* GraphQL of the whole server: its fields read the answers of all services. See docs/api/graphql.md#2. */

const Everything = `
  fragment U on UserCore { id username name state avatarUrl webUrl webPath }
  fragment M on MergeRequest {
    id iid title description createdAt updatedAt closedAt mergedAt webUrl webPath reference(full: true) discussionLocked upvotes downvotes
    userNotesCount author { ...U } assignees { nodes { ...U } } reviewers { count } labels { nodes { title color description textColor } }
    milestone { id iid title description state dueDate startDate } state draft sourceBranch targetBranch sourceProjectId targetProjectId
    mergeUser { ...U } diffHeadSha mergeCommitSha conflicts squash mergeStatusEnum detailedMergeStatus
  }
  fragment I on Issue {
    id iid title description createdAt updatedAt closedAt webUrl webPath reference discussionLocked upvotes downvotes userNotesCount
    author { ...U } assignees { count } labels { nodes { title } } milestone { title } state confidential dueDate weight projectId
  }`;

const one = `query ($path: ID!, $iid: String!) {
    project(fullPath: $path) {
      id name nameWithNamespace path fullPath description visibility archived createdAt lastActivityAt avatarUrl webUrl httpUrlToRepo
      sshUrlToRepo starCount forksCount openIssuesCount topics issuesEnabled mergeRequestsEnabled wikiEnabled snippetsEnabled jobsEnabled
      namespace { id name path fullPath } repository { rootRef empty exists }
      group { id name path fullName fullPath description visibility avatarUrl webUrl createdAt }
      mergeRequest(iid: $iid) { ...M } issue(iid: $iid) { ...I } none: issue(iid: "99") { id }
    }
  } ${Everything}`;

async function setUp() {
  const user = await newUser();
  const { client } = user;
  const path = uniqueName('graphql');
  const group = await client.Groups.create(path, path);
  const project = await client.Projects.create({ name: 'Engine', namespaceId: group.id, initializeWithReadme: true });
  const milestone = await client.ProjectMilestones.create(project.id, 'First');
  await client.ProjectLabels.create(project.id, 'bug', '#ff0000');
  await client.Issues.create(project.id, 'It breaks', {
    labels: 'bug',
    milestoneId: milestone.id,
    assigneeIds: [user.id],
  });
  await client.Commits.create(project.id, 'topic', 'More', [{ action: 'create', filePath: 'a', content: 'a' }], {
    startBranch: 'main',
  });
  await client.MergeRequests.create(project.id, 'topic', 'main', 'Topic', { labels: 'bug', reviewerIds: [user.id] });
  return { user, client, group, project };
}

async function query(text: string, variables: object, token?: string) {
  const body = JSON.stringify({ query: text, variables });
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json' }, token };
  // biome-ignore lint/suspicious/noExplicitAny: data has the form of the question
  return (await ask('/api/graphql', init)).json() as Promise<any>;
}

it('answers each field that command line tools query, like the REST interface', async () => {
  const { user, client, group, project } = await setUp();
  const path = `${group.full_path}/engine`;
  // A project counts its issues a moment after they are created.
  const counted = async () => (await client.Projects.show(project.id)).open_issues_count === 1;
  await until('the count of issues', counted);
  const { data, errors } = await query(one, { path, iid: '1' }, user.token);
  expect(errors).toBeUndefined();
  expect(data.project).toMatchObject({
    id: `gid://gitlab/Project/${project.id}`,
    fullPath: path,
    visibility: 'private',
    openIssuesCount: 1,
    issuesEnabled: true,
    httpUrlToRepo: project.http_url_to_repo,
    repository: { rootRef: 'main', empty: false, exists: true },
    namespace: { id: `gid://gitlab/Group/${group.id}`, fullPath: group.full_path },
    group: { id: `gid://gitlab/Group/${group.id}`, fullName: group.full_name, webUrl: group.web_url },
    issue: {
      ...{ iid: '1', title: 'It breaks', state: 'opened', reference: '#1', author: { username: user.username } },
      ...{
        assignees: { count: 1 },
        labels: { nodes: [{ title: 'bug' }] },
        milestone: { title: 'First' },
        confidential: false,
      },
    },
    none: null,
  });
  const shown = await client.MergeRequests.show(project.id, 1);
  expect(data.project.mergeRequest).toMatchObject({
    ...{ id: `gid://gitlab/MergeRequest/${shown.id}`, reference: `${path}!1`, diffHeadSha: shown.sha, state: 'opened' },
    ...{
      webUrl: shown.web_url,
      webPath: new URL(shown.web_url).pathname,
      sourceBranch: 'topic',
      reviewers: { count: 1 },
    },
    labels: { nodes: [{ title: 'bug', color: '#ff0000', textColor: expect.any(String) }] },
  });
});

it('returns nothing more than the REST interface does', async () => {
  const { user, group } = await setUp();
  const other = await newUser();
  const variables = { path: `${group.full_path}/engine`, iid: '1' };
  for (const token of [other.token, undefined]) {
    expect(await query(one, variables, token)).toEqual({ data: { project: null } });
    const text = 'query ($p: ID!) { group(fullPath: $p) { id } projects { nodes { fullPath } } }';
    const { data } = await query(text, { p: group.full_path }, token);
    expect(data.group).toBeNull();
    expect(JSON.stringify(data)).not.toContain(group.full_path);
  }
  const { client } = user;
  const readers = await client.GroupMembers.add(group.id, 10, { userId: other.id });
  expect(readers.access_level).toBe(10);
  // Guests see issues and not merge requests of private projects.
  const { data } = await query(one, variables, other.token);
  expect(data.project).toMatchObject({ issue: { iid: '1' }, mergeRequest: null });
});

it('lists and filters projects, merge requests, issues, users and groups', async () => {
  const { user, client, group } = await setUp();
  for (const name of ['b', 'c']) await client.Projects.create({ name, namespaceId: group.id });
  const text = `query ($group: ID!, $name: String!, $after: String) {
    currentUser { username publicEmail createdAt bot }
    metadata { version revision enterprise kas { enabled } }
    projects(membership: true, first: 2, sort: "name_asc", after: $after) { count nodes { name } pageInfo { endCursor hasNextPage } }
    user(username: $name) { id }
    users(usernames: [$name]) { nodes { username } }
    group(fullPath: $group) {
      projects(search: "engine") { nodes { name } }
      mergeRequests(state: opened, sourceBranches: ["topic"], labels: ["bug"], reviewerUsername: $name) { nodes { title } }
      issues(iids: ["1"], state: opened, labelName: ["bug"], assigneeUsernames: [$name]) { nodes { title } }
      none: issues(state: closed) { count }
      descendantGroups { count }
    }
  }`;
  const variables = { group: group.full_path, name: user.username };
  const { data, errors } = await query(text, variables, user.token);
  expect(errors).toBeUndefined();
  expect(data).toMatchObject({
    currentUser: { username: user.username, bot: false },
    metadata: { version: expect.stringMatching(/^\d+\.\d+\.\d+/), kas: { enabled: false } },
    projects: { count: 3, nodes: [{ name: 'Engine' }, { name: 'b' }], pageInfo: { hasNextPage: true } },
    user: { id: `gid://gitlab/User/${user.id}` },
    users: { nodes: [{ username: user.username }] },
    group: {
      projects: { nodes: [{ name: 'Engine' }] },
      mergeRequests: { nodes: [{ title: 'Topic' }] },
      issues: { nodes: [{ title: 'It breaks' }] },
      none: { count: 0 },
      descendantGroups: { count: 0 },
    },
  });
  const rest = await query(text, { ...variables, after: data.projects.pageInfo.endCursor }, user.token);
  expect(rest.data.projects).toMatchObject({ nodes: [{ name: 'c' }], pageInfo: { hasNextPage: false } });
});
