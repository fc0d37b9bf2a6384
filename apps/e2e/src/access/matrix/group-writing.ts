import { onlyRefused, patch, post, put, type Rule, remove, upload } from './access-case';

/** Operations of reporters and developers in a group. */
export const groupWriting: Rule[] = [
  {
    rule: 'Reporters of a group write labels, boards and epics',
    of: 'group',
    sources: ['docs/api/labels.md#1', 'docs/api/boards.md#1', 'docs/api/epics.md#2'],
    table: `
                anonymous external outsider foreign guest reporter developer maintainer owner administrator
      public    401       403      403      403     403   ok       ok        ok         ok    ok
      internal  401       404      403      403     403   ok       ok        ok         ok    ok
      private   401       404      404      404     403   ok       ok        ok         ok    ok
      shared    401       404      404      404     403   ok       ok        ok         ok    ok
      subgroup  401       404      404      404     403   ok       ok        ok         ok    ok
      within    401       404      404      404     403   403      403       403        403   ok
      deleted   401       404      404      404     404   404      404       404        404   404
      missing   401       404      404      404     404   404      404       404        404   404`,
    operations: [
      post('/groups/:id/labels', { name: ':new', color: '#112233' }),
      put('/groups/:id/labels/:label', { description: 'x' }),
      remove('/groups/:id/labels/:none'),
      post('/groups/:id/boards', { name: ':new' }),
      put('/groups/:id/boards/:none', { name: 'x' }, 404),
      remove('/groups/:id/boards/:none'),
      post('/groups/:id/boards/:none/lists', { label_id: ':label' }, 404),
      put('/groups/:id/boards/:none/lists/:none', { position: 0 }, 404),
      remove('/groups/:id/boards/:none/lists/:none'),
      post('/groups/:id/epics', { title: 'x' }),
      put('/groups/:id/epics/:epic', { description: 'x' }),
      post('/groups/:id/epics/:epic/issues/:none'),
      post('/groups/:id/epics/:epic/related_epics', { target_group_id: '0', target_epic_iid: 1 }, 404),
      remove('/groups/:id/epics/:epic/related_epics/:none'),
      put('/groups/:id/epics/:epic/issues/:none', { move_before_id: 1 }),
      post('/groups/:id/epics/:epic/epics', { title: 'x' }),
      post('/groups/:id/epics/:epic/epics/:none'),
      put('/groups/:id/epics/:epic/epics/:none', { move_before_id: 1 }),
      remove('/groups/:id/epics/:epic/epics/:none'),
      remove('/groups/:id/epics/:epic/issues/:none'),
    ],
  },
  {
    rule: 'Developers of a group write milestones, and see vulnerabilities of its projects',
    of: 'group',
    sources: ['docs/api/milestones.md#1', 'docs/api/vulnerabilities.md#1', 'docs/api/vulnerabilities.md#6'],
    table: `
                anonymous external outsider foreign guest reporter developer maintainer owner administrator
      public    401       403      403      403     403   403      ok        ok         ok    ok
      internal  401       404      403      403     403   403      ok        ok         ok    ok
      private   401       404      404      404     403   403      ok        ok         ok    ok
      shared    401       404      404      404     403   403      ok        ok         ok    ok
      subgroup  401       404      404      404     403   403      ok        ok         ok    ok
      within    401       404      404      404     403   403      403       403        403   ok
      deleted   401       404      404      404     404   404      404       404        404   404
      missing   401       404      404      404     404   404      404       404        404   404`,
    operations: [
      post('/groups/:id/milestones', { title: ':new' }),
      put('/groups/:id/milestones/:milestone', { description: 'x' }),
      remove('/groups/:id/milestones/:none'),
      'GET /groups/:id/vulnerabilities',
      // Limit of ten concurrent exports per user.
      post('/security/groups/:id/vulnerability_exports', {}, 429),
    ],
  },
  {
    rule: 'Maintainers of a group create deploy tokens, and protect environments',
    of: 'group',
    sources: ['docs/api/tokens.md#5', 'docs/api/deployments.md#7'],
    table: `
                anonymous external outsider foreign guest reporter developer maintainer owner administrator
      public    401       403      403      403     403   403      403       ok         ok    ok
      internal  401       404      403      403     403   403      403       ok         ok    ok
      private   401       404      404      404     403   403      403       ok         ok    ok
      shared    401       404      404      404     403   403      403       403        403   ok
      subgroup  401       404      404      404     403   403      403       ok         ok    ok
      within    401       404      404      404     403   403      403       403        403   ok
      deleted   401       404      404      404     404   404      404       404        404   404
      missing   401       404      404      404     404   404      404       404        404   404`,
    operations: [
      'GET /groups/:id/deploy_tokens',
      'GET /groups/:id/deploy_tokens/:token',
      post('/groups/:id/deploy_tokens', { name: 'x', scopes: ['read_repository'] }),
      remove('/groups/:id/deploy_tokens/:none'),
      'GET /groups/:id/protected_environments',
      { ask: 'GET /groups/:id/protected_environments/testing', passes: [404] },
      // 409: already protected by an earlier caller.
      post('/groups/:id/protected_environments', { name: 'other', deploy_access_levels: [{ access_level: 40 }] }, 409),
      put('/groups/:id/protected_environments/testing', { required_approval_count: 0 }, 404),
      remove('/groups/:id/protected_environments/testing', undefined, 404),
    ],
  },
  {
    rule: 'Owners see and change the settings of a group, and delete it',
    of: 'group',
    sources: [
      'docs/api/access.md#1',
      'docs/api/groups.md#1',
      'docs/api/members.md#1',
      'docs/api/members.md#2',
      'docs/api/members.md#4',
      'docs/api/members.md#6',
      'docs/api/members.md#7',
      'docs/api/hooks.md#3',
      'docs/api/pipelines.md#10',
      'docs/api/tokens.md#4',
      'docs/api/tokens.md#7',
    ],
    table: `
                anonymous external outsider foreign guest reporter developer maintainer owner administrator
      public    401       403      403      403     403   403      403       403        ok    ok
      internal  401       404      403      403     403   403      403       403        ok    ok
      private   401       404      404      404     403   403      403       403        ok    ok
      shared    401       404      404      404     403   403      403       403        403   ok
      subgroup  401       404      404      404     403   403      403       403        ok    ok
      within    401       404      404      404     403   403      403       403        403   ok
      deleted   401       404      404      404     404   404      404       404        404   404
      missing   401       404      404      404     404   404      404       404        404   404`,
    operations: [
      put('/groups/:id', { description: 'x' }),
      { ask: 'GET /groups/:id/push_rule', passes: [404] },
      post('/groups/:id/push_rule', { commit_message_regex: '(' }, 400),
      put('/groups/:id/push_rule', { commit_message_regex: '(' }, 400),
      remove('/groups/:id/push_rule', undefined, 404),
      onlyRefused('DELETE /groups/:id'),
      onlyRefused('POST /groups/:id/transfer', { group_id: 1 }),
      'GET /groups/:id/transfer_locations',
      // 400: not an image.
      upload('PUT /groups/:id/avatar', 'a.png', {}, 400),
      post('/groups/:id/projects/:none'),
      post('/groups/:id/members', { user_id: ':none', access_level: 10 }, 404),
      put('/groups/:id/members/:none', { access_level: 10 }),
      // 400: for a subgroup.
      { ask: 'GET /groups/:id/billable_members', passes: [400] },
      { ask: 'GET /groups/:id/billable_members/:none/memberships', passes: [400] },
      { ask: 'GET /groups/:id/billable_members/:none/indirect', passes: [400] },
      remove('/groups/:id/billable_members/:none', undefined, 400),
      'GET /groups/:id/member_roles',
      // 400: without abilities.
      post('/groups/:id/member_roles', { name: 'x', base_access_level: 10 }, 400),
      remove('/groups/:id/member_roles/:none'),
      'GET /groups/:id/access_requests',
      put('/groups/:id/access_requests/:none/approve'),
      // 409: it was shared before.
      post('/groups/:id/share', { group_id: ':other', group_access: 10 }, 409),
      remove('/groups/:id/share/:none'),
      post('/groups/:id/badges', { link_url: 'https://example.com', image_url: 'https://example.com/x.png' }),
      put('/groups/:id/badges/:none', { name: 'x' }),
      remove('/groups/:id/badges/:none'),
      'GET /groups/:id/badges/render?link_url=https://example.com&image_url=https://example.com/x.png',
      'GET /groups/:id/hooks',
      'GET /groups/:id/hooks/:hook',
      'GET /groups/:id/hooks/:hook/events',
      post('/groups/:id/hooks', { url: 'https://receiver.invalid/', push_events: false }),
      put('/groups/:id/hooks/:hook', { push_events: false }),
      remove('/groups/:id/hooks/:none'),
      post('/groups/:id/hooks/:none/test/push_events'),
      post('/groups/:id/hooks/:hook/events/:none/resend'),
      'GET /groups/:id/invitations',
      post('/groups/:id/invitations', { email: ':new@example.com', access_level: 10 }),
      put('/groups/:id/invitations/:none', { access_level: 10 }),
      remove('/groups/:id/invitations/:none'),
      'GET /groups/:id/access_tokens',
      'GET /groups/:id/access_tokens/:access_token',
      post('/groups/:id/access_tokens', { name: 'x', scopes: ['read_api'], access_level: 10 }),
      post('/groups/:id/access_tokens/:none/rotate'),
      remove('/groups/:id/access_tokens/:none'),
      'GET /groups/:id/service_accounts',
      post('/groups/:id/service_accounts'),
      patch('/groups/:id/service_accounts/:account', { name: 'x' }),
      remove('/groups/:id/service_accounts/:none'),
      'GET /groups/:id/service_accounts/:account/personal_access_tokens',
      post('/groups/:id/service_accounts/:account/personal_access_tokens', { name: 'x', scopes: ['read_api'] }),
      post('/groups/:id/service_accounts/:account/personal_access_tokens/:none/rotate'),
      remove('/groups/:id/service_accounts/:account/personal_access_tokens/:none'),
      'GET /groups/:id/variables',
      'GET /groups/:id/variables/KEPT',
      post('/groups/:id/variables', { key: ':new', value: 'x' }),
      put('/groups/:id/variables/KEPT', { value: 'x' }),
      remove('/groups/:id/variables/:none'),
      onlyRefused('POST /groups/:id/export'),
      'GET /groups/:id/export',
      // 404: no export exists.
      { ask: 'GET /groups/:id/export/download', passes: [404] },
      remove('/groups/:id/epics/:none'),
    ],
  },
  {
    rule: 'Non-members request access; members and requesters may leave, owners remove them',
    of: 'group',
    sources: ['docs/api/members.md#2', 'docs/api/access.md#2'],
    table: `
                anonymous external outsider foreign guest reporter developer maintainer owner administrator
      public    401       ok       ok       ok      ok    ok       ok        ok         ok    ok
      internal  401       404      ok       ok      ok    ok       ok        ok         ok    ok
      private   401       404      404      404     ok    ok       ok        ok         ok    ok
      subgroup  401       404      404      404     ok    ok       ok        ok         ok    ok
      deleted   401       404      404      404     404   404      404       404        404   404
      missing   401       404      404      404     404   404      404       404        404   404`,
    // 400: a member, or a caller with an open request.
    operations: [post('/groups/:id/access_requests', {}, 400)],
  },
  {
    rule: 'Only owners remove other members',
    of: 'group',
    sources: ['docs/api/members.md#2', 'docs/api/access.md#2'],
    table: `
                anonymous external outsider foreign guest reporter developer maintainer owner administrator
      public    401       403      403      403     403   403      403       403        ok    ok
      internal  401       404      403      403     403   403      403       403        ok    ok
      private   401       404      404      404     403   403      403       403        ok    ok
      shared    401       404      404      404     403   403      403       403        403   ok
      subgroup  401       404      404      404     403   403      403       403        ok    ok
      within    401       404      404      404     403   403      403       403        403   ok
      deleted   401       404      404      404     404   404      404       404        404   404
      missing   401       404      404      404     404   404      404       404        404   404`,
    operations: [onlyRefused('DELETE /groups/:id/members/:member'), remove('/groups/:id/access_requests/:none')],
  },
  {
    rule: 'Members of a group see its activity',
    of: 'group',
    sources: ['docs/api/groups.md#4'],
    table: `
                anonymous external outsider foreign guest reporter developer maintainer owner administrator
      public    401       403      403      403     ok    ok       ok        ok         ok    ok
      internal  401       404      403      403     ok    ok       ok        ok         ok    ok
      private   401       404      404      404     ok    ok       ok        ok         ok    ok
      shared    401       404      404      404     ok    ok       ok        ok         ok    ok
      subgroup  401       404      404      404     ok    ok       ok        ok         ok    ok
      within    401       404      404      404     403   403      403       403        403   ok
      deleted   401       404      404      404     404   404      404       404        404   404
      missing   401       404      404      404     404   404      404       404        404   404`,
    operations: [
      'GET /analytics/group_activity/issues_count?group_path=:path',
      'GET /analytics/group_activity/merge_requests_count?group_path=:path',
      'GET /analytics/group_activity/new_members_count?group_path=:path',
    ],
  },
];
