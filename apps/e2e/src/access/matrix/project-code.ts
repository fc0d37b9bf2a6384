import { post, put, type Rule, remove, upload } from './access-case';

/** Operations of developers in a project. */
export const projectCode: Rule[] = [
  {
    rule: 'Developers change code and related records, except in archived projects',
    sources: [
      'docs/api/access.md#6',
      'docs/api/repository.md#1',
      'docs/api/wikis.md#1',
      'docs/api/milestones.md#1',
      'docs/api/merge-requests.md#1',
      'docs/api/packages.md#1',
      'docs/api/releases.md#1',
      'docs/api/deployments.md#2',
      'docs/api/deployments.md#3',
      'docs/api/notes.md#9',
      'docs/api/merge-requests.md#9',
      'docs/api/releases.md#3',
      'docs/api/releases.md#4',
      'docs/api/vulnerabilities.md#1',
      'docs/api/feature-flags.md#1',
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
      // 422: there is no previous release.
      post('/projects/:id/repository/changelog', { version: '0.0.1', branch: 'feature' }, 422),
      post('/projects/:id/repository/commits/:none/revert', { branch: 'feature' }),
      post('/projects/:id/repository/files/:new', { branch: 'feature', commit_message: 'x', content: 'x' }),
      put('/projects/:id/repository/files/README.md', { branch: 'feature', commit_message: 'x', content: ':new' }),
      remove('/projects/:id/repository/files/:none', { branch: 'feature', commit_message: 'x' }, 400),
      // 400: not a submodule.
      put('/projects/:id/repository/submodules/:none', { branch: 'feature', commit_sha: 'a'.repeat(40) }, 400),
      post('/projects/:id/merge_requests/:mr/context_commits', { commits: ['a'.repeat(40)] }, 400),
      remove('/projects/:id/merge_requests/:mr/context_commits', { commits: ['a'.repeat(40)] }, 400),
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
      put('/projects/:id/resource_groups/:none', { process_mode: 'oldest_first' }),
      post('/projects/:id/feature_flags', { name: ':new', version: 'new_version_flag' }),
      put('/projects/:id/feature_flags/:none', { active: false }),
      remove('/projects/:id/feature_flags/:none'),
      post('/projects/:id/feature_flags_user_lists', { name: ':new', user_xids: 'ann' }),
      put('/projects/:id/feature_flags_user_lists/:none', { name: 'x' }),
      remove('/projects/:id/feature_flags_user_lists/:none'),
      post('/projects/:id/environments', { name: ':new' }),
      put('/projects/:id/environments/:none', { description: 'x' }),
      post('/projects/:id/environments/:none/stop'),
      remove('/projects/:id/environments/:none'),
      post('/projects/:id/deployments', { environment: 'x', sha: 'main', ref: 'main', tag: false, status: 'success' }),
      put('/projects/:id/deployments/:none', { status: 'success' }),
      remove('/projects/:id/repository/merged_branches'),
      upload('POST /projects/:id/wikis/attachments', 'a.txt'),
      put('/projects/:id/merge_requests/:mr/discussions/:mr_thread', { resolved: true }),
      post('/projects/:id/merge_requests/:mr/approval_rules', { name: ':new', approvals_required: 0 }, 400),
      put('/projects/:id/merge_requests/:mr/approval_rules/:none', { name: 'x' }),
      remove('/projects/:id/merge_requests/:mr/approval_rules/:none'),
      post('/projects/:id/releases/v1/evidence'),
      post('/projects/:id/repository/tags/v1/release', { description: 'x' }, 409),
      put('/projects/:id/repository/tags/v1/release', { description: 'x' }),
      post('/projects/:id/releases/v1/assets/links', { name: ':new', url: 'https://example.com/:new' }),
      put('/projects/:id/releases/v1/assets/links/:none', { name: 'x' }),
      remove('/projects/:id/releases/v1/assets/links/:none'),
      // 400: not a report.
      upload('POST /projects/:id/security_reports', 'report.json', {}, 400),
    ],
  },
  {
    rule: 'Developers run pipelines, delete tags of images, and see which branches are protected',
    sources: [
      'docs/api/pipelines.md#3',
      'docs/api/pipelines.md#4',
      'docs/api/pipelines.md#12',
      'docs/api/deployments.md#2',
      'docs/api/feature-flags.md#1',
      'docs/api/registry.md#2',
      'docs/api/repository.md#10',
      'docs/api/projects.md#10',
      'docs/api/artifacts.md#4',
      'docs/api/pipelines.md#5',
      'docs/api/vulnerabilities.md#1',
      'docs/api/vulnerabilities.md#6',
      'docs/api/packages.md#5',
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
      'GET /projects/:id/import',
      'GET /projects/:id/secure_files',
      'GET /projects/:id/secure_files/:none',
      'GET /projects/:id/secure_files/:none/download',
      'GET /projects/:id/feature_flags',
      'GET /projects/:id/feature_flags/:none',
      'GET /projects/:id/feature_flags_user_lists',
      'GET /projects/:id/feature_flags_user_lists/:none',
      'GET /projects/:id/resource_groups',
      'GET /projects/:id/resource_groups/:none',
      'GET /projects/:id/resource_groups/:none/upcoming_jobs',
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
      'GET /projects/:id/merge_requests/:mr/status_checks',
      post('/projects/:id/merge_requests/:mr/status_checks/:none/retry'),
      post(
        '/projects/:id/merge_requests/:mr/status_check_responses',
        { sha: 'a'.repeat(40), external_status_check_id: 1_000_000 },
        404,
      ),
      'GET /projects/:id/protected_branches',
      'GET /projects/:id/protected_branches/:none',
      post('/projects/:id/ci/lint', { content: 'x' }),
      remove('/projects/:id/registry/repositories/:none/tags/latest', undefined, 503),
      post('/projects/:id/jobs/:none/artifacts/keep'),
      'GET /projects/:id/pipeline_schedules/:none/variables',
      post('/projects/:id/pipeline_schedules/:none/variables', { key: 'K', value: 'x' }),
      put('/projects/:id/pipeline_schedules/:none/variables/K', { value: 'x' }),
      remove('/projects/:id/pipeline_schedules/:none/variables/K'),
      'GET /projects/:id/vulnerabilities',
      'GET /projects/:id/security_reports/:none',
      // Limit of ten concurrent exports per user.
      post('/security/projects/:id/vulnerability_exports', {}, 429),
    ],
  },
];
