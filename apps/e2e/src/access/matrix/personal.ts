import { onlyRefused, patch, post, put, type Rule } from './access-case';

/** Users and their own records. */
export const personal: Rule[] = [
  {
    rule: 'Everybody reads the public profile of a user',
    of: 'user',
    sources: [
      'docs/api/users.md#1',
      'docs/api/keys.md#1',
      'docs/api/keys.md#4',
      'docs/api/events.md#1',
      'docs/api/access.md#2',
    ],
    table: `
                anonymous external outsider self administrator
      active    ok        ok       ok       ok   ok
      missing   404       404      404      404  404`,
    operations: [
      'GET /users/:user',
      'GET /users/:user/keys',
      'GET /users/:user/keys/:key',
      'GET /users/:user/projects',
      'GET /users/:user/starred_projects',
      'GET /users/:user/events',
      'GET /users/:user/gpg_keys',
      'GET /users/:user/gpg_keys/:gpg_key',
    ],
  },
  {
    rule: 'Signed-in users read statuses and followers, and follow users',
    of: 'user',
    sources: ['docs/api/users.md#8', 'docs/api/users.md#9'],
    table: `
                anonymous external outsider self administrator
      active    401       ok       ok       ok   ok
      missing   401       404      404      404  404`,
    operations: [
      'GET /users/:user/status',
      'GET /users/:user/followers',
      'GET /users/:user/following',
      // 400: nobody can follow themselves. 304: nothing changed.
      post('/users/:user/follow', {}, 304, 400),
      post('/users/:user/unfollow', {}, 304, 400),
    ],
  },
  {
    rule: 'Counts of a user are for the user and for administrators',
    of: 'user',
    sources: ['docs/api/users.md#10'],
    table: `
                anonymous external outsider self administrator
      active    401       403      403      ok   ok
      missing   401       403      403      403  404`,
    operations: ['GET /users/:user/associations_count'],
  },
  {
    rule: 'Private records of a user are 404 for all others, administrators included',
    of: 'user',
    sources: [
      'docs/api/keys.md#1',
      'docs/api/keys.md#4',
      'docs/api/users.md#1',
      'docs/api/todos.md#1',
      'docs/api/vulnerabilities.md#5',
      'docs/api/vulnerabilities.md#6',
    ],
    table: `
                anonymous external outsider self administrator
      active    401       404      404      ok   404
      missing   401       404      404      404  404`,
    operations: [
      'GET /user/emails/:email',
      onlyRefused('DELETE /user/emails/:email'),
      'GET /user/keys/:key',
      onlyRefused('DELETE /user/keys/:key'),
      'GET /user/gpg_keys/:gpg_key',
      onlyRefused('DELETE /user/gpg_keys/:gpg_key'),
      post('/todos/:todo/mark_as_done'),
      'GET /security/vulnerability_exports/:export',
      'GET /security/vulnerability_exports/:export/download',
      onlyRefused('DELETE /security/projects/:project'),
    ],
  },
  {
    rule: 'Tokens are for their owner, imports for their creator, and both for administrators',
    of: 'user',
    sources: ['docs/api/tokens.md#2', 'docs/api/groups.md#5'],
    table: `
                anonymous external outsider self administrator
      active    401       404      404      ok   ok
      missing   401       404      404      404  404`,
    operations: [
      'GET /personal_access_tokens/:token',
      onlyRefused('DELETE /personal_access_tokens/:token'),
      onlyRefused('POST /personal_access_tokens/:token/rotate'),
      'GET /namespaces/:username',
      'GET /groups/import/:group_import',
    ],
  },
  {
    rule: 'Operations for administrators on existing users',
    of: 'user',
    sources: [
      'docs/api/requests.md#4',
      'docs/api/users.md#3',
      'docs/api/users.md#4',
      'docs/api/users.md#5',
      'docs/api/users.md#6',
      'docs/api/users.md#13',
      'docs/api/tokens.md#2',
      'docs/api/tokens.md#3',
      'docs/api/members.md#3',
    ],
    table: `
                anonymous external outsider self administrator
      active    401       403      403      403  ok
      missing   401       403      403      403  404`,
    operations: [
      put('/users/:user', { note: 'x' }),
      onlyRefused('DELETE /users/:user'),
      onlyRefused('POST /users/:user/block'),
      onlyRefused('POST /users/:user/ban'),
      onlyRefused('POST /users/:user/unban'),
      onlyRefused('POST /users/:user/deactivate'),
      post('/users/:user/unblock'),
      post('/users/:user/activate'),
      // 400: there is no second factor.
      patch('/users/:user/disable_two_factor', {}, 400),
      'GET /users/:user/emails',
      post('/users/:user/emails', { email: ':new@example.com' }),
      onlyRefused('DELETE /users/:user/emails/:email'),
      onlyRefused('POST /users/:user/keys', { title: 'x', key: 'none' }),
      onlyRefused('DELETE /users/:user/keys/:key'),
      onlyRefused('POST /users/:user/gpg_keys', { key: 'none' }),
      onlyRefused('DELETE /users/:user/gpg_keys/:gpg_key'),
      onlyRefused('DELETE /users/:user/identities/none'),
      'GET /users/:user/custom_attributes',
      'GET /users/:user/custom_attributes/kept',
      put('/users/:user/custom_attributes/kept', { value: 'x' }),
      onlyRefused('DELETE /users/:user/custom_attributes/kept'),
      'GET /users/:user/impersonation_tokens',
      'GET /users/:user/impersonation_tokens/:impersonation',
      post('/users/:user/impersonation_tokens', { name: 'x', scopes: ['read_api'] }),
      onlyRefused('DELETE /users/:user/impersonation_tokens/:impersonation'),
      post('/users/:user/personal_access_tokens', { name: 'x', scopes: ['read_api'] }),
      'GET /users/:user/memberships',
      post('/projects/user/:user', { name: ':new' }),
    ],
  },
  {
    rule: 'Access to snippets by visibility',
    of: 'snippet',
    sources: ['docs/api/snippets.md#1'],
    table: `
                anonymous external outsider self administrator
      public    ok        ok       ok       ok   ok
      internal  404       404      ok       ok   ok
      private   404       404      404      ok   ok
      missing   404       404      404      404  404`,
    operations: ['GET /snippets/:snippet', 'GET /snippets/:snippet/raw', 'GET /snippets/:snippet/files/main/a.txt/raw'],
  },
  {
    rule: 'Changing a visible snippet without permission is 403',
    of: 'snippet',
    sources: ['docs/api/snippets.md#1'],
    table: `
                anonymous external outsider self administrator
      public    401       403      403      ok   ok
      internal  401       404      403      ok   ok
      private   401       404      404      ok   ok
      missing   401       404      404      404  404`,
    operations: [put('/snippets/:snippet', { title: 'x' }), onlyRefused('DELETE /snippets/:snippet')],
  },
  {
    rule: 'Only administrators see the user agent of a snippet',
    of: 'snippet',
    sources: ['docs/api/requests.md#4'],
    table: `
                anonymous external outsider self administrator
      public    401       403      403      403  ok
      internal  401       403      403      403  ok
      private   401       403      403      403  ok
      missing   401       403      403      403  404`,
    operations: ['GET /snippets/:snippet/user_agent_detail'],
  },
];
