import { type AccessCase, onlyRefused, patch, post, put, remove } from '../access/matrix/access-case';

export interface FurtherCase extends AccessCase {
  /** The role that sends it, if it is another than that of the matrix. */
  as?: string;
}

const get = (ask: string): FurtherCase => ({ ask: `GET ${ask}` });
const license = { plan: 'premium', licensee: { Name: 'x' }, starts_at: '2020-01-01' };
const role = { name: ':new', base_access_level: 10, read_vulnerability: true };
const errorTracking = { active: true, project_name: 'x', api_url: 'https://example.com/api', integrated: false };

/**
 * Requests that succeed, of operations whose requests in the access matrix do not. Names of records are those of the
 * matrix, and the segment of a collection, as `:topics`, for the record that was created in it last.
 */
export const furtherCases: FurtherCase[] = [
  post('/deploy_keys', { title: 'x', key: ':ssh_key' }),
  post('/projects/:id/deploy_keys', { title: 'x', key: ':ssh_key' }),
  post('/user/keys', { title: 'x', key: ':ssh_key' }),
  post('/users/:user/keys', { title: 'x', key: ':ssh_key' }),
  post('/user/gpg_keys', { key: ':openpgp_key' }),
  post('/users/:user/gpg_keys', { key: ':openpgp_key' }),
  get('/keys/:keys'),
  { ...remove('/user/emails/:none'), as: 'outsider' },
  { ...remove('/user/keys/:none'), as: 'outsider' },
  { ...remove('/user/gpg_keys/:none'), as: 'outsider' },
  { ...post('/users/:user/follow'), as: 'outsider' },
  { ...post('/users/:user/unfollow'), as: 'outsider' },
  post('/user/personal_access_tokens', { name: 'x', scopes: ['k8s_proxy'] }),
  remove('/users/:user?hard_delete=true'),
  post('/license', { license: Buffer.from(JSON.stringify(license)).toString('base64') }),
  post('/member_roles', role),
  post('/groups/:id/member_roles', role),
  post('/projects/:id/fork', { name: ':new', path: ':new' }),
  post('/projects/:id/fork/:other_project'),
  post('/projects/:id/merge_requests', { title: 'x', source_branch: 'ci', target_branch: 'main' }),
  post('/projects/:id/merge_requests/:mr/approve'),
  onlyRefused('PUT /projects/:id/merge_requests/:mr/merge', {}),
  post('/projects/:id/merge_requests/:mr/context_commits', { commits: [':sha'] }),
  remove('/projects/:id/merge_requests/:mr/context_commits', { commits: [':sha'] }),
  post('/projects/:id/releases', { tag_name: ':new', ref: 'main', description: 'x' }),
  post('/projects/:id/repository/tags/:none/release', { description: 'x' }),
  post('/projects/:id/repository/changelog', { version: '0.0.1', branch: 'feature', from: ':sha' }),
  remove('/projects/:id/repository/files/README.md', { branch: 'feature', commit_message: 'x' }),
  post('/projects/:id/pipeline', { ref: 'ci' }),
  post('/projects/:id/pipelines/:pipeline/cancel'),
  post('/projects/:id/pipelines/:pipeline/retry'),
  post('/projects/:id/jobs/:job/cancel'),
  post('/projects/:id/jobs/:job/retry'),
  { ...post('/projects/:id/jobs/:job/erase'), as: 'maintainer' },
  post('/projects/:id/members', { user_id: ':outsider', access_level: 10 }),
  post('/groups/:id/members', { user_id: ':outsider', access_level: 10 }),
  get('/projects/:id/members/:member'),
  get('/projects/:id/members/all/:member'),
  get('/groups/:id/members/:member'),
  get('/groups/:id/members/all/:member'),
  put('/projects/:id/members/:member', { access_level: 20 }),
  put('/groups/:id/members/:member', { access_level: 20 }),
  get('/groups/:id/billable_members/:member/memberships'),
  get('/groups/:id/billable_members/:member/indirect'),
  post('/projects/:id/share', { group_id: ':other_group', group_access: 10 }),
  remove('/projects/:id/share/:other_group'),
  remove('/groups/:id/share/:other'),
  { ...post('/projects/:id/access_requests'), as: 'external' },
  { ...post('/groups/:id/access_requests'), as: 'external' },
  post('/projects/:id/import_project_members/:other_project'),
  post('/projects/:id/job_token_scope/allowlist', { target_project_id: ':other_project' }),
  remove('/projects/:id/job_token_scope/allowlist/:other_project'),
  post('/projects/:id/job_token_scope/groups_allowlist', { target_group_id: ':other_group' }),
  remove('/projects/:id/job_token_scope/groups_allowlist/:other_group'),
  patch('/projects/:id/job_token_scope', { enabled: true }),
  post('/projects/:id/push_rule', { max_file_size: 100 }),
  put('/projects/:id/push_rule', { max_file_size: 200 }),
  post('/groups/:id/push_rule', { max_file_size: 100 }),
  put('/groups/:id/push_rule', { max_file_size: 200 }),
  put('/projects/:id/error_tracking/settings', errorTracking),
  post('/projects/:id/issues/:none/links', { target_project_id: ':id', target_issue_iid: ':issue' }),
  remove('/projects/:id/issues/:none/links/:none'),
  post('/groups/:id/epics/:epic/related_epics', { target_group_id: ':id', target_epic_iid: ':epics' }),
  get('/groups/:id/protected_environments/other'),
  put('/groups/:id/protected_environments/other', { required_approval_count: 0 }),
  remove('/groups/:id/protected_environments/other'),
  get('/projects/:id/protected_branches/main'),
  patch('/projects/:id/protected_branches/main', { allow_force_push: true }),
  remove('/projects/:id/protected_branches/main'),
  post('/projects/:id/registry/protection/tag/rules', {
    ...{ tag_name_pattern: '^:new', minimum_access_level_for_push: 'admin', minimum_access_level_for_delete: 'admin' },
  }),
  remove('/projects/:id/custom_attributes/kept'),
  remove('/groups/:id/custom_attributes/kept'),
  put('/projects/:id/transfer', { namespace: ':other_group' }),
  onlyRefused('POST /groups/:id/transfer', { group_id: ':internal_group' }),
];
