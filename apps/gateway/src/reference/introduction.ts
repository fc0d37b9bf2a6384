/** Rules of all operations; the introduction of the reference. */
export const introduction = `Source hosting and project collaboration, interface version 4. Every operation answers JSON below \`/api/v4\`,
unless it says otherwise.

### Authentication
Send a token as \`PRIVATE-TOKEN: <token>\` or \`Authorization: Bearer <token>\`. Tokens with the scope \`api\` may do everything
that their user may, those with \`read_api\` may read; some operations also accept narrower scopes and list them. Public
resources are readable without a token.

### Projects and groups
\`:id\` of a project or group is its number, or its full path with every slash as \`%2F\`: \`/projects/ada%2Fengine\`.
Members have a level: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner. Resources that the caller may not see
answer 404; requests without permission on visible resources answer 403.

### Parameters
Send them in the query, as a form or as JSON. Lists are \`name[]=a&name[]=b\` or JSON arrays; some also accept \`a,b\`. Times
are ISO 8601; responses have them in UTC with milliseconds. Unknown parameters are ignored.

### Pages
Lists have pages of 20 items by default and 100 at most: \`page\` and \`per_page\`. The header \`Link\` contains the next page. Above
10,000 items totals are not counted. With \`pagination=keyset\`, where it is supported, pages stay fast at any depth.

### GraphQL
\`POST /api/graphql\` supports the part that command line tools use: \`currentUser\`, \`user\`, \`users\`, \`project\`, \`projects\`,
\`group\`, \`groups\`, their issues and merge requests, \`metadata\`, and its own description (\`__schema\`). Its mutations
create and delete iterations, and set the iteration of an issue, which REST does not offer.

### Errors
\`{"message": ...}\` describes a problem of a record or a permission, \`{"error": ...}\` a problem of the request. 400: invalid
parameters or record. 401: no valid token. 403: no permission. 404: not found. 409: conflict with another record. 412: changed
since \`If-Unmodified-Since\`. 413: too large. 429: above a limit, \`Retry-After\` has the time to wait. 503: a part of the server
is down, retry.
`;
