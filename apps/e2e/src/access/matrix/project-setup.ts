import { onlyRefused, patch, post, put, type Rule, remove } from './asked';

/** What maintainers and owners do in a project. */
export const projectSetup: Rule[] = [
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
      'docs/api/deployments.md#5',
      'docs/api/deployments.md#6',
      'docs/api/registry.md#2',
      'docs/api/members.md#1',
      'docs/api/tokens.md#4',
      'docs/api/artifacts.md#4',
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
      'GET /projects/:id/protected_environments',
      'GET /projects/:id/protected_environments/:none',
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
      onlyRefused('DELETE /projects/:id/members/:member'),
      remove('/projects/:id/access_requests/:none'),
      post('/projects/:id/access_tokens', { name: 'x', scopes: ['read_api'], expires_at: '2099-01-01' }),
      post('/projects/:id/access_tokens/:none/rotate'),
      put('/projects/:id/error_tracking/settings', {}, 400),
      post('/projects/:id/hooks/:hook/events/:none/resend'),
      'GET /projects/:id/remote_mirrors/:none/public_key',
      'GET /projects/:id/runners',
      post('/projects/:id/runners/reset_registration_token'),
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
      'docs/api/notes.md#9',
      'docs/api/merge-requests.md#8',
      'docs/api/merge-requests.md#9',
      'docs/api/merge-requests.md#10',
      'docs/api/artifacts.md#4',
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
      post('/projects/:id/freeze_periods', { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' }),
      put('/projects/:id/freeze_periods/:none', { freeze_end: '0 8 * * 1' }),
      remove('/projects/:id/freeze_periods/:none'),
      post('/projects/:id/protected_environments', { name: ':new', deploy_access_levels: [{ access_level: 40 }] }),
      put('/projects/:id/protected_environments/:none', { required_approval_count: 0 }),
      remove('/projects/:id/protected_environments/:none'),
      remove('/projects/:id/deployments/:none'),
      post('/projects/:id/environments/stop_stale', { before: '2020-01-01' }),
      remove('/projects/:id/environments/review_apps'),
      put('/projects/:id/triggers/:none', { description: 'x' }),
      remove('/projects/:id/triggers/:none'),
      remove('/projects/:id/packages/:none'),
      remove('/projects/:id/jobs/:none/artifacts'),
      remove('/projects/:id/artifacts'),
      post('/projects/:id/approvals', { approvals_before_merge: 0 }),
      post('/projects/:id/approval_rules', { name: ':new', approvals_required: 0, rule_type: 'regular' }, 400),
      put('/projects/:id/approval_rules/:none', { name: 'x' }),
      remove('/projects/:id/approval_rules/:none'),
      remove('/projects/:id/packages/:package/package_files/:none'),
      onlyRefused('DELETE /projects/:id/issues/:issue/notes/:issue_note'),
      onlyRefused('DELETE /projects/:id/issues/:issue/discussions/:issue_thread/notes/:issue_thread_note'),
      put('/projects/:id/issues/:issue/discussions/:issue_thread/notes/:issue_thread_note', { body: 'x' }),
      onlyRefused('DELETE /projects/:id/merge_requests/:mr/notes/:mr_note'),
      onlyRefused('DELETE /projects/:id/repository/commits/:sha/discussions/:commit_thread/notes/:commit_thread_note'),
      put('/projects/:id/repository/commits/:sha/discussions/:commit_thread/notes/:commit_thread_note', { body: 'x' }),
      onlyRefused('DELETE /projects/:id/merge_requests/:mr/discussions/:mr_thread/notes/:mr_thread_note'),
      put('/projects/:id/merge_requests/:mr/discussions/:mr_thread/notes/:mr_thread_note', { body: 'x' }),
      onlyRefused('DELETE /projects/:id/snippets/:snippet/notes/:snippet_note'),
      onlyRefused('DELETE /projects/:id/snippets/:snippet/discussions/:snippet_thread/notes/:snippet_thread_note'),
      put('/projects/:id/snippets/:snippet/discussions/:snippet_thread/notes/:snippet_thread_note', { body: 'x' }),
      put('/projects/:id/merge_requests/:mr/notes/:mr_note', { body: 'x' }),
      put('/projects/:id/snippets/:snippet/notes/:snippet_note', { body: 'x' }),
      onlyRefused('DELETE /projects/:id/snippets/:snippet'),
      onlyRefused('PUT /projects/:id/merge_requests/:mr/reset_approvals'),
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
];
