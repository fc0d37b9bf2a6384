/** Requests of a call in the comparison with Redmine, and checks that both servers do the same. */
const fillIn = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/**
 * Requests on all projects and issues in order: no two at the same time change the same issue.
 *
 * @param server `headers`, the ids in `records`, and for paths a `prefix` @returns the next request, and the values in it
 */
export function requestsOf(server, { method, path, body }) {
  const { prefix = '', records } = server;
  let count = 0;
  return () => {
    const { issues, id, ...project } = records.projects[count % records.projects.length];
    const issue = issues[Math.floor(count / records.projects.length) % issues.length];
    const fresh = `fresh-${Date.now().toString(36)}-${count++}`;
    const values = { ...project, project: id, issue, discussed: issues[0], user: records.user, fresh };
    const request = {
      method,
      path: prefix + fillIn(path, values),
      headers: { ...server.headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: fillIn(JSON.stringify(body), values) }),
    };
    return { request, values };
  };
}

async function ask(server, { method, path, headers, body }) {
  const response = await fetch(server.url + path, { method, headers, body });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${server.url}${path}: ${response.status} ${answer.slice(0, 200)}`);
  return answer;
}

/** @param holds names of the properties with the records, divided by dots @returns the number of records */
function countIn(answer, holds) {
  const records = (holds?.split('.') ?? []).reduce((value, name) => value?.[name], JSON.parse(answer));
  if (Array.isArray(records)) return records.length;
  return records && Object.keys(records).length > 0 ? 1 : 0;
}

/** An answer with fewer records would be faster. */
export async function requireRecords(server, call, { name, count }) {
  const next = requestsOf(server, call);
  for (let project = 0; project < server.records.projects.length; project++) {
    const { request } = next();
    const found = countIn(await ask(server, request), call.holds);
    if (found !== count) throw new Error(`${name}: ${server.url}${request.path} has ${found} records, not ${count}`);
  }
}

/** Redmine answers 204 to a change without effect, too. */
export async function requireEffect(server, call, { name }) {
  const { request, values } = requestsOf(server, call)();
  await ask(server, request);
  const path = (server.prefix ?? '') + fillIn(call.back, values);
  const answer = await ask(server, { method: 'GET', path, headers: server.headers });
  if (!answer.includes(values.fresh)) throw new Error(`${name}: ${server.url}${path} does not have the new text`);
}
