/*
 * Who may what, written by hand from the rules of the interface (docs/api) and from nothing in the code: what is wrong
 * there does not become right here. access-matrix.e2e.ts asks every operation in every role of
 * projects in every state. A new operation gets its place in a rule; `notYet` names those that have none, and only shrinks.
 *
 * Each rule is a table of roles and states. `ok` is past every question of who may, whatever is wrong otherwise; 404 is what
 * a project that never was would answer, to the letter. A state without a line is one that the rules leave open.
 *
 * public, internal, private: projects of a group, with the roles as direct members, `owner` as owner of the group.
 * archived: a public one. shared: a private project elsewhere, shared at developer with a group in which the roles are.
 * forked: a private fork of the public one, in the namespace of `developer`. deleted: a public one. missing: never there.
 */

/** `outsider` is signed in and a member of nothing, `external` the same as an external user. */
export const roles = [
  'anonymous',
  'external',
  'outsider',
  'guest',
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'administrator',
] as const;

export const states = ['public', 'internal', 'private', 'archived', 'shared', 'forked', 'deleted', 'missing'] as const;

/**
 * Method and path, with names of records that the test has made (`:none` is one that nobody has) or, as `{…}`, a body. A
 * success is 2xx, or 404 of `:none`; other answers from which follows that the caller was let through stand in `passes`.
 * What would change the project for all that follows is asked of those alone who may not (`refusedOnly`).
 */
export interface Asked {
  ask: string;
  body?: object;
  passes?: number[];
  refusedOnly?: true;
}

export interface Rule {
  rule: string;
  /** Where it is said. */
  sources: string[];
  table: string;
  operations: (string | Asked)[];
}

const post = (path: string, body: object = {}, ...passes: number[]): Asked => ({ ask: `POST ${path}`, body, passes });
const put = (path: string, body: object = {}, ...passes: number[]): Asked => ({ ask: `PUT ${path}`, body, passes });
const patch = (path: string, body: object = {}, ...passes: number[]): Asked => ({ ask: `PATCH ${path}`, body, passes });
const remove = (path: string, body?: object, ...passes: number[]): Asked => ({
  ask: `DELETE ${path}`,
  ...(body && { body }),
  passes,
});
const onlyRefused = (ask: string, body?: object): Asked => ({ ask, ...(body && { body }), refusedOnly: true });

export const rules: Rule[] = [
  {
    rule: 'Whoever reads a project reads what is in it',
    sources: [
      'docs/api/access.md#2',
      'docs/api/access.md#3',
      'docs/api/access.md#4',
      'docs/api/pipelines.md#2',
      'docs/api/releases.md#1',
      'docs/api/milestones.md#1',
    ],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    ok        ok       ok       ok    ok       ok        ok         ok    ok
      internal  404       404      ok       ok    ok       ok        ok         ok    ok
      private   404       404      404      ok    ok       ok        ok         ok    ok
      archived  ok        ok       ok       ok    ok       ok        ok         ok    ok
      shared    404       404      404      ok    ok       ok        ok         ok    ok
      forked    404       404      404      404   404      ok        404        404   ok
      deleted   404       404      404      404   404      404       404        404   404
      missing   404       404      404      404   404      404       404        404   404`,
    operations: [
      'GET /projects/:id',
      'GET /projects/:id/forks',
      'GET /projects/:id/starrers',
      'GET /projects/:id/groups',
      'GET /projects/:id/invited_groups',
      'GET /projects/:id/badges',
      'GET /projects/:id/badges/:badge',
      'GET /projects/:id/issues',
      'GET /projects/:id/issues/:issue',
      'GET /projects/:id/issues/:issue/time_stats',
      'GET /projects/:id/issues/:issue/participants',
      'GET /projects/:id/issues/:issue/links',
      'GET /projects/:id/issues/:issue/closed_by',
      'GET /projects/:id/issues/:issue/related_merge_requests',
      'GET /projects/:id/labels',
      'GET /projects/:id/labels/:label',
      'GET /projects/:id/milestones',
      'GET /projects/:id/milestones/:milestone',
      'GET /projects/:id/milestones/:milestone/issues',
      'GET /projects/:id/milestones/:milestone/burndown_events',
      'GET /projects/:id/snippets',
      'GET /projects/:id/snippets/:snippet',
      'GET /projects/:id/snippets/:snippet/raw',
      'GET /projects/:id/wikis',
      'GET /projects/:id/wikis/:wiki',
      'GET /projects/:id/pipelines',
      'GET /projects/:id/pipelines/:pipeline',
      'GET /projects/:id/pipelines/:pipeline/jobs',
      'GET /projects/:id/pipelines/:pipeline/bridges',
      'GET /projects/:id/pipelines/:pipeline/test_report',
      'GET /projects/:id/pipelines/latest?ref=ci',
      'GET /projects/:id/jobs',
      'GET /projects/:id/jobs/:job',
      'GET /projects/:id/jobs/:job/trace',
      'GET /projects/:id/repository/commits/:sha/statuses',
      'GET /projects/:id/pipeline_schedules',
      'GET /projects/:id/pipeline_schedules/:schedule',
      'GET /projects/:id/pipeline_schedules/:schedule/pipelines',
      'GET /projects/:id/releases',
      'GET /projects/:id/templates/licenses',
      'GET /projects/:id/templates/licenses/mit',
    ],
  },
  {
    rule: 'The same, for whoever is signed in',
    sources: ['docs/api/access.md#2', 'docs/api/notes.md#1', 'docs/api/members.md#1'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       ok       ok       ok    ok       ok        ok         ok    ok
      internal  401       404      ok       ok    ok       ok        ok         ok    ok
      private   401       404      404      ok    ok       ok        ok         ok    ok
      archived  401       ok       ok       ok    ok       ok        ok         ok    ok
      shared    401       404      404      ok    ok       ok        ok         ok    ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      'GET /projects/:id/issues_statistics',
      'GET /projects/:id/issues/:issue/notes',
      'GET /projects/:id/issues/:issue/notes/:note',
      'GET /projects/:id/issues/:issue/discussions',
      'GET /projects/:id/issues/:issue/award_emoji',
      'GET /projects/:id/issues/:issue/notes/:note/award_emoji',
      'GET /projects/:id/issues/:issue/resource_label_events',
      'GET /projects/:id/issues/:issue/resource_label_events/:none',
      'GET /projects/:id/snippets/:snippet/notes',
      'GET /projects/:id/snippets/:snippet/notes/:none',
      'GET /projects/:id/snippets/:snippet/discussions',
      'GET /projects/:id/snippets/:snippet/award_emoji',
      'GET /projects/:id/members',
      'GET /projects/:id/members/all',
      'GET /projects/:id/members/:none',
      'GET /projects/:id/members/all/:none',
      'GET /projects/:id/users',
      post('/projects/:id/issues/:issue/subscribe', {}, 304),
      post('/projects/:id/issues/:issue/unsubscribe', {}, 304),
      post('/projects/:id/issues/:issue/todo', {}, 304),
      post('/projects/:id/star', {}, 304),
      post('/projects/:id/unstar', {}, 304),
    ],
  },
  {
    rule: 'Code and merge requests of a private project are not for guests',
    sources: ['docs/api/access.md#5', 'docs/api/packages.md#1', 'docs/api/registry.md#2', 'docs/api/releases.md#1'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    ok        ok       ok       ok    ok       ok        ok         ok    ok
      internal  404       404      ok       ok    ok       ok        ok         ok    ok
      private   404       404      404      403   ok       ok        ok         ok    ok
      archived  ok        ok       ok       ok    ok       ok        ok         ok    ok
      shared    404       404      404      403   ok       ok        ok         ok    ok
      forked    404       404      404      404   404      ok        404        404   ok
      deleted   404       404      404      404   404      404       404        404   404
      missing   404       404      404      404   404      404       404        404   404`,
    operations: [
      'GET /projects/:id/languages',
      'GET /projects/:id/repository/tree',
      'GET /projects/:id/repository/blobs/:blob',
      'GET /projects/:id/repository/blobs/:blob/raw',
      'GET /projects/:id/repository/archive',
      'GET /projects/:id/repository/compare?from=main&to=feature',
      'GET /projects/:id/repository/contributors',
      'GET /projects/:id/repository/merge_base?refs[]=main&refs[]=feature',
      'GET /projects/:id/repository/branches',
      'GET /projects/:id/repository/branches/main',
      'GET /projects/:id/repository/tags',
      'GET /projects/:id/repository/tags/v1',
      'GET /projects/:id/repository/commits',
      'GET /projects/:id/repository/commits/:sha',
      'GET /projects/:id/repository/commits/:sha/diff',
      'GET /projects/:id/repository/commits/:sha/refs',
      'GET /projects/:id/repository/commits/:sha/merge_requests',
      'GET /projects/:id/repository/files/README.md?ref=main',
      'GET /projects/:id/repository/files/README.md/raw?ref=main',
      'GET /projects/:id/repository/files/README.md/blame?ref=main',
      'GET /projects/:id/merge_requests',
      'GET /projects/:id/merge_requests/:mr',
      'GET /projects/:id/merge_requests/:mr/commits',
      'GET /projects/:id/merge_requests/:mr/changes',
      'GET /projects/:id/merge_requests/:mr/pipelines',
      'GET /projects/:id/merge_requests/:mr/participants',
      'GET /projects/:id/merge_requests/:mr/closes_issues',
      'GET /projects/:id/merge_requests/:mr/versions',
      'GET /projects/:id/merge_requests/:mr/time_stats',
      'GET /projects/:id/merge_requests/:mr/approvals',
      'GET /projects/:id/milestones/:milestone/merge_requests',
      'GET /projects/:id/packages',
      'GET /projects/:id/packages/:package',
      'GET /projects/:id/packages/:package/package_files',
      'GET /projects/:id/packages/generic/app/1.0/file.txt',
      'GET /projects/:id/releases/v1',
      // Without a registry 503.
      { ask: 'GET /projects/:id/registry/repositories', passes: [503] },
      { ask: 'GET /projects/:id/registry/repositories/:none/tags', passes: [503] },
      { ask: 'GET /projects/:id/registry/repositories/:none/tags/latest', passes: [503] },
    ],
  },
  {
    rule: 'The same, for whoever is signed in',
    sources: ['docs/api/access.md#5', 'docs/api/notes.md#1'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       ok       ok       ok    ok       ok        ok         ok    ok
      internal  401       404      ok       ok    ok       ok        ok         ok    ok
      private   401       404      404      403   ok       ok        ok         ok    ok
      archived  401       ok       ok       ok    ok       ok        ok         ok    ok
      shared    401       404      404      403   ok       ok        ok         ok    ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      'GET /projects/:id/merge_requests/:mr/notes',
      'GET /projects/:id/merge_requests/:mr/notes/:none',
      'GET /projects/:id/merge_requests/:mr/discussions',
      'GET /projects/:id/merge_requests/:mr/award_emoji',
      'GET /projects/:id/merge_requests/:mr/resource_label_events',
      'GET /projects/:id/merge_requests/:mr/resource_label_events/:none',
      post('/projects/:id/merge_requests/:mr/subscribe', {}, 304),
      post('/projects/:id/merge_requests/:mr/unsubscribe', {}, 304),
      post('/projects/:id/merge_requests/:mr/todo', {}, 304),
    ],
  },
  {
    rule: 'Whoever is signed in and reads a project opens issues and writes notes, but not where it is archived',
    sources: ['docs/api/issues.md#1', 'docs/api/notes.md#1', 'docs/api/access.md#6'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       ok       ok       ok    ok       ok        ok         ok    ok
      internal  401       404      ok       ok    ok       ok        ok         ok    ok
      private   401       404      404      ok    ok       ok        ok         ok    ok
      archived  401       403      403      403   403      403       403        403   403
      shared    401       404      404      ok    ok       ok        ok         ok    ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      post('/projects/:id/issues', { title: 'x' }),
      post('/projects/:id/issues/:issue/notes', { body: 'x' }),
      post('/projects/:id/issues/:issue/discussions', { body: 'x' }),
      post('/projects/:id/snippets/:snippet/notes', { body: 'x' }),
      post('/projects/:id/snippets/:snippet/discussions', { body: 'x' }),
    ],
  },
  {
    rule: 'The same of merge requests, which guests of a private project do not read',
    sources: ['docs/api/access.md#5', 'docs/api/notes.md#1', 'docs/api/access.md#6'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       ok       ok       ok    ok       ok        ok         ok    ok
      internal  401       404      ok       ok    ok       ok        ok         ok    ok
      private   401       404      404      403   ok       ok        ok         ok    ok
      archived  401       403      403      403   403      403       403        403   403
      shared    401       404      404      403   ok       ok        ok         ok    ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      post('/projects/:id/merge_requests/:mr/notes', { body: 'x' }),
      post('/projects/:id/merge_requests/:mr/discussions', { body: 'x' }),
    ],
  },
  {
    rule: 'Reporters change issues of others, and make snippets',
    sources: ['docs/api/issues.md#1', 'docs/api/snippets.md#1', 'docs/api/access.md#6'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   ok       ok        ok         ok    ok
      internal  401       404      403      403   ok       ok        ok         ok    ok
      private   401       404      404      403   ok       ok        ok         ok    ok
      archived  401       403      403      403   403      403       403        403   403
      shared    401       404      404      403   ok       ok        ok         ok    ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      put('/projects/:id/issues/:issue', { description: 'x' }),
      post('/projects/:id/issues/:issue/time_estimate', { duration: '1h' }),
      post('/projects/:id/issues/:issue/reset_time_estimate'),
      post('/projects/:id/issues/:issue/add_spent_time', { duration: '1h' }),
      post('/projects/:id/issues/:issue/reset_spent_time'),
      post('/projects/:id/issues/:issue/links', { target_project_id: ':id', target_issue_iid: ':none' }, 404),
      post('/projects/:id/snippets', { title: 'x', file_name: 'x', content: 'x', visibility: 'private' }),
    ],
  },
  {
    rule: 'Reporters write labels',
    sources: ['docs/api/labels.md#1'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   ok       ok        ok         ok    ok
      internal  401       404      403      403   ok       ok        ok         ok    ok
      private   401       404      404      403   ok       ok        ok         ok    ok
      shared    401       404      404      403   ok       ok        ok         ok    ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      post('/projects/:id/labels', { name: ':new', color: '#112233' }),
      put('/projects/:id/labels/:label', { description: 'x' }),
      remove('/projects/:id/labels/:none'),
    ],
  },
  {
    rule: 'Developers change code and what goes with it, but not where the project is archived',
    sources: [
      'docs/api/access.md#6',
      'docs/api/repository.md#1',
      'docs/api/wikis.md#1',
      'docs/api/milestones.md#1',
      'docs/api/merge-requests.md#1',
      'docs/api/packages.md#1',
      'docs/api/releases.md#1',
    ],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   403      ok        ok         ok    ok
      internal  401       404      403      403   403      ok        ok         ok    ok
      private   401       404      404      403   403      ok        ok         ok    ok
      archived  401       403      403      403   403      403       403        403   403
      shared    401       404      404      403   403      ok        ok         ok    ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      post('/projects/:id/repository/branches', { branch: ':new', ref: 'main' }),
      remove('/projects/:id/repository/branches/:none'),
      post('/projects/:id/repository/tags', { tag_name: ':new', ref: 'main' }),
      remove('/projects/:id/repository/tags/:none'),
      post('/projects/:id/repository/commits', {
        branch: 'feature',
        commit_message: 'x',
        actions: [{ action: 'create', file_path: ':new', content: 'x' }],
      }),
      post('/projects/:id/repository/commits/:none/cherry_pick', { branch: 'feature' }),
      post('/projects/:id/repository/commits/:none/revert', { branch: 'feature' }),
      post('/projects/:id/repository/files/:new', { branch: 'feature', commit_message: 'x', content: 'x' }),
      put('/projects/:id/repository/files/README.md', { branch: 'feature', commit_message: 'x', content: ':new' }),
      remove('/projects/:id/repository/files/:none', { branch: 'feature', commit_message: 'x' }, 400),
      post('/projects/:id/wikis', { title: ':new', content: 'x' }),
      put('/projects/:id/wikis/:wiki', { content: ':new' }),
      post('/projects/:id/milestones', { title: ':new' }),
      put('/projects/:id/milestones/:milestone', { description: 'x' }),
      remove('/projects/:id/milestones/:none'),
      post('/projects/:id/merge_requests', { title: 'x', source_branch: 'feature', target_branch: 'main' }, 409),
      put('/projects/:id/merge_requests/:mr', { description: 'x' }),
      post('/projects/:id/releases', { tag_name: 'v1', description: 'x' }, 409),
      put('/projects/:id/releases/:none', { description: 'x' }),
      remove('/projects/:id/releases/:none'),
      put('/projects/:id/packages/generic/app/1.0/:new', {}),
    ],
  },
  {
    rule: 'Developers run pipelines, delete tags of images, and see which branches are protected',
    sources: [
      'docs/api/pipelines.md#3',
      'docs/api/pipelines.md#4',
      'docs/api/pipelines.md#13',
      'docs/api/registry.md#2',
      'docs/api/repository.md#10',
    ],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   403      ok        ok         ok    ok
      internal  401       404      403      403   403      ok        ok         ok    ok
      private   401       404      404      403   403      ok        ok         ok    ok
      shared    401       404      404      403   403      ok        ok         ok    ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      post('/projects/:id/pipeline', { ref: 'none-such' }, 400),
      post('/projects/:id/pipelines/:none/retry'),
      post('/projects/:id/pipelines/:none/cancel'),
      post('/projects/:id/jobs/:none/cancel'),
      post('/projects/:id/jobs/:none/retry'),
      post('/projects/:id/jobs/:none/erase'),
      post('/projects/:id/jobs/:none/play'),
      post('/projects/:id/statuses/:sha', { state: 'success', name: ':new' }),
      post('/projects/:id/pipeline_schedules', { description: 'x', ref: 'feature', cron: '0 1 * * *' }),
      put('/projects/:id/pipeline_schedules/:none', { description: 'x' }),
      remove('/projects/:id/pipeline_schedules/:none'),
      post('/projects/:id/pipeline_schedules/:none/take_ownership'),
      post('/projects/:id/pipeline_schedules/:none/play'),
      'GET /projects/:id/ci/lint',
      'GET /projects/:id/protected_branches',
      'GET /projects/:id/protected_branches/:none',
      post('/projects/:id/ci/lint', { content: 'x' }),
      remove('/projects/:id/registry/repositories/:none/tags/latest', undefined, 503),
    ],
  },
  {
    rule: 'Maintainers see and change how a project is set up',
    sources: [
      'docs/api/members.md#2',
      'docs/api/hooks.md#3',
      'docs/api/keys.md#2',
      'docs/api/mirrors.md#1',
      'docs/api/projects.md#4',
      'docs/api/projects.md#5',
      'docs/api/repository.md#10',
      'docs/api/pipelines.md#10',
      'docs/api/pipelines.md#11',
      'docs/api/registry.md#2',
    ],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   403      403       ok         ok    ok
      internal  401       404      403      403   403      403       ok         ok    ok
      private   401       404      404      403   403      403       ok         ok    ok
      archived  401       403      403      403   403      403       ok         ok    ok
      shared    401       404      404      403   403      403       403        403   ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      put('/projects/:id', { description: 'x' }),
      onlyRefused('POST /projects/:id/housekeeping'),
      post('/projects/:id/members', { user_id: ':none', access_level: 10 }, 404),
      put('/projects/:id/members/:none', { access_level: 10 }),
      onlyRefused('POST /projects/:id/import_project_members/:none'),
      'GET /projects/:id/access_requests',
      put('/projects/:id/access_requests/:none/approve'),
      post('/projects/:id/share', { group_id: ':none', group_access: 30 }, 404),
      remove('/projects/:id/share/:none'),
      'GET /projects/:id/share_locations',
      post('/projects/:id/badges', { link_url: 'https://example.com', image_url: 'https://example.com/x.png' }),
      put('/projects/:id/badges/:none', { name: 'x' }),
      remove('/projects/:id/badges/:none'),
      'GET /projects/:id/badges/render?link_url=https://example.com&image_url=https://example.com/x.png',
      'GET /projects/:id/hooks',
      'GET /projects/:id/hooks/:hook',
      'GET /projects/:id/hooks/:hook/events',
      post('/projects/:id/hooks', { url: 'https://receiver.invalid/', push_events: false }),
      put('/projects/:id/hooks/:hook', { push_events: false }),
      remove('/projects/:id/hooks/:none'),
      post('/projects/:id/hooks/:none/test/push_events'),
      'GET /projects/:id/services',
      'GET /projects/:id/services/external-wiki',
      put('/projects/:id/services/external-wiki', { external_wiki_url: 'https://example.com' }),
      remove('/projects/:id/services/external-wiki'),
      'GET /projects/:id/deploy_keys',
      'GET /projects/:id/deploy_keys/:deploy_key',
      post('/projects/:id/deploy_keys', { title: 'x', key: 'none' }, 400),
      put('/projects/:id/deploy_keys/:none', { title: 'x' }),
      remove('/projects/:id/deploy_keys/:none'),
      post('/projects/:id/deploy_keys/:none/enable'),
      'GET /projects/:id/deploy_tokens',
      'GET /projects/:id/deploy_tokens/:none',
      post('/projects/:id/deploy_tokens', { name: 'x', scopes: ['read_repository'] }),
      remove('/projects/:id/deploy_tokens/:none'),
      'GET /projects/:id/access_tokens',
      'GET /projects/:id/access_tokens/:none',
      remove('/projects/:id/access_tokens/:none'),
      'GET /projects/:id/variables',
      'GET /projects/:id/variables/KEPT',
      // Of a pipeline that another one made.
      'GET /projects/:id/pipelines/:pipeline/variables',
      'GET /projects/:id/triggers',
      'GET /projects/:id/triggers/:none',
      'GET /projects/:id/remote_mirrors',
      'GET /projects/:id/remote_mirrors/:none',
      post('/projects/:id/remote_mirrors', { url: 'https://example.com/x.git' }),
      put('/projects/:id/remote_mirrors/:none', { enabled: false }),
      remove('/projects/:id/remote_mirrors/:none'),
      post('/projects/:id/remote_mirrors/:none/sync'),
      post('/projects/:id/protected_branches', { name: ':new' }),
      patch('/projects/:id/protected_branches/:none', { allow_force_push: true }),
      remove('/projects/:id/protected_branches/:none'),
      put('/projects/:id/repository/branches/:none/protect'),
      put('/projects/:id/repository/branches/:none/unprotect'),
      'GET /projects/:id/protected_tags',
      'GET /projects/:id/protected_tags/:none',
      post('/projects/:id/protected_tags', { name: ':new' }),
      remove('/projects/:id/protected_tags/:none'),
      { ask: 'GET /projects/:id/error_tracking/settings', passes: [404] },
      patch('/projects/:id/error_tracking/settings', { active: true }, 404),
      remove('/projects/:id/registry/repositories/:none', undefined, 503),
      remove('/projects/:id/registry/repositories/:none/tags', { name_regex_delete: 'x' }, 503),
    ],
  },
  {
    rule: 'Maintainers change what others wrote, and what an archived project keeps as it is',
    sources: [
      'docs/api/access.md#6',
      'docs/api/notes.md#1',
      'docs/api/snippets.md#1',
      'docs/api/pipelines.md#10',
      'docs/api/pipelines.md#11',
      'docs/api/packages.md#1',
    ],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   403      403       ok         ok    ok
      internal  401       404      403      403   403      403       ok         ok    ok
      private   401       404      404      403   403      403       ok         ok    ok
      archived  401       403      403      403   403      403       403        403   403
      shared    401       404      404      403   403      403       403        403   ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      put('/projects/:id/issues/:issue/notes/:note', { body: 'x' }),
      put('/projects/:id/snippets/:snippet', { title: 'x' }),
      remove('/projects/:id/wikis/:none'),
      post('/projects/:id/variables', { key: ':new', value: 'x' }),
      put('/projects/:id/variables/KEPT', { value: 'x' }),
      remove('/projects/:id/variables/:none'),
      post('/projects/:id/triggers', { description: 'x' }),
      put('/projects/:id/triggers/:none', { description: 'x' }),
      remove('/projects/:id/triggers/:none'),
      remove('/projects/:id/packages/:none'),
      remove('/projects/:id/packages/:package/package_files/:none'),
    ],
  },
  {
    rule: 'Owners end things',
    sources: ['docs/api/access.md#1'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   403      403       403        ok    ok
      internal  401       404      403      403   403      403       403        ok    ok
      private   401       404      404      403   403      403       403        ok    ok
      shared    401       404      404      403   403      403       403        403   ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      onlyRefused('DELETE /projects/:id'),
      onlyRefused('POST /projects/:id/archive'),
      onlyRefused('POST /projects/:id/unarchive'),
      onlyRefused('PUT /projects/:id/transfer', { namespace: 'none-such' }),
      onlyRefused('DELETE /projects/:id/fork'),
      'GET /projects/:id/transfer_locations',
      remove('/projects/:id/issues/:none'),
      remove('/projects/:id/merge_requests/:none'),
      remove('/projects/:id/pipelines/:none'),
    ],
  },
  {
    rule: 'Administrators alone, who are told from others before anything is looked up',
    sources: ['docs/api/requests.md#4'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   403      403       403        403   ok
      internal  401       403      403      403   403      403       403        403   ok
      private   401       403      403      403   403      403       403        403   ok
      archived  401       403      403      403   403      403       403        403   ok
      shared    401       403      403      403   403      403       403        403   ok
      forked    401       403      403      403   403      403       403        403   ok`,
    operations: [
      'GET /projects/:id/repository_storage_moves',
      'GET /projects/:id/repository_storage_moves/:none',
      'GET /projects/:id/storage',
      'GET /geo/events',
      'GET /geo/projects',
    ],
  },
  {
    rule: 'Administrators alone, of what the caller reads',
    sources: ['docs/api/requests.md#4', 'docs/api/access.md#2'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   403      403       403        403   ok
      internal  401       404      403      403   403      403       403        403   ok
      private   401       404      404      403   403      403       403        403   ok
      archived  401       403      403      403   403      403       403        403   ok
      shared    401       404      404      403   403      403       403        403   ok
      forked    401       404      404      404   404      403       404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      'GET /projects/:id/issues/:issue/user_agent_detail',
      'GET /projects/:id/snippets/:snippet/user_agent_detail',
    ],
  },
];
