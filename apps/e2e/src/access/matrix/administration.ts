import { onlyRefused, put, type Rule, remove } from './access-case';

/** Operations for administrators only. */
export const administration: Rule[] = [
  {
    rule: 'Operations for administrators; others are refused before anything is looked up',
    sources: ['docs/api/requests.md#4', 'docs/api/storages.md#1', 'docs/api/projects.md#6'],
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
      'GET /projects/:id/custom_attributes',
      'GET /projects/:id/custom_attributes/:none',
      put('/projects/:id/custom_attributes/kept', { value: 'x' }),
      remove('/projects/:id/custom_attributes/:none'),
      'GET /geo/events',
      'GET /geo/checksums?project_ids=:id',
      'GET /geo/projects',
      onlyRefused('POST /projects/:id/repository_storage_moves'),
      onlyRefused('POST /projects/:id/repository_check'),
      'GET /projects/:id/repository_check',
      onlyRefused('POST /projects/:id/fork/:none'),
      'GET /issues/:issue_id',
    ],
  },
  {
    rule: 'Only administrators set custom attributes on groups',
    of: 'group',
    sources: ['docs/api/requests.md#4', 'docs/api/projects.md#6'],
    table: `
                anonymous external outsider foreign guest reporter developer maintainer owner administrator
      public    401       403      403      403     403   403      403       403        403   ok
      internal  401       403      403      403     403   403      403       403        403   ok
      private   401       403      403      403     403   403      403       403        403   ok
      shared    401       403      403      403     403   403      403       403        403   ok
      subgroup  401       403      403      403     403   403      403       403        403   ok
      within    401       403      403      403     403   403      403       403        403   ok`,
    operations: [
      'GET /groups/:id/custom_attributes',
      'GET /groups/:id/custom_attributes/:none',
      put('/groups/:id/custom_attributes/kept', { value: 'x' }),
      remove('/groups/:id/custom_attributes/:none'),
    ],
  },
  {
    rule: 'Operations for administrators on resources that the caller may read',
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
      'GET /projects/:id/snapshot',
    ],
  },
];
