import { randomBytes } from 'node:crypto';
import {
  integrationSwitches,
  operations,
  PlanLimits,
  setIntegration,
  type Throttle,
  throttleNames,
} from '@moothall/contracts';
import { newSshKey } from '../identity/ssh-key';
import type { Change, Fields, Resource } from './changes';
import { image, type Shown, type World } from './world';

/** How to create a resource, and the changes that its contract does not describe. */
interface Recipe {
  make: (world: World) => Promise<Pick<Resource, 'path' | 'seen'> | string>;
  changes?: (world: World, path: string) => { [name: string]: Change };
  aside?: { [field: string]: string };
}

const change = (to: Fields, back: Fields): Change => ({ to, back });
const field = (name: string, back: unknown, to: unknown): { [name: string]: Change } => ({
  [name]: change({ [name]: to }, { [name]: back }),
});
/** Higher than any value in other tests. */
const ofPlan = (name: string): Change => {
  const plan = { plan_name: 'default' };
  return change({ ...plan, [name]: 2 ** 41 }, { ...plan, [name]: 2 ** 40 });
};
const slackTexts = ['username', 'channel', 'push_channel'];
/** Required fields are sent with each change. */
const ofSlack = (name: string, back: unknown, to: unknown): Change => {
  const webhook = 'https://8.8.8.8/hook';
  return change({ webhook, [name]: to }, { webhook, [name]: back });
};
const labelling = {
  ...field('labels', 'kept', 'kept,set'),
  add_labels: change({ add_labels: 'added' }, { remove_labels: 'added' }),
  remove_labels: change({ remove_labels: 'kept' }, { add_labels: 'kept' }),
};
const state = { state_event: change({ state_event: 'close' }, { state_event: 'reopen' }) };
/** The record has its id in its path, and can be read there. */
const at = (path: string, made: Promise<Shown>, key = 'id') => made.then((shown) => `${path}/${shown[key]}`);
const onLine = (new_line: number) => ({
  ...{ base_sha: 'a'.repeat(40), start_sha: 'a'.repeat(40), head_sha: 'b'.repeat(40) },
  ...{ position_type: 'text', new_path: 'a.txt', new_line },
});
const guarded = { minimum_access_level_for_push: 'maintainer', minimum_access_level_for_delete: 'owner' };
/** The same for records that only a list shows. */
const inList = async (path: string, made: Promise<Shown>) => ({ path: await at(path, made), seen: [path] });
const isElsewhere = 'is another name of a field that is tried';

/** Secrets are not shown, and both forms of a filter are one field. */
const hookAside = {
  token: 'is shown to nobody',
  signing_token: 'is shown to nobody',
  custom_headers: 'are shown without their values',
  url_variables: 'are shown without their values',
};

export const recipes: { [operation: string]: Recipe } = {
  'integrations.project-hooks.update': hooks(({ project }) => project),
  'integrations.group-hooks.update': hooks(({ group }) => group),
  'identity.deploy-keys.update': {
    make: ({ send, project }) =>
      at(`${project}/deploy_keys`, send('POST', `${project}/deploy_keys`, { title: 'first', key: newSshKey() })),
  },
  'identity.service-accounts.update': serviceAccounts('', () => ''),
  'identity.group-service-accounts.update': serviceAccounts('group-', ({ group }) => group),
  'identity.user-preferences.update': { make: async () => '/user/preferences' },
  'identity.user-statuses.change': {
    make: async ({ send }) => {
      await send('PUT', '/user/status', { emoji: 'tea', message: 'first', availability: 'not_set' });
      return '/user/status';
    },
    changes: () => field('emoji', 'tea', 'coffee'),
    aside: { clear_status_after: 'is counted from now on' },
  },
  'identity.users.update': {
    make: async ({ send, word }) => {
      const username = `changed-${word}`;
      const account = { username, name: 'first', email: `${username}@example.com`, password: `secret-${word}` };
      const { id } = await send('POST', '/users', { ...account, skip_confirmation: true });
      await send('POST', `/users/${id}/emails`, { email: `own-${word}@example.com`, skip_confirmation: true });
      return `/users/${id}`;
    },
    changes: ({ word }) => ({
      ...field('username', `changed-${word}`, `renamed-${word}`),
      email: change(
        { email: `new-${word}@example.com`, skip_reconfirmation: true },
        { email: `changed-${word}@example.com`, skip_reconfirmation: true },
      ),
      ...field('public_email', '', `own-${word}@example.com`),
      ...field('website_url', 'https://example.com/first', 'https://example.com/second'),
      identity: change({ provider: 'ldap', extern_uid: `b-${word}` }, { provider: 'ldap', extern_uid: `a-${word}` }),
      ...field('avatar', image(), image('second')),
    }),
    aside: { password: 'no answer shows it', group_id_for_saml: 'no answer shows it' },
  },
  'projects.appearance.update': {
    make: async () => '/application/appearance',
    changes: () => ({
      logo: change({ logo: image() }, { logo: '' }),
      header_logo: change({ header_logo: image() }, { header_logo: '' }),
      favicon: change({ favicon: image() }, { favicon: '' }),
      ...field('message_background_color', '#112233', '#445566'),
      ...field('message_font_color', '#112233', '#445566'),
    }),
  },
  'projects.application-settings.update': {
    make: async () => '/application/settings',
    changes: () => ({
      ...field('home_page_url', '', 'https://example.com/'),
      ...field('restricted_visibility_levels', [], ['internal']),
      ...field('notes_create_limit', 0, 100_000),
      ...field('search_rate_limit', 0, 100_000),
      ...Object.fromEntries(throttleNames.flatMap((name) => throttle(name))),
      ...field('default_projects_limit', 100_000, 1000),
      ...field('default_branch_name', 'main', 'trunk'),
      ...field('import_sources', ['git'], []),
    }),
  },
  'projects.plan-limits.update': {
    make: async () => '/application/plan_limits',
    changes: () => Object.fromEntries(Object.keys(PlanLimits.shape).map((name) => [name, ofPlan(name)])),
  },
  ...badges('project'),
  ...badges('group'),
  'projects.project-members.update': members(({ project }) => project),
  'projects.group-members.update': members(({ group }) => group),
  'projects.project-invitations.update': invitations(({ project }) => project),
  'projects.group-invitations.update': invitations(({ group }) => group),
  'projects.broadcast-messages.update': {
    // In the future: whether one is active depends on its times.
    make: ({ send }) => {
      const times = { starts_at: '2031-01-01T00:00:00Z', ends_at: '2041-01-01T00:00:00Z' };
      return at('/broadcast_messages', send('POST', '/broadcast_messages', { message: 'first', ...times }));
    },
    changes: () => ({
      ...field('target_access_levels', [], [30]),
      ...field('font', '#112233', '#445566'),
      ...field('color', '#112233', '#445566'),
    }),
    aside: { starts_at: 'is a time like any other', ends_at: 'is a time like any other' },
  },
  'projects.notification-settings.update': notifications(() => ''),
  'projects.project-notification-settings.update': notifications(({ project }) => project),
  'projects.group-notification-settings.update': notifications(({ group }) => group),
  'projects.topics.update': {
    make: ({ send, word }) =>
      at('/topics', send('POST', '/topics', { name: `topic-${word}`, title: 'first', description: 'first' })),
    changes: ({ word }) => ({
      ...field('name', `topic-${word}`, `renamed-${word}`),
      avatar: change({ avatar: image() }, { avatar: '' }),
    }),
  },
  'projects.groups.update': {
    make: ({ send, word }) => at('/groups', send('POST', '/groups', { name: word, path: `group-${word}` })),
    changes: ({ word }) => ({
      ...field('path', `group-${word}`, `group-renamed-${word}`),
      ...field('name', `first ${word}`, `second ${word}`),
      avatar: change({ avatar: image() }, { avatar: '' }),
    }),
    aside: { file_template_project_id: 'needs a project below', emails_enabled: isElsewhere },
  },
  'projects.projects.update': {
    make: async ({ send, word }) => {
      const given = { name: `changed-${word}`, initialize_with_readme: true };
      const { id } = await send('POST', '/projects', given);
      await send('POST', `/projects/${id}/repository/branches`, { branch: 'other', ref: 'main' });
      return `/projects/${id}`;
    },
    changes: ({ word }) => ({
      ...field('path', `changed-${word}`, `renamed-${word}`),
      ...field('name', `first ${word}`, `second ${word}`),
      ...field('default_branch', 'main', 'other'),
      ...field('topics', [], ['one']),
      avatar: change({ avatar: image() }, { avatar: '' }),
      ...Object.fromEntries(
        [
          ['cadence', '1d', '7d'],
          ['enabled', false, true],
          ['keep_n', 1, 2],
          ['older_than', '7d', '14d'],
          ['name_regex', 'a', 'b'],
          ['name_regex_keep', 'a', 'b'],
        ].map(([name, back, to]) => [
          `policy.${name}`,
          change(
            { container_expiration_policy_attributes: { [String(name)]: to } },
            { container_expiration_policy_attributes: { [String(name)]: back } },
          ),
        ]),
      ),
    }),
    aside: {
      repository_storage: 'changes when the repository has moved',
      ...Object.fromEntries(
        ['tag_list', 'public_jobs', 'emails_enabled', 'issues_enabled', 'merge_requests_enabled'].map((name) => [
          name,
          isElsewhere,
        ]),
      ),
      ...Object.fromEntries(
        ['wiki_enabled', 'jobs_enabled', 'snippets_enabled', 'container_registry_enabled'].map((name) => [
          name,
          isElsewhere,
        ]),
      ),
    },
  },
  'repository.branches.protect': {
    make: async ({ project }) => ({
      path: `${project}/repository/branches/stable/protect`,
      seen: [`${project}/repository/branches/stable`],
    }),
  },
  'integrations.external-status-checks.update': {
    make: async ({ send, project, word }) => {
      const check = { name: word, external_url: 'https://8.8.8.8/check' };
      const { id } = await send('POST', `${project}/external_status_checks`, check);
      return { path: `${project}/external_status_checks/${id}`, seen: [`${project}/external_status_checks`] };
    },
    changes: () => field('external_url', 'https://8.8.8.8/check', 'https://8.8.8.8/other'),
    aside: {
      shared_secret: 'is shown to nobody',
      protected_branch_ids: 'needs branches that are protected, by ids that the world does not know',
    },
  },
  'repository.project-push-rules.update': {
    make: async ({ send, project }) => {
      await send('POST', `${project}/push_rule`, {});
      return `${project}/push_rule`;
    },
  },
  'repository.group-push-rules.update': {
    make: async ({ send, group }) => {
      await send('POST', `${group}/push_rule`, {});
      return `${group}/push_rule`;
    },
  },
  'repository.protected-branches.update': {
    make: async ({ send, project }) => {
      await send('POST', `${project}/protected_branches`, { name: 'feature' });
      return `${project}/protected_branches/feature`;
    },
    aside: Object.fromEntries(
      ['allowed_to_push', 'allowed_to_merge', 'allowed_to_unprotect'].map((name) => [
        name,
        'adds grants under ids of their own, and takes them away by these: a list that is tried in protection.spec',
      ]),
    ),
  },
  'repository.remote-mirrors.update': {
    make: ({ send, project }) =>
      at(
        `${project}/remote_mirrors`,
        send('POST', `${project}/remote_mirrors`, { url: 'ssh://git@example.com/x.git' }),
      ),
    changes: () => field('host_keys', [], [newSshKey()]),
  },
  'delivery.releases.update': {
    make: async ({ send, project, word }) => {
      const tag_name = `v-${word}`;
      await send('POST', `${project}/milestones`, { title: `released-${word}` });
      await send('POST', `${project}/releases`, { tag_name, ref: 'main', name: 'first', description: 'first' });
      return `${project}/releases/${tag_name}`;
    },
    changes: ({ word }) => ({
      ...field('released_at', '2020-01-01T00:00:00.000Z', '2120-01-01T00:00:00.000Z'),
      ...field('milestones', [], [`released-${word}`]),
    }),
  },
  'delivery.release-links.update': {
    make: async ({ send, project, word }) => {
      const tag_name = `linked-${word}`;
      await send('POST', `${project}/releases`, { tag_name, ref: 'main' });
      const links = `${project}/releases/${tag_name}/assets/links`;
      const link = { name: 'first', url: 'https://example.com/first', direct_asset_path: '/first' };
      return at(links, send('POST', links, link));
    },
    changes: () => ({
      ...field('url', 'https://example.com/first', 'https://example.com/second'),
      ...field('direct_asset_path', '/first', '/second'),
      ...field('link_type', 'other', 'package'),
    }),
    aside: { filepath: isElsewhere },
  },
  'geo.nodes.update': {
    make: ({ send, word }) => {
      const node = { name: `node-${word}`, url: `https://node-${word}.example.com` };
      return at('/geo_nodes', send('POST', '/geo_nodes', node));
    },
    changes: ({ word }) => ({
      ...field('name', `node-${word}`, `node-${word}-2`),
      ...field('url', `https://node-${word}.example.com`, `https://node-${word}.example.org`),
      ...field('internal_url', 'https://first.invalid', 'https://second.invalid'),
      ...field('enabled', true, false),
      ...field('files_max_capacity', 1, 2),
      ...field('repos_max_capacity', 1, 2),
      ...field('verification_max_capacity', 1, 2),
      ...field('container_repositories_max_capacity', 1, 2),
      ...field('minimum_reverification_interval', 1, 2),
      ...field('sync_object_storage', false, true),
      ...field('selective_sync_type', 'namespaces', 'shards'),
      ...field('selective_sync_shards', ['first'], ['second']),
      ...field('selective_sync_namespace_ids', [1], [2]),
    }),
    aside: { primary: 'is one of all nodes' },
  },
  'integrations.project-integrations.set': {
    make: async ({ project }) => `${project}/integrations/slack`,
    changes: () => ({
      ...Object.fromEntries(integrationSwitches.map((name) => [name, ofSlack(name, true, false)])),
      ...Object.fromEntries(slackTexts.map((name) => [name, ofSlack(name, 'first', 'second')])),
    }),
    aside: {
      ...Object.fromEntries(
        Object.keys(setIntegration.input.shape).map((name) => [name, 'is of other kinds, or stored as `channel` is']),
      ),
      active: 'each change switches it on',
    },
  },
  'ci.runners.update': {
    make: ({ send, projectId }) =>
      at('/runners', send('POST', '/user/runners', { runner_type: 'project_type', project_id: projectId })),
    changes: () => ({
      ...field('maximum_timeout', 1000, 2000),
      ...field('run_untagged', true, false),
      ...field('tag_list', ['a'], ['b']),
    }),
    aside: { active: isElsewhere },
  },
  'ci.project-variables.update': variables(({ project }) => project),
  'ci.group-variables.update': variables(({ group }) => group),
  'ci.instance-variables.update': variables(() => '/admin/ci'),
  'delivery.package-protection-rules.update': {
    make: ({ send, project, word }) => {
      const rules = `${project}/packages/protection/rules`;
      const rule = { package_type: 'generic', package_name_pattern: `first-${word}`, ...guarded };
      return inList(rules, send('POST', rules, rule));
    },
    changes: ({ word }) => ({
      ...field('package_name_pattern', `first-${word}`, `second-${word}`),
      ...field('minimum_access_level_for_push', 'maintainer', 'owner'),
      ...field('minimum_access_level_for_delete', 'owner', 'admin'),
    }),
    aside: { package_type: 'is always generic' },
  },
  'registry.image-protection-rules.update': {
    make: async ({ send, project, word }) => {
      const rules = `${project}/registry/protection/repository/rules`;
      const { path_with_namespace } = await send('GET', project);
      const rule = { repository_path_pattern: `${path_with_namespace}/first-${word}`, ...guarded };
      return inList(rules, send('POST', rules, rule));
    },
    changes: () => ({
      ...field('minimum_access_level_for_push', 'maintainer', 'owner'),
      ...field('minimum_access_level_for_delete', 'owner', 'admin'),
    }),
    aside: { repository_path_pattern: 'has the path of the project in it: tried in protection.spec' },
  },
  'registry.tag-protection-rules.update': {
    make: ({ send, project, word }) => {
      const rules = `${project}/registry/protection/tag/rules`;
      return inList(rules, send('POST', rules, { tag_name_pattern: `first-${word}`, ...guarded }));
    },
    changes: ({ word }) => ({
      ...field('tag_name_pattern', `first-${word}`, `second-${word}`),
      ...field('minimum_access_level_for_push', 'maintainer', 'owner'),
      ...field('minimum_access_level_for_delete', 'owner', 'admin'),
    }),
  },
  'ci.freeze-periods.update': {
    make: ({ send, project }) => {
      const period = { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' };
      return at(`${project}/freeze_periods`, send('POST', `${project}/freeze_periods`, period));
    },
    changes: () => ({
      ...field('freeze_start', '0 23 * * 5', '0 22 * * 5'),
      ...field('freeze_end', '0 7 * * 1', '0 8 * * 1'),
      ...field('cron_timezone', 'UTC', 'Europe/Berlin'),
    }),
  },
  'ci.feature-flags.update': {
    make: async ({ send, project, word }) => {
      const flag = { name: `first-${word}`, version: 'new_version_flag', description: 'first' };
      await send('POST', `${project}/feature_flags`, flag);
      return `${project}/feature_flags/first-${word}`;
    },
    aside: {
      name: 'is what it is found by',
      strategies: 'adds some under ids of their own, and takes them away by these: tried in feature-flags.spec',
    },
  },
  'ci.feature-flag-user-lists.update': {
    make: ({ send, project, word }) => {
      const list = { name: `first ${word}`, user_xids: 'ann' };
      return at(
        `${project}/feature_flags_user_lists`,
        send('POST', `${project}/feature_flags_user_lists`, list),
        'iid',
      );
    },
    changes: ({ word }) => field('name', `first ${word}`, `second ${word}`),
  },
  'ci.environments.update': {
    make: ({ send, project, word }) =>
      at(`${project}/environments`, send('POST', `${project}/environments`, { name: word, description: 'first' })),
    changes: () => ({
      ...field('external_url', 'https://example.com/first', 'https://example.com/second'),
      ...field('tier', 'other', 'testing'),
      ...field('auto_stop_setting', 'always', 'with_action'),
    }),
  },
  'ci.protected-environments.update': {
    make: async ({ send, project, word }) => {
      const grants = { deploy_access_levels: [{ access_level: 40 }] };
      await send('POST', `${project}/protected_environments`, { name: word, ...grants });
      return `${project}/protected_environments/${word}`;
    },
    aside: {
      deploy_access_levels:
        'adds grants under ids of their own, and takes them away by these: tried in environments.spec',
      required_approval_count: 'is always 0',
    },
  },
  'ci.group-protected-environments.update': {
    make: async ({ send, group }) => {
      const grants = { deploy_access_levels: [{ access_level: 40 }] };
      await send('POST', `${group}/protected_environments`, { name: 'testing', ...grants });
      return `${group}/protected_environments/testing`;
    },
    aside: {
      deploy_access_levels: 'as with those of projects, which is tried in environments.spec',
      required_approval_count: 'is always 0',
    },
  },
  'ci.schedules.update': {
    make: ({ send, project }) =>
      at(
        `${project}/pipeline_schedules`,
        send('POST', `${project}/pipeline_schedules`, { description: 'first', ref: 'main', cron: '0 1 * * *' }),
      ),
    changes: () => ({
      ...field('ref', 'main', 'stable'),
      ...field('cron', '0 1 * * *', '0 2 * * *'),
      ...field('cron_timezone', 'UTC', 'Europe/Berlin'),
    }),
  },
  'collaboration.epics.update': {
    make: async ({ send, group }) =>
      at(`${group}/epics`, send('POST', `${group}/epics`, { title: 'first', labels: 'kept' }), 'iid'),
    changes: ({ epicId }) => ({ ...labelling, ...state, ...field('parent_id', 0, epicId) }),
    aside: { updated_at: 'every change sets it' },
  },
  'collaboration.issues.update': {
    make: ({ send, project }) =>
      at(`${project}/issues`, send('POST', `${project}/issues`, { title: 'first', labels: 'kept' }), 'iid'),
    changes: ({ userIds, milestoneId, epicId }) => ({
      ...labelling,
      ...state,
      ...field('assignee_ids', [], [userIds[0]]),
      ...field('assignee_id', 0, userIds[1]),
      ...field('milestone_id', 0, milestoneId),
      ...field('epic_id', 0, epicId),
    }),
    aside: { updated_at: 'every change sets it' },
  },
  'collaboration.merge-request-draft-notes.update': {
    make: async ({ send, project }) => {
      const branches = { source_branch: 'other', target_branch: 'main' };
      const { iid } = await send('POST', `${project}/merge_requests`, { title: 'drafted', ...branches });
      const drafts = `${project}/merge_requests/${iid}/draft_notes`;
      return at(drafts, send('POST', drafts, { note: 'first', position: onLine(1) }));
    },
    changes: () => ({ ...field('note', 'first', 'second'), ...field('position', onLine(1), onLine(2)) }),
  },
  'collaboration.merge-requests.update': {
    make: ({ send, project }) =>
      at(
        `${project}/merge_requests`,
        send('POST', `${project}/merge_requests`, {
          ...{ title: 'first', labels: 'kept', source_branch: 'feature', target_branch: 'main' },
        }),
        'iid',
      ),
    changes: ({ userIds, milestoneId }) => ({
      ...labelling,
      ...state,
      ...field('milestone_id', 0, milestoneId),
      ...field('assignee_ids', [], [userIds[0]]),
      ...field('assignee_id', 0, userIds[1]),
      ...field('reviewer_ids', [], [userIds[2]]),
      ...field('target_branch', 'main', 'other'),
    }),
    aside: { allow_maintainer_to_push: isElsewhere, allow_collaboration: 'is for forks only' },
  },
  'collaboration.approval-rules.update': approvalRules('all', async ({ project }) => project),
  'collaboration.merge-request-approval-rules.update': approvalRules('own', async ({ send, project }) => {
    const branches = { source_branch: 'stable', target_branch: 'main' };
    const { iid } = await send('POST', `${project}/merge_requests`, { title: 'ruled', ...branches });
    return `${project}/merge_requests/${iid}`;
  }),
  ...boards('project'),
  ...boards('group'),
  ...labels('project'),
  ...labels('group'),
  ...milestones('project'),
  ...milestones('group'),
  'collaboration.snippets.update': snippets(() => ''),
  'collaboration.project-snippets.update': snippets(({ project }) => project),
};

function badges(kind: 'project' | 'group'): { [operation: string]: Recipe } {
  const link_url = 'https://example.com/first';
  return {
    [`projects.${kind}-badges.update`]: {
      make: ({ send, [kind]: place }) =>
        at(`${place}/badges`, send('POST', `${place}/badges`, { link_url, image_url: link_url, name: 'first' })),
      changes: () => ({
        ...field('link_url', link_url, 'https://example.com/second'),
        ...field('image_url', link_url, 'https://example.com/second.png'),
      }),
    },
  };
}

/** @param kind part of names: a merge request starts with the rules of its project */
function approvalRules(kind: string, placeOf: (world: World) => Promise<string>): Recipe {
  const names = { first: `first of ${kind}`, second: `second of ${kind}` };
  return {
    make: async (world) => {
      const rules = `${await placeOf(world)}/approval_rules`;
      const rule = { name: names.first, approvals_required: 1, rule_type: 'regular' };
      return at(rules, world.send('POST', rules, rule));
    },
    changes: ({ userIds }) => ({
      ...field('name', names.first, names.second),
      ...field('approvals_required', 1, 2),
      ...field('user_ids', [], [userIds[0]]),
    }),
    aside: { usernames: isElsewhere, group_ids: 'show in the same list as user_ids: those who may approve' },
  };
}

function boards(kind: 'project' | 'group'): { [operation: string]: Recipe } {
  return {
    [`collaboration.${kind}-boards.update`]: {
      make: ({ send, [kind]: place }) => at(`${place}/boards`, send('POST', `${place}/boards`, { name: 'first' })),
      changes: ({ userIds, milestoneId }) => ({
        ...field('labels', [], ['set']),
        ...field('assignee_id', null, userIds[0]),
        ...(kind === 'project' && field('milestone_id', null, milestoneId)),
      }),
      aside: kind === 'group' ? { milestone_id: 'is tried for boards of projects' } : {},
    },
  };
}

function labels(kind: 'project' | 'group'): { [operation: string]: Recipe } {
  return {
    [`collaboration.${kind}-labels.update`]: {
      make: ({ send, word, [kind]: place }) =>
        at(`${place}/labels`, send('POST', `${place}/labels`, { name: `${kind}-${word}`, color: '#112233' })),
      changes: ({ word }) => ({
        ...field('color', '#112233', '#445566'),
        ...field('new_name', `${kind}-${word}`, `${kind}-renamed-${word}`),
      }),
      aside: { name: 'says which label, on the older path' },
    },
  };
}

function milestones(kind: 'project' | 'group'): { [operation: string]: Recipe } {
  return {
    [`collaboration.${kind}-milestones.update`]: {
      make: ({ send, word, [kind]: place }) =>
        at(`${place}/milestones`, send('POST', `${place}/milestones`, { title: `${kind}-${word}` })),
      changes: ({ word }) => ({
        ...field('title', `${kind}-${word}`, `${kind}-renamed-${word}`),
        ...field('start_date', '2031-01-01', '2031-01-02'),
        ...field('due_date', '2031-02-01', '2031-02-02'),
        state_event: change({ state_event: 'close' }, { state_event: 'activate' }),
      }),
    },
  };
}

function snippets(placeOf: (world: World) => string): Recipe {
  return {
    make: async (world) => {
      const given = { title: 'first', file_name: 'first', content: 'first', visibility: 'private' };
      const path = await at(`${placeOf(world)}/snippets`, world.send('POST', `${placeOf(world)}/snippets`, given));
      return { path, seen: [path, `${path}/raw`] };
    },
    aside: { files: 'is another form of file_name and content' },
  };
}

/** Never enabled with a limit that the test itself would reach. */
const throttle = (name: Throttle): [string, Change][] => {
  const of = (suffix: string) => `throttle_${name}_${suffix}`;
  const high = { [of('requests_per_period')]: 1_000_000 };
  return [
    [of('enabled'), change({ ...high, [of('enabled')]: true }, { ...high, [of('enabled')]: false })],
    [of('requests_per_period'), change({ [of('requests_per_period')]: 2_000_000 }, high)],
    [of('period_in_seconds'), change({ [of('period_in_seconds')]: 20 }, { [of('period_in_seconds')]: 10 })],
  ];
};

/** Operations that cannot be changed in two fields, or do not change fields; each with the reason. */
export const notTried: { [operation: string]: string } = {
  'identity.user-statuses.set': 'sets the whole status; what is not given is cleared',
  'projects.error-tracking.configure': 'configures everything at once',
  'delivery.generic-packages.upload': 'stores another file',
  'repository.files.update': 'makes a commit out of what is given; last_commit_id guards it',
  'repository.wikis.update': 'makes a commit, under another path with another title',
  'ci.runner-jobs.report': 'tells how a job goes on, by the one runner that has it',
  'collaboration.merge-requests.merge': 'merges, once',
  'integrations.system-hooks.update': 'is written as hooks of projects are, and shown in the list alone',
  'collaboration.epic-issues.move': 'moves an issue in a list',
  'collaboration.epic-children.move': 'moves an epic in a list',
  ...Object.fromEntries(
    ['commit', 'epic', 'issue', 'merge-request', 'snippet'].map((kind) => [
      `collaboration.${kind}-discussions.update-note`,
      'takes one of its fields at a time',
    ]),
  ),
};

function variables(placeOf: (world: World) => string): Recipe {
  const keyOf = ({ word }: World) => `KEY_${word}`;
  return {
    make: async (world) => {
      const { key } = await world.send('POST', `${placeOf(world)}/variables`, {
        ...{ key: keyOf(world), value: 'first-value' },
      });
      return `${placeOf(world)}/variables/${key}`;
    },
    changes: () => field('value', 'first-value', 'second-value'),
    aside: { filter: 'says which of several is meant' },
  };
}

function serviceAccounts(kind: string, placeOf: (world: World) => string): Recipe {
  const nameOf = (word: string) => `${kind}robot-${word}`;
  return {
    make: async (world) => {
      const place = `${placeOf(world)}/service_accounts`;
      const given = { name: 'first', username: nameOf(world.word) };
      const { id } = await world.send('POST', place, given);
      return { path: `${place}/${id}`, seen: [`/users/${id}`] };
    },
    changes: ({ word }) => ({
      ...field('name', 'first', 'second'),
      ...field('username', nameOf(word), `${nameOf(word)}-2`),
    }),
    aside: { email: 'waits until it is confirmed' },
  };
}

function invitations(placeOf: (world: World) => string): Recipe {
  return {
    make: async (world) => {
      const place = `${placeOf(world)}/invitations`;
      const email = `invited-${world.word}@example.com`;
      await world.send('POST', place, { email, access_level: 10 });
      return { path: `${place}/${encodeURIComponent(email)}`, seen: [place] };
    },
    changes: () => ({
      ...field('access_level', 10, 20),
      ...field('expires_at', '2031-01-02', '2031-02-03'),
    }),
  };
}

/** The level is required; the role stays with it. */
function members(placeOf: (world: World) => string): Recipe {
  const withLevel = (fields: Fields): Fields => ({ access_level: 30, ...fields });
  let roleId: unknown;
  return {
    make: async (world) => {
      const { send, word, group } = world;
      const username = `member-${randomBytes(4).toString('hex')}-${word}`;
      const account = { username, name: username, email: `${username}@example.com`, password: `secret-${word}` };
      const { id } = await send('POST', '/users', { ...account, skip_confirmation: true });
      const role = { name: username, base_access_level: 30, admin_web_hook: true };
      roleId = (await send('POST', `${group}/member_roles`, role)).id;
      const path = `${placeOf(world)}/members`;
      await send('POST', path, { user_id: id, access_level: 30 });
      return `${path}/${id}`;
    },
    changes: () => ({
      expires_at: change(withLevel({ expires_at: '2031-02-03' }), withLevel({ expires_at: null })),
      member_role_id: change(withLevel({ member_role_id: roleId }), withLevel({ member_role_id: null })),
    }),
  };
}

function notifications(placeOf: (world: World) => string): Recipe {
  return {
    make: async (world) => {
      const path = `${placeOf(world)}/notification_settings`;
      await world.send('PUT', path, { level: 'custom' });
      return path;
    },
    aside: { level: 'shows events at one of its values alone', notification_email: 'has to be confirmed' },
  };
}

function hooks(placeOf: (world: World) => string): Recipe {
  return {
    make: (world) =>
      at(
        `${placeOf(world)}/hooks`,
        world.send('POST', `${placeOf(world)}/hooks`, { url: 'https://receiver.invalid/first' }),
      ),
    changes: () => ({
      ...field('url', 'https://receiver.invalid/first', 'https://receiver.invalid/second'),
      ...field('push_events_branch_filter', 'first', 'second'),
      ...field('branch_filter_strategy', 'wildcard', 'regex'),
    }),
    aside: hookAside,
  };
}

export async function makeResource(name: string, world: World): Promise<Resource> {
  const { make, changes, aside = {} } = recipes[name]!;
  const made = await make(world);
  const place = typeof made === 'string' ? { path: made, seen: [made] } : made;
  const operation = operations.find((one) => one.name === name)!;
  return { operation, ...place, changes: changes?.(world, place.path) ?? {}, aside };
}
