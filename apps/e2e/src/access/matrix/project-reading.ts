import { post, put, type Rule, remove } from './access-case';

/** Reading a project and its records. */
export const projectReading: Rule[] = [
  {
    rule: 'Readers of a project may read its records',
    sources: [
      'docs/api/access.md#2',
      'docs/api/access.md#3',
      'docs/api/access.md#4',
      'docs/api/pipelines.md#2',
      'docs/api/releases.md#1',
      'docs/api/milestones.md#1',
      'docs/api/markdown.md#2',
      'docs/api/artifacts.md#3',
      'docs/api/events.md#1',
      'docs/api/issues.md#5',
      'docs/api/snippets.md#1',
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
      'GET /projects/:id/iterations',
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
      'GET /projects/:id/pipelines/:pipeline/test_report_summary',
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
      post('/markdown?project=:id', { text: '#1', gfm: true }),
      'GET /projects/:id/events',
      'GET /projects/:id/uploads/:upload/a.txt',
      'GET /projects/:id/issues/:issue/links/:link',
      'GET /projects/:id/snippets/:snippet/files/main/a.txt/raw',
      'GET /projects/:id/releases/v1/assets/links',
      'GET /projects/:id/releases/v1/assets/links/:release_link',
      // A redirect to another server.
      { ask: 'GET /projects/:id/releases/v1/downloads/app', passes: [302] },
      // 404: there is none.
      { ask: 'GET /projects/:id/avatar', passes: [404] },
      { ask: 'GET /projects/:id/jobs/:job/artifacts', passes: [404] },
      { ask: 'GET /projects/:id/jobs/:job/artifacts/a.txt', passes: [404] },
      { ask: 'GET /projects/:id/jobs/artifacts/ci/download?job=job', passes: [404] },
      { ask: 'GET /projects/:id/jobs/artifacts/ci/raw/a.txt?job=job', passes: [404] },
    ],
  },
  {
    rule: 'The same for signed-in callers',
    sources: [
      'docs/api/access.md#2',
      'docs/api/notes.md#1',
      'docs/api/members.md#1',
      'docs/api/search.md#1',
      'docs/api/notes.md#9',
      'docs/api/notes.md#10',
      'docs/api/boards.md#1',
    ],
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
      'GET /projects/:id/notification_settings',
      put('/projects/:id/notification_settings', { level: 'watch' }),
      // The credential of the test is not a token of the project.
      post('/projects/:id/access_tokens/self/rotate', {}, 404),
      'GET /projects/:id/issues_statistics',
      'GET /projects/:id/boards',
      'GET /projects/:id/boards/:none',
      'GET /projects/:id/boards/:none/lists',
      'GET /projects/:id/boards/:none/lists/:none',
      'GET /projects/:id/issues/:issue/notes',
      'GET /projects/:id/issues/:issue/notes/:note',
      'GET /projects/:id/issues/:issue/discussions',
      'GET /projects/:id/issues/:issue/award_emoji',
      'GET /projects/:id/issues/:issue/notes/:note/award_emoji',
      'GET /projects/:id/issues/:issue/resource_label_events',
      'GET /projects/:id/issues/:issue/resource_label_events/:none',
      'GET /projects/:id/issues/:issue/resource_milestone_events',
      'GET /projects/:id/issues/:issue/resource_milestone_events/:none',
      'GET /projects/:id/issues/:issue/resource_iteration_events',
      'GET /projects/:id/issues/:issue/resource_iteration_events/:none',
      'GET /projects/:id/issues/:issue/resource_state_events',
      'GET /projects/:id/issues/:issue/resource_state_events/:none',
      'GET /projects/:id/issues/:issue/resource_weight_events',
      'GET /projects/:id/issues/:issue/resource_weight_events/:none',
      'GET /projects/:id/snippets/:snippet/notes',
      'GET /projects/:id/snippets/:snippet/notes/:none',
      'GET /projects/:id/snippets/:snippet/discussions',
      'GET /projects/:id/snippets/:snippet/award_emoji',
      'GET /projects/:id/members',
      'GET /projects/:id/members/all',
      'GET /projects/:id/members/:none',
      'GET /projects/:id/members/all/:none',
      'GET /projects/:id/users',
      'GET /projects/:id/search?scope=issues&search=word',
      'GET /projects/:id/search?scope=milestones&search=word',
      'GET /projects/:id/search?scope=notes&search=word',
      'GET /projects/:id/search?scope=users&search=word',
      'GET /projects/:id/-/search?scope=wiki_blobs&search=word',
      post('/projects/:id/issues/:issue/subscribe', {}, 304),
      post('/projects/:id/issues/:issue/unsubscribe', {}, 304),
      post('/projects/:id/issues/:issue/todo', {}, 304),
      post('/projects/:id/star', {}, 304),
      post('/projects/:id/unstar', {}, 304),
      'GET /projects/:id/issues/:issue/discussions/:issue_thread',
      'GET /projects/:id/issues/:issue/discussions/:issue_thread/notes/:issue_thread_note',
      'GET /projects/:id/issues/:issue/award_emoji/:issue_award',
      'GET /projects/:id/issues/:issue/notes/:issue_note/award_emoji/:issue_note_award',
      'GET /projects/:id/snippets/:snippet/discussions/:snippet_thread',
      'GET /projects/:id/snippets/:snippet/discussions/:snippet_thread/notes/:snippet_thread_note',
      'GET /projects/:id/snippets/:snippet/award_emoji/:snippet_award',
      'GET /projects/:id/snippets/:snippet/notes/:snippet_note/award_emoji/:snippet_note_award',
      'GET /projects/:id/snippets/:snippet/notes/:snippet_note/award_emoji',
      post('/projects/:id/labels/:label/subscribe', {}, 304),
      post('/projects/:id/labels/:label/unsubscribe', {}, 304),
    ],
  },
  {
    rule: 'Guests cannot read code and merge requests of a private project',
    sources: [
      'docs/api/access.md#5',
      'docs/api/packages.md#1',
      'docs/api/registry.md#2',
      'docs/api/releases.md#1',
      'docs/api/merge-requests.md#9',
      'docs/api/releases.md#3',
    ],
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
      'GET /projects/:id/repository/changelog?version=1.0.0&from=main',
      'GET /projects/:id/repository/tags/v1',
      'GET /projects/:id/repository/commits',
      'GET /projects/:id/repository/commits/:sha',
      'GET /projects/:id/repository/commits/:sha/diff',
      'GET /projects/:id/repository/commits/:sha/refs',
      'GET /projects/:id/repository/commits/:sha/merge_requests',
      'GET /projects/:id/repository/commits/:sha/comments',
      // 404: the commit is not signed.
      { ask: 'GET /projects/:id/repository/commits/:sha/signature', passes: [404] },
      'GET /projects/:id/repository/files/README.md?ref=main',
      'GET /projects/:id/repository/files/README.md/raw?ref=main',
      'GET /projects/:id/repository/files/README.md/blame?ref=main',
      'GET /projects/:id/merge_requests',
      'GET /projects/:id/merge_requests/:mr',
      'GET /projects/:id/merge_requests/:mr/commits',
      'GET /projects/:id/merge_requests/:mr/context_commits',
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
      // 503 without a registry.
      { ask: 'GET /projects/:id/registry/repositories', passes: [503] },
      { ask: 'GET /projects/:id/registry/repositories/:none/tags', passes: [503] },
      { ask: 'GET /projects/:id/registry/repositories/:none/tags/latest', passes: [503] },
      'GET /projects/:id/repository/commits/:sha/sequence',
      'GET /projects/:id/merge_requests/:mr/versions/:version',
      'GET /projects/:id/merge_requests/:mr/diffs',
      'GET /projects/:id/merge_requests/:mr/approval_state',
      'GET /projects/:id/merge_requests/:mr/approval_rules',
      'GET /projects/:id/merge_requests/:mr/approval_rules/:rule',
      // A redirect to the release.
      { ask: 'GET /projects/:id/releases/permalink/latest', passes: [302] },
    ],
  },
  {
    rule: 'The same of code and merge requests for signed-in callers',
    sources: [
      'docs/api/access.md#5',
      'docs/api/notes.md#1',
      'docs/api/notes.md#9',
      'docs/api/notes.md#10',
      'docs/api/merge-requests.md#9',
      'docs/api/merge-requests.md#10',
    ],
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
      'GET /projects/:id/search?scope=merge_requests&search=word',
      'GET /projects/:id/search?scope=commits&search=word',
      'GET /projects/:id/-/search?scope=blobs&search=word',
      'GET /projects/:id/merge_requests/:mr/notes',
      'GET /projects/:id/merge_requests/:mr/notes/:none',
      'GET /projects/:id/merge_requests/:mr/discussions',
      'GET /projects/:id/merge_requests/:mr/draft_notes',
      'GET /projects/:id/merge_requests/:mr/draft_notes/:none',
      remove('/projects/:id/merge_requests/:mr/draft_notes/:none'),
      put('/projects/:id/merge_requests/:mr/draft_notes/:none/publish'),
      post('/projects/:id/merge_requests/:mr/draft_notes/bulk_publish'),
      'GET /projects/:id/repository/commits/:sha/discussions',
      'GET /projects/:id/repository/commits/:sha/discussions/:commit_thread',
      'GET /projects/:id/repository/commits/:sha/discussions/:commit_thread/notes/:commit_thread_note',
      'GET /projects/:id/merge_requests/:mr/award_emoji',
      'GET /projects/:id/merge_requests/:mr/resource_label_events',
      'GET /projects/:id/merge_requests/:mr/resource_label_events/:none',
      'GET /projects/:id/merge_requests/:mr/resource_milestone_events',
      'GET /projects/:id/merge_requests/:mr/resource_milestone_events/:none',
      'GET /projects/:id/merge_requests/:mr/resource_state_events',
      'GET /projects/:id/merge_requests/:mr/resource_state_events/:none',
      post('/projects/:id/merge_requests/:mr/subscribe', {}, 304),
      post('/projects/:id/merge_requests/:mr/unsubscribe', {}, 304),
      post('/projects/:id/merge_requests/:mr/todo', {}, 304),
      'GET /projects/:id/merge_requests/:mr/discussions/:mr_thread',
      'GET /projects/:id/merge_requests/:mr/discussions/:mr_thread/notes/:mr_thread_note',
      'GET /projects/:id/merge_requests/:mr/award_emoji/:mr_award',
      'GET /projects/:id/merge_requests/:mr/notes/:mr_note/award_emoji/:mr_note_award',
      'GET /projects/:id/merge_requests/:mr/notes/:mr_note/award_emoji',
      'GET /projects/:id/approvals',
      'GET /projects/:id/approval_rules',
      'GET /projects/:id/approval_rules/:rule',
      // 400: the namespace does not exist.
      post('/projects/:id/fork', { namespace_path: ':none' }, 400),
    ],
  },
  {
    rule: 'Reporters see deployments',
    sources: ['docs/api/deployments.md#3', 'docs/api/deployments.md#6'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   ok       ok        ok         ok    ok
      internal  401       404      403      403   ok       ok        ok         ok    ok
      private   401       404      404      403   ok       ok        ok         ok    ok
      archived  401       403      403      403   ok       ok        ok         ok    ok
      shared    401       404      404      403   ok       ok        ok         ok    ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      'GET /projects/:id/environments',
      'GET /projects/:id/environments/:none',
      'GET /projects/:id/deployments',
      'GET /projects/:id/deployments/:none',
      'GET /projects/:id/deployments/:none/merge_requests',
      'GET /projects/:id/freeze_periods',
      'GET /projects/:id/freeze_periods/:none',
    ],
  },
];
