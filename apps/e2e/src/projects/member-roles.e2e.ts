import { tmpdir } from 'node:os';
import { type Ability, abilities, abilityNames } from '@moothall/contracts';
import { containerReport } from '../security/reports';
import { ask, askJson, newUser, uniqueName } from '../server/connection';
import { gitText, remoteUrl } from '../server/git';
import { until } from '../server/until';
import { statusOf } from './status-of';

/* Member roles: the access that each ability gives to a guest of a private group, and that it ends immediately. */

type User = Awaited<ReturnType<typeof newUser>>;
/** Method, path, and an optional body. */
type Asked = [method: string, path: string, body?: object | undefined];

let owner: User;
let guest: User;
let other: User;
let group: { id: number; full_path: string };
let project: { id: number; path_with_namespace: string };
let vulnerabilityId: number;
/** A project to delete. */
let spareProjectId: number;
let spareGroupId: number;

beforeAll(async () => {
  [owner, guest, other] = await Promise.all([newUser('owner'), newUser('guest'), newUser('other')]);
  const { Groups, Projects } = owner.client;
  const name = uniqueName('team');
  group = await Groups.create(name, name, { visibility: 'private' });
  const inGroup = { namespaceId: group.id, visibility: 'private', initializeWithReadme: true } as const;
  project = await Projects.create({ name: 'work', ...inGroup });
  spareProjectId = (await Projects.create({ name: 'spare', ...inGroup })).id;
  spareGroupId = (await Groups.create('parts', 'parts', { parentId: group.id, visibility: 'private' })).id;
  await owner.client.Branches.create(project.id, 'feature', 'main');
  const added = [{ action: 'create', filePath: 'a.txt', content: 'a' }] as const;
  await owner.client.Commits.create(project.id, 'feature', 'Adds a', [...added]);
  await owner.client.MergeRequests.create(project.id, 'feature', 'main', 'Adds a');
  const report = new FormData();
  report.set('file', new Blob([JSON.stringify(containerReport)]), 'report.json');
  const { token } = owner;
  await ask(`/api/v4/projects/${project.id}/security_reports`, { token, method: 'POST', body: report });
  vulnerabilityId = await until('a vulnerability', async () => {
    const found = await ask(`/api/v4/projects/${project.id}/vulnerabilities`, { token });
    const [first] = (await found.json()) as { id: number }[];
    return first?.id;
  });
  await owner.client.GroupMembers.add(group.id, 10, { userId: guest.id });
});

const inProject = (method: string, path: string, body?: object): Asked => [
  method,
  `/projects/${project.id}${path}`,
  body,
];
const inGroup = (method: string, path: string, body?: object): Asked => [method, `/groups/${group.id}${path}`, body];

/** Requests that a guest may send with an ability, but not without. */
const opened: Record<Ability, () => Asked[]> = {
  read_code: () => [
    inProject('GET', '/repository/files/README.md?ref=main'),
    inProject('GET', '/repository/tree'),
    inProject('GET', '/languages'),
  ],
  admin_merge_request: () => [
    inProject('GET', '/merge_requests/1/changes'),
    inProject('POST', '/merge_requests/1/approve'),
    inProject('POST', '/merge_requests/1/unapprove'),
  ],
  read_vulnerability: () => [
    inProject('GET', '/vulnerabilities'),
    inGroup('GET', '/vulnerabilities'),
    ['GET', `/vulnerabilities/${vulnerabilityId}`],
  ],
  admin_vulnerability: () => [['POST', `/vulnerabilities/${vulnerabilityId}/confirm`]],
  read_runners: () => [inProject('GET', '/runners')],
  admin_runners: () => [['POST', '/user/runners', { runner_type: 'project_type', project_id: project.id }]],
  admin_cicd_variables: () => [inProject('GET', '/variables'), inGroup('POST', '/variables', { key: 'A', value: 'b' })],
  admin_protected_environments: () => [
    inProject('GET', '/protected_environments'),
    inGroup('GET', '/protected_environments'),
  ],
  admin_protected_branch: () => [
    inProject('POST', '/protected_branches', { name: 'feature' }),
    inProject('DELETE', '/protected_branches/feature'),
  ],
  manage_protected_tags: () => [inProject('POST', '/protected_tags', { name: 'v*' })],
  admin_push_rules: () => [
    inProject('POST', '/push_rule', { deny_delete_tag: true }),
    inGroup('POST', '/push_rule', { deny_delete_tag: true }),
  ],
  admin_web_hook: () => [inProject('GET', '/hooks'), inGroup('GET', '/hooks')],
  admin_integrations: () => [inProject('GET', '/integrations')],
  manage_merge_request_settings: () => [
    inProject('POST', '/approvals', { reset_approvals_on_push: true }),
    inProject('GET', '/external_status_checks'),
  ],
  manage_deploy_tokens: () => [inProject('GET', '/deploy_tokens'), inGroup('GET', '/deploy_tokens')],
  manage_project_access_tokens: () => [
    inProject('POST', '/access_tokens', { name: 'mine', scopes: ['read_api'], access_level: 10 }),
  ],
  manage_group_access_tokens: () => [
    inGroup('POST', '/access_tokens', { name: 'mine', scopes: ['read_api'], access_level: 10 }),
  ],
  admin_group_member: () => [inGroup('POST', '/members', { user_id: other.id, access_level: 10 })],
  archive_project: () => [inProject('POST', '/archive'), inProject('POST', '/unarchive')],
  remove_project: () => [['DELETE', `/projects/${spareProjectId}`]],
  remove_group: () => [['DELETE', `/groups/${spareGroupId}`]],
};

const askAll = async (asked: Asked[]): Promise<number[]> => {
  const statuses: number[] = [];
  for (const [method, path, body] of asked)
    statuses.push((await askJson(method, path, { token: guest.token, ...(body && { body }) })).status);
  return statuses;
};

async function roleWith(...held: Ability[]): Promise<number> {
  const body = {
    name: uniqueName('role'),
    base_access_level: 10,
    ...Object.fromEntries(held.map((one) => [one, true])),
  };
  const made = await askJson('POST', `/groups/${group.id}/member_roles`, { token: owner.token, body });
  expect(made).toMatchObject({ status: 201, body: { group_id: group.id } });
  return Number(made.body.id);
}

const give = (memberRoleId: number | null) =>
  owner.client.GroupMembers.edit(group.id, guest.id, 10, { memberRoleId: memberRoleId as number });

it.each(abilityNames)('%s gives its rights, and ends with its assignment', async (ability) => {
  const { needs } = abilities[ability];
  const needed = abilityNames.filter((name) => name === needs);
  const another = ability === 'archive_project' ? 'read_code' : 'archive_project';
  const without = await roleWith(...needed, another);
  const asked = opened[ability]();
  const refused = asked.map(() => 403);
  await give(without);
  expect(await askAll(asked)).toEqual(refused);
  const id = await roleWith(...needed, ability);
  expect(await give(id)).toMatchObject({ member_role: { id, [ability]: true } });
  for (const status of await askAll(asked)) expect([200, 201, 202, 204]).toContain(status);
  await give(null);
  const gone = ability === 'remove_project' || ability === 'remove_group';
  expect(await askAll(asked)).toEqual(gone ? [404] : refused);
  const { GroupMemberRoles } = owner.client;
  for (const roleId of [without, id]) await GroupMemberRoles.remove(group.id, roleId);
  const left = await GroupMemberRoles.all(group.id, {});
  expect(left.filter((role) => [without, id].includes(role.id))).toEqual([]);
});

it('git reads by read_code, and does not without', async () => {
  const id = await roleWith('read_code');
  const remote = remoteUrl(project.path_with_namespace, guest.username, guest.token);
  const refs = () => gitText(tmpdir(), ['ls-remote', remote]);
  expect(refs).toThrow(/not allowed|403/);
  await give(id);
  expect(refs()).toMatch(/refs\/heads\/main/);
  await give(null);
  expect(refs).toThrow(/not allowed|403/);
  await owner.client.GroupMemberRoles.remove(group.id, id);
});

it('lists across projects show the merge requests that admin_merge_request opens', async () => {
  const shown = async () => {
    const lists = [`/groups/${group.id}/merge_requests`, `/merge_requests?scope=all&author_id=${owner.id}`];
    const asked = lists.map((path) => askJson('GET', path, { token: guest.token }));
    return (await Promise.all(asked)).map(({ body }) =>
      (body as unknown as { project_id: number }[]).some(({ project_id }) => project_id === project.id),
    );
  };
  const id = await roleWith('read_code', 'admin_merge_request');
  expect(await shown()).toEqual([false, false]);
  await give(id);
  await until('the merge requests', async () => (await shown()).every(Boolean));
  await give(null);
  await until('no merge requests', async () => (await shown()).every((isShown) => !isShown));
  await owner.client.GroupMemberRoles.remove(group.id, id);
});

it('tokens above the own level are neither rotated nor revoked', async () => {
  const id = await roleWith('manage_project_access_tokens');
  await give(id);
  const { token } = owner;
  const body = { name: 'strong', scopes: ['api'], access_level: 40 };
  const strong = await askJson('POST', `/projects/${project.id}/access_tokens`, { token, body });
  const one = `/access_tokens/${strong.body.id}`;
  const asked = [
    inProject('GET', one),
    inProject('POST', `${one}/rotate`),
    inProject('DELETE', one),
    inProject('POST', '/access_tokens', { ...body, access_level: 20 }),
  ];
  expect(await askAll(asked)).toEqual([200, 403, 403, 403]);
  await give(null);
  await owner.client.GroupMemberRoles.remove(group.id, id);
});

it('an assigned role cannot be deleted, and unknown abilities are refused', async () => {
  const id = await roleWith('admin_web_hook');
  await give(id);
  const { GroupMemberRoles } = owner.client;
  const facts = { group_id: group.id, base_access_level: 10, admin_web_hook: true, read_code: false };
  expect(await GroupMemberRoles.all(group.id, {})).toContainEqual(expect.objectContaining({ id, ...facts }));
  expect(await statusOf(GroupMemberRoles.remove(group.id, id))).toBe(400);
  await give(null);
  await GroupMemberRoles.remove(group.id, id);
  const path = `/groups/${group.id}/member_roles`;
  const unknown = { name: 'x', base_access_level: 10, read_dependency: true };
  expect(await askJson('POST', path, { token: owner.token, body: unknown })).toEqual({
    status: 400,
    body: { error: 'read_dependency is no ability that this server knows' },
  });
  const lacking = { name: 'x', base_access_level: 10, admin_vulnerability: true };
  expect((await askJson('POST', path, { token: owner.token, body: lacking })).status).toBe(400);
});
