/** Rules of all operations; the introduction of the reference. */
export const introduction = `Source hosting and project collaboration, interface version 4. Every operation answers JSON below \`/api/v4\`,
unless it says otherwise.

### Who is asking
Send a token as \`PRIVATE-TOKEN: <token>\` or \`Authorization: Bearer <token>\`. Tokens with the scope \`api\` do everything that
their user may, those with \`read_api\` read it; some operations take narrower scopes besides, and say so. What is public is
read without a token.

### Projects and groups
\`:id\` of a project or group is its number, or its full path with every slash as \`%2F\`: \`/projects/ada%2Fengine\`.
Members have a level: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner. Whoever may not see something is told
that it is not there (404); whoever sees it and may not do what they ask is refused (403).

### Parameters
They come in the query, as a form or as JSON. Lists are \`name[]=a&name[]=b\` or JSON arrays; some take \`a,b\` too. Times are
ISO 8601; answers have them in UTC with milliseconds. What an operation does not know is ignored.

### Pages
Lists come in pages of 20, at most 100: \`page\` and \`per_page\`. The header \`Link\` leads to the next one. Above 10,000 items
totals are not counted. Where \`pagination=keyset\` is taken, pages are walked without counting and stay fast at any depth.

### GraphQL
\`POST /api/graphql\` reads the part of it that command line tools ask: \`currentUser\`, \`user\`, \`users\`, \`project\`, \`projects\`,
\`group\`, \`groups\`, their issues and merge requests, \`metadata\`, and its own description (\`__schema\`). It makes and
deletes iterations, and puts issues into them, for which there is nothing else.

### Errors
\`{"message": ...}\` says what is wrong with a record or a right, \`{"error": ...}\` what is wrong with the request. 400 for
parameters and records, 401 without a valid token, 403 without the right, 404 for what is not there, 409 where another
record is in the way, 412 when it changed since \`If-Unmodified-Since\`, 413 for what is too large, 429 above a limit
(\`Retry-After\` says when it opens), 503 while a part of the server is away: ask again.
`;
