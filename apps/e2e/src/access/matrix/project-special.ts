import { onlyRefused, post, put, type Rule, upload } from './access-case';

const noRunner = '{"message":"404 Runner Not Found"}';

/** Operations in a project with rules of their own. */
export const projectSpecial: Rule[] = [
  {
    rule: 'Signed-in readers of a project upload files, and request access',
    sources: ['docs/api/members.md#2', 'docs/api/access.md#2', 'docs/api/access.md#6'],
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
      upload('POST /projects/:id/uploads', 'a.txt'),
      // 400: a member, or a caller with an open request.
      post('/projects/:id/access_requests', {}, 400),
    ],
  },
  {
    rule: 'An award is removed by its user and by administrators, others get 401',
    sources: ['docs/api/notes.md#10'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       401      401      401   401      401       401        401   ok
      internal  401       404      401      401   401      401       401        401   ok
      private   401       404      404      401   401      401       401        401   ok
      archived  401       403      403      403   403      403       403        403   403
      shared    401       404      404      401   401      401       401        401   ok
      forked    401       404      404      404   404      401       404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      onlyRefused('DELETE /projects/:id/issues/:issue/award_emoji/:issue_award'),
      onlyRefused('DELETE /projects/:id/issues/:issue/notes/:issue_note/award_emoji/:issue_note_award'),
      onlyRefused('DELETE /projects/:id/snippets/:snippet/award_emoji/:snippet_award'),
      onlyRefused('DELETE /projects/:id/snippets/:snippet/notes/:snippet_note/award_emoji/:snippet_note_award'),
    ],
  },
  {
    rule: 'The same on merge requests, which guests of a private project cannot read',
    sources: ['docs/api/notes.md#10', 'docs/api/access.md#5'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       401      401      401   401      401       401        401   ok
      internal  401       404      401      401   401      401       401        401   ok
      private   401       404      404      403   401      401       401        401   ok
      archived  401       403      403      403   403      403       403        403   403
      shared    401       404      404      403   401      401       401        401   ok
      forked    401       404      404      404   404      401       404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      onlyRefused('DELETE /projects/:id/merge_requests/:mr/award_emoji/:mr_award'),
      onlyRefused('DELETE /projects/:id/merge_requests/:mr/notes/:mr_note/award_emoji/:mr_note_award'),
    ],
  },
  {
    rule: 'Developers approve; other readers of the merge request get 401',
    sources: ['docs/api/merge-requests.md#3', 'docs/api/merge-requests.md#8'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       401      401      401   401      ok        ok         ok    ok
      internal  401       404      401      401   401      ok        ok         ok    ok
      private   401       404      404      403   401      ok        ok         ok    ok
      archived  401       403      403      403   403      403       403        403   403
      shared    401       404      404      403   401      ok        ok         ok    ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      // 409: not the current head.
      post('/projects/:id/merge_requests/:mr/approve', { sha: '0000000000000000000000000000000000000000' }, 409),
      onlyRefused('POST /projects/:id/merge_requests/:mr/cancel_merge_when_pipeline_succeeds'),
    ],
  },
  {
    rule: 'Merging needs permission to push to the target: maintainers, since the default branch is protected; others get 401',
    sources: ['docs/api/merge-requests.md#3'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       401      401      401   401      401       ok         ok    ok
      internal  401       404      401      401   401      401       ok         ok    ok
      private   401       404      404      403   401      401       ok         ok    ok
      archived  401       403      403      403   403      403       403        403   403
      shared    401       404      404      403   401      401       401        401   ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      // 409: not the current head; 405: an approval rule is not met.
      put('/projects/:id/merge_requests/:mr/merge', { sha: '0000000000000000000000000000000000000000' }, 405, 409),
    ],
  },
  {
    rule: 'Developers rebase and run pipelines of merge requests',
    sources: ['docs/api/merge-requests.md#3', 'docs/api/pipelines.md#9', 'docs/api/access.md#6'],
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
      onlyRefused('PUT /projects/:id/merge_requests/:mr/rebase'),
      // 400: no job would run.
      post('/projects/:id/merge_requests/:mr/pipelines', {}, 400),
    ],
  },
  {
    rule: 'Developers of project and group promote a milestone; here only the owner and administrators are',
    sources: ['docs/api/milestones.md#5'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   403      403       403        ok    ok
      internal  401       404      403      403   403      403       403        ok    ok
      private   401       404      404      403   403      403       403        ok    ok
      shared    401       404      404      403   403      403       403        403   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [onlyRefused('POST /projects/:id/milestones/:milestone/promote')],
  },
  {
    rule: 'A trigger token is valid for its own project only',
    sources: ['docs/api/pipelines.md#11'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    404       404      404      404   404      404       404        404   404
      internal  404       404      404      404   404      404       404        404   404
      private   404       404      404      404   404      404       404        404   404
      archived  404       404      404      404   404      404       404        404   404
      shared    404       404      404      404   404      404       404        404   404
      forked    404       404      404      404   404      404       404        404   404
      deleted   404       404      404      404   404      404       404        404   404
      missing   404       404      404      404   404      404       404        404   404`,
    operations: [
      {
        ...post('/projects/:id/trigger/pipeline', { ref: 'ci', token: 'none' }),
        absent: '{"message":"404 Not Found"}',
      },
    ],
  },
  {
    rule: 'Maintainers manage runners; a runner by id is 404 in a hidden project, else 403',
    sources: ['docs/api/pipelines.md#14'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   403      403       ok         ok    ok
      internal  401       404      403      403   403      403       ok         ok    ok
      private   401       404      404      403   403      403       ok         ok    ok
      archived  401       403      403      403   403      403       ok         ok    ok
      shared    401       404      404      403   403      403       403        403   ok
      forked    401       404      404      404   404      ok        404        404   ok
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      ...['GET /runners/:runner', 'GET /runners/:runner/jobs'].map((ask) => ({ ask, absent: noRunner })),
      { ...put('/runners/:runner', { description: 'x' }), absent: noRunner },
      { ...onlyRefused('DELETE /runners/:runner'), absent: noRunner },
      post('/user/runners', { runner_type: 'project_type', project_id: ':id' }),
    ],
  },
  {
    rule: 'Developers see and change vulnerabilities; for others 404 in a hidden project, else 403',
    sources: ['docs/api/vulnerabilities.md#1', 'docs/api/vulnerabilities.md#4'],
    table: `
                anonymous external outsider guest reporter developer maintainer owner administrator
      public    401       403      403      403   403      ok        ok         ok    ok
      internal  401       404      403      403   403      ok        ok         ok    ok
      private   401       404      404      403   403      ok        ok         ok    ok
      archived  401       403      403      403   403      ok        ok         ok    ok
      shared    401       404      404      403   403      ok        ok         ok    ok
      forked    401       404      404      404   404      ok        404        404   ok
      deleted   401       404      404      404   404      404       404        404   404
      missing   401       404      404      404   404      404       404        404   404`,
    operations: [
      { ask: 'GET /vulnerabilities/:vulnerability', absent: '{"message":"404 Vulnerability Not Found"}' },
      { ...post('/security/projects', { project_id: ':id' }, 400), absent: '{"message":"404 Project Not Found"}' },
    ],
  },
  {
    rule: 'The same, except in archived projects',
    sources: ['docs/api/vulnerabilities.md#1', 'docs/api/vulnerabilities.md#4'],
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
      {
        ...post('/vulnerabilities/:vulnerability/confirm', {}, 304),
        absent: '{"message":"404 Vulnerability Not Found"}',
      },
      {
        ...post('/vulnerabilities/:vulnerability/dismiss', {}, 304),
        absent: '{"message":"404 Vulnerability Not Found"}',
      },
      {
        ...post('/vulnerabilities/:vulnerability/resolve', {}, 304),
        absent: '{"message":"404 Vulnerability Not Found"}',
      },
      {
        ...post('/vulnerabilities/:vulnerability/revert', {}, 304),
        absent: '{"message":"404 Vulnerability Not Found"}',
      },
    ],
  },
];
