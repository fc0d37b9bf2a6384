import { post, put, type Rule } from './access-case';

/** Reading a group and its records. */
export const groupReading: Rule[] = [
  {
    rule: 'Readers of a group, or of a project in it, may read its records',
    of: 'group',
    sources: [
      'docs/api/access.md#2',
      'docs/api/access.md#3',
      'docs/api/groups.md#1',
      'docs/api/iterations.md#1',
      'docs/api/labels.md#1',
      'docs/api/milestones.md#1',
      'docs/api/registry.md#2',
    ],
    table: `
                anonymous external outsider foreign guest reporter developer maintainer owner administrator
      public    ok        ok       ok       ok      ok    ok       ok        ok         ok    ok
      internal  404       404      ok       ok      ok    ok       ok        ok         ok    ok
      private   404       404      404      404     ok    ok       ok        ok         ok    ok
      shared    404       404      404      404     ok    ok       ok        ok         ok    ok
      subgroup  404       404      404      404     ok    ok       ok        ok         ok    ok
      within    404       404      404      404     ok    ok       ok        ok         ok    ok
      deleted   404       404      404      404     404   404      404       404        404   404
      missing   404       404      404      404     404   404      404       404        404   404`,
    operations: [
      'GET /groups/:id',
      'GET /groups/:id/subgroups',
      'GET /groups/:id/descendant_groups',
      'GET /groups/:id/projects',
      'GET /groups/:id/projects/shared',
      'GET /groups/:id/avatar',
      'GET /groups/:id/badges',
      'GET /groups/:id/badges/:badge',
      'GET /groups/:id/labels',
      'GET /groups/:id/labels/:label',
      'GET /groups/:id/iterations',
      'GET /groups/:id/milestones',
      'GET /groups/:id/milestones/:milestone',
      'GET /groups/:id/milestones/:milestone/issues',
      'GET /groups/:id/milestones/:milestone/merge_requests',
      'GET /groups/:id/milestones/:milestone/burndown_events',
      'GET /groups/:id/issues',
      'GET /groups/:id/merge_requests',
      'GET /groups/:id/epics',
      'GET /groups/:id/epics/:epic',
      'GET /groups/:id/epics/:epic/issues',
      'GET /groups/:id/epics/:epic/related_epics',
      'GET /groups/:id/epics/:epic/epics',
      'GET /groups/:id/packages',
      'GET /groups/:id/releases',
      // 503 without a registry.
      { ask: 'GET /groups/:id/registry/repositories', passes: [503] },
    ],
  },
  {
    rule: 'The same for signed-in callers',
    of: 'group',
    sources: [
      'docs/api/access.md#2',
      'docs/api/notes.md#1',
      'docs/api/notes.md#10',
      'docs/api/members.md#1',
      'docs/api/members.md#5',
      'docs/api/tokens.md#4',
    ],
    table: `
                anonymous external outsider foreign guest reporter developer maintainer owner administrator
      public    401       ok       ok       ok      ok    ok       ok        ok         ok    ok
      internal  401       404      ok       ok      ok    ok       ok        ok         ok    ok
      private   401       404      404      404     ok    ok       ok        ok         ok    ok
      shared    401       404      404      404     ok    ok       ok        ok         ok    ok
      subgroup  401       404      404      404     ok    ok       ok        ok         ok    ok
      within    401       404      404      404     ok    ok       ok        ok         ok    ok
      deleted   401       404      404      404     404   404      404       404        404   404
      missing   401       404      404      404     404   404      404       404        404   404`,
    operations: [
      'GET /groups/:id/notification_settings',
      put('/groups/:id/notification_settings', { level: 'watch' }),
      'GET /groups/:id/members',
      'GET /groups/:id/members/all',
      'GET /groups/:id/members/:none',
      'GET /groups/:id/members/all/:none',
      // The credential of the test is not a token of the group.
      post('/groups/:id/access_tokens/self/rotate', {}, 404),
      'GET /groups/:id/issues_statistics',
      'GET /groups/:id/search?scope=projects&search=word',
      'GET /groups/:id/search?scope=issues&search=word',
      'GET /groups/:id/search?scope=merge_requests&search=word',
      'GET /groups/:id/search?scope=milestones&search=word',
      'GET /groups/:id/search?scope=users&search=word',
      'GET /groups/:id/search?scope=blobs&search=word',
      'GET /groups/:id/search?scope=commits&search=word',
      'GET /groups/:id/search?scope=wiki_blobs&search=word',
      'GET /groups/:id/boards',
      'GET /groups/:id/boards/:none',
      'GET /groups/:id/boards/:none/lists',
      'GET /groups/:id/boards/:none/lists/:none',
      'GET /groups/:id/epics/:epic_id/resource_state_events',
      'GET /groups/:id/epics/:epic_id/resource_state_events/:none',
      post('/groups/:id/labels/:label/subscribe', {}, 304),
      post('/groups/:id/labels/:label/unsubscribe', {}, 304),
      'GET /groups/:id/epics/:epic_id/notes',
      'GET /groups/:id/epics/:epic_id/notes/:note',
      'GET /groups/:id/epics/:epic_id/discussions',
      'GET /groups/:id/epics/:epic_id/discussions/:thread',
      'GET /groups/:id/epics/:epic_id/discussions/:thread/notes/:thread_note',
      'GET /groups/:id/epics/:epic_id/resource_label_events',
      'GET /groups/:id/epics/:epic_id/resource_label_events/:none',
      'GET /groups/:id/epics/:epic/award_emoji',
      'GET /groups/:id/epics/:epic/award_emoji/:award',
      'GET /groups/:id/epics/:epic/notes/:note/award_emoji',
      'GET /groups/:id/epics/:epic/notes/:note/award_emoji/:note_award',
      post('/groups/:id/epics/:epic_id/notes', { body: 'x' }),
      post('/groups/:id/epics/:epic_id/discussions', { body: 'x' }),
      post('/groups/:id/epics/:epic_id/discussions/:thread/notes', { body: 'x' }),
      // 404: it was awarded before.
      post('/groups/:id/epics/:epic/award_emoji', { name: 'rocket' }, 404),
      post('/groups/:id/epics/:epic/notes/:note/award_emoji', { name: 'rocket' }, 404),
      'DELETE /groups/:id/epics/:epic/award_emoji/:none',
      'DELETE /groups/:id/epics/:epic/notes/:note/award_emoji/:none',
    ],
  },
  {
    rule: 'Maintainers may change notes of others on epics',
    of: 'group',
    sources: ['docs/api/notes.md#1'],
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
      { ask: 'PUT /groups/:id/epics/:epic_id/notes/:note', body: { body: 'x' } },
      { ask: 'PUT /groups/:id/epics/:epic_id/discussions/:thread/notes/:thread_note', body: { body: 'x' } },
      { ask: 'DELETE /groups/:id/epics/:epic_id/notes/:note', refusedOnly: true },
      { ask: 'DELETE /groups/:id/epics/:epic_id/discussions/:thread/notes/:thread_note', refusedOnly: true },
    ],
  },
];
