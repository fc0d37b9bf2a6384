import { post, put, type Rule } from './access-case';

/** Issues and epics that not every reader of the project or group may see. */
export const confidential: Rule[] = [
  {
    rule: 'A confidential issue is 404 for callers below reporter',
    of: 'issue',
    sources: ['docs/api/issues.md#3', 'docs/api/notes.md#1'],
    table: `
                   anonymous external outsider guest reporter developer maintainer owner administrator
      open         ok        ok       ok       ok    ok       ok        ok         ok    ok
      confidential 404       404      404      404   ok       ok        ok         ok    ok
      missing      404       404      404      404   404      404       404        404   404`,
    operations: [
      'GET /projects/:id/issues/:issue',
      'GET /projects/:id/issues/:issue/time_stats',
      'GET /projects/:id/issues/:issue/participants',
      'GET /projects/:id/issues/:issue/links',
      'GET /projects/:id/issues/:issue/closed_by',
      'GET /projects/:id/issues/:issue/related_merge_requests',
    ],
  },
  {
    rule: 'The same for signed-in callers',
    of: 'issue',
    sources: ['docs/api/issues.md#3', 'docs/api/notes.md#1', 'docs/api/notes.md#10', 'docs/api/labels.md#3'],
    table: `
                   anonymous external outsider guest reporter developer maintainer owner administrator
      open         401       ok       ok       ok    ok       ok        ok         ok    ok
      confidential 401       404      404      404   ok       ok        ok         ok    ok
      missing      401       404      404      404   404      404       404        404   404`,
    operations: [
      'GET /projects/:id/issues/:issue/notes',
      'GET /projects/:id/issues/:issue/notes/:issue_note',
      'GET /projects/:id/issues/:issue/discussions',
      'GET /projects/:id/issues/:issue/discussions/:issue_thread',
      'GET /projects/:id/issues/:issue/award_emoji',
      'GET /projects/:id/issues/:issue/award_emoji/:issue_award',
      'GET /projects/:id/issues/:issue/notes/:issue_note/award_emoji',
      'GET /projects/:id/issues/:issue/resource_label_events',
      post('/projects/:id/issues/:issue/notes', { body: 'x' }),
      post('/projects/:id/issues/:issue/discussions', { body: 'x' }),
      post('/projects/:id/issues/:issue/subscribe', {}, 304),
      post('/projects/:id/issues/:issue/unsubscribe', {}, 304),
      post('/projects/:id/issues/:issue/todo', {}, 304),
    ],
  },
  {
    rule: 'Changing an issue is 403 for a visible one, and 404 for a hidden one',
    of: 'issue',
    sources: ['docs/api/issues.md#1', 'docs/api/issues.md#3'],
    table: `
                   anonymous external outsider guest reporter developer maintainer owner administrator
      open         401       403      403      403   ok       ok        ok         ok    ok
      confidential 401       404      404      404   ok       ok        ok         ok    ok
      missing      401       404      404      404   404      404       404        404   404`,
    operations: [put('/projects/:id/issues/:issue', { description: 'x' })],
  },
  {
    rule: 'A confidential epic is 404 for callers below reporter',
    of: 'epic',
    sources: ['docs/api/issues.md#3', 'docs/api/epics.md#2'],
    table: `
                   anonymous external outsider foreign guest reporter developer maintainer owner administrator
      open         ok        ok       ok       ok      ok    ok       ok        ok         ok    ok
      confidential 404       404      404      404     404   ok       ok        ok         ok    ok
      missing      404       404      404      404     404   404      404       404        404   404`,
    operations: [
      'GET /groups/:id/epics/:epic',
      'GET /groups/:id/epics/:epic/issues',
      'GET /groups/:id/epics/:epic/related_epics',
    ],
  },
  {
    rule: 'The same for signed-in callers, on epics',
    of: 'epic',
    sources: ['docs/api/issues.md#3', 'docs/api/notes.md#1', 'docs/api/notes.md#10', 'docs/api/labels.md#3'],
    table: `
                   anonymous external outsider foreign guest reporter developer maintainer owner administrator
      open         401       ok       ok       ok      ok    ok       ok        ok         ok    ok
      confidential 401       404      404      404     404   ok       ok        ok         ok    ok
      missing      401       404      404      404     404   404      404       404        404   404`,
    operations: [
      'GET /groups/:id/epics/:epic_id/notes',
      'GET /groups/:id/epics/:epic_id/notes/:note',
      'GET /groups/:id/epics/:epic_id/discussions',
      'GET /groups/:id/epics/:epic_id/discussions/:thread',
      'GET /groups/:id/epics/:epic_id/resource_label_events',
      'GET /groups/:id/epics/:epic/award_emoji',
      'GET /groups/:id/epics/:epic/award_emoji/:award',
      'GET /groups/:id/epics/:epic/notes/:note/award_emoji',
      post('/groups/:id/epics/:epic_id/notes', { body: 'x' }),
      post('/groups/:id/epics/:epic_id/discussions', { body: 'x' }),
    ],
  },
];
