import { post, put, type Rule, remove } from './access-case';

/** Issues, notes, snippets and labels of a project: operations of guests and reporters. */
export const projectTalk: Rule[] = [
  {
    rule: 'Signed-in readers of a project open issues and write notes, except in archived projects',
    sources: [
      'docs/api/issues.md#1',
      'docs/api/notes.md#1',
      'docs/api/access.md#6',
      'docs/api/notes.md#9',
      'docs/api/notes.md#10',
    ],
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
      post('/projects/:id/issues/:issue/discussions/:issue_thread/notes', { body: 'x' }),
      // 404: it was awarded before.
      post('/projects/:id/issues/:issue/award_emoji', { name: 'rocket' }, 404),
      post('/projects/:id/issues/:issue/notes/:issue_note/award_emoji', { name: 'rocket' }, 404),
      post('/projects/:id/snippets/:snippet/discussions/:snippet_thread/notes', { body: 'x' }),
      // 404: it was awarded before.
      post('/projects/:id/snippets/:snippet/award_emoji', { name: 'rocket' }, 404),
      post('/projects/:id/snippets/:snippet/notes/:snippet_note/award_emoji', { name: 'rocket' }, 404),
    ],
  },
  {
    rule: 'The same on merge requests, which guests of a private project cannot read',
    sources: [
      'docs/api/access.md#5',
      'docs/api/notes.md#1',
      'docs/api/access.md#6',
      'docs/api/notes.md#9',
      'docs/api/notes.md#10',
    ],
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
      // 404: there is no approval.
      post('/projects/:id/merge_requests/:mr/unapprove', {}, 404),
      post('/projects/:id/merge_requests/:mr/notes', { body: 'x' }),
      post('/projects/:id/merge_requests/:mr/discussions', { body: 'x' }),
      post('/projects/:id/merge_requests/:mr/draft_notes', { note: 'x' }),
      put('/projects/:id/merge_requests/:mr/draft_notes/:none', { note: 'x' }),
      post('/projects/:id/repository/commits/:sha/comments', { note: 'x' }),
      post('/projects/:id/repository/commits/:sha/discussions', { body: 'x' }),
      post('/projects/:id/repository/commits/:sha/discussions/:commit_thread/notes', { body: 'x' }),
      post('/projects/:id/merge_requests/:mr/discussions/:mr_thread/notes', { body: 'x' }),
      // 404: it was awarded before.
      post('/projects/:id/merge_requests/:mr/award_emoji', { name: 'rocket' }, 404),
      post('/projects/:id/merge_requests/:mr/notes/:mr_note/award_emoji', { name: 'rocket' }, 404),
    ],
  },
  {
    rule: 'Reporters change issues of others, and create snippets',
    sources: [
      'docs/api/issues.md#1',
      'docs/api/snippets.md#1',
      'docs/api/access.md#6',
      'docs/api/issues.md#5',
      'docs/api/merge-requests.md#1',
    ],
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
      remove('/projects/:id/issues/:issue/links/:none'),
      post('/projects/:id/merge_requests/:mr/time_estimate', { duration: '1h' }),
      post('/projects/:id/merge_requests/:mr/reset_time_estimate'),
      post('/projects/:id/merge_requests/:mr/add_spent_time', { duration: '1h' }),
      post('/projects/:id/merge_requests/:mr/reset_spent_time'),
    ],
  },
  {
    rule: 'Reporters write labels and boards',
    sources: ['docs/api/labels.md#1', 'docs/api/labels.md#2', 'docs/api/boards.md#1'],
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
      post('/projects/:id/boards', { name: ':new' }),
      put('/projects/:id/boards/:none', { name: 'x' }, 404),
      remove('/projects/:id/boards/:none'),
      post('/projects/:id/boards/:none/lists', { label_id: ':label' }, 404),
      put('/projects/:id/boards/:none/lists/:none', { position: 0 }, 404),
      remove('/projects/:id/boards/:none/lists/:none'),
      put('/projects/:id/labels/:label', { description: 'x' }),
      remove('/projects/:id/labels/:none'),
      // 400: the project is outside of groups.
      put('/projects/:id/labels/:none/promote', {}, 400),
    ],
  },
];
