/** Attacks by requests with hostile content. */
import { setTimeout as delay } from 'node:timers/promises';

/** Sends repeatedly, `parallel` at a time; responses do not matter here, only that others get theirs. */
async function repeat(parallel, signal, attempt) {
  const one = async () => {
    while (!signal.aborted) {
      await attempt().catch(() => undefined);
      await delay(50, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
}

const as = (mallory, body, type = 'application/json') => ({
  method: body === undefined ? 'GET' : 'POST',
  headers: { 'private-token': mallory.token, ...(body !== undefined && { 'content-type': type }) },
  body,
});

async function send(url, rest, init, signal) {
  const response = await fetch(new URL(rest, url), { ...init, signal });
  await response.arrayBuffer();
}

/** Names of built-in object properties, and broken encodings. */
export const strangeNames = ({ url }, signal) => {
  const names = [
    '/-/reference/constructor',
    '/-/reference/__proto__',
    '/-/reference/%',
    '/api/v4/projects/%ff%fe',
    '/%c0',
  ];
  return repeat(2, signal, () => send(url, names[Math.floor(Math.random() * names.length)], {}, signal));
};

/** A file that is a path. */
export const forgedFiles = ({ url, mallory }, signal) => {
  const file = { url: String(url), filename: 'x.txt', contentType: 'text/plain', sizeBytes: -1e12 };
  return repeat(2, signal, () =>
    send(url, `/api/v4/projects/${mallory.project.id}/uploads`, as(mallory, JSON.stringify({ file })), signal),
  );
};

/** Values that break parsers. */
export const hostileValues = ({ url, mallory }, signal) => {
  const bodies = [
    `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
    JSON.stringify({ title: { toString: 1 }, confidential: { toString: 1 } }),
    '{"__proto__":{"title":"x"},"title":"\\ud800","labels":{"$gt":""}}',
    `{"title":"${'\\u0000'.repeat(1000)}"}`,
  ];
  const target = `/api/v4/projects/${mallory.project.id}/issues`;
  return repeat(2, signal, () =>
    send(url, target, as(mallory, bodies[Math.floor(Math.random() * bodies.length)]), signal),
  );
};

/** A page of records of a megabyte each. */
export const hugeLists = ({ url, mallory }, signal) =>
  repeat(2, signal, () => send(url, `/api/v4/projects/${mallory.project.id}/issues?per_page=100`, as(mallory), signal));

/** Blame, compare and archives of large data. */
export const heavyReads = ({ url, mallory }, signal) => {
  const { id } = mallory.project;
  const targets = [
    `/api/v4/projects/${id}/repository/files/long.txt/blame?ref=main`,
    `/api/v4/projects/${id}/repository/compare?from=small&to=main`,
    `/api/v4/projects/${id}/repository/archive.zip`,
  ];
  return repeat(3, signal, () => send(url, targets[Math.floor(Math.random() * targets.length)], as(mallory), signal));
};

/** A pipeline file of a few lines that expands to billions. */
export const pipelineBombs = ({ url, mallory }, signal) =>
  repeat(2, signal, () =>
    send(url, `/api/v4/projects/${mallory.project.id}/pipeline`, as(mallory, '{"ref":"bomb"}'), signal),
  );

/** Imports from a server that sends invalid responses. */
export const hostileRemotes = ({ url, mallory, remoteUrl }, signal) => {
  let count = 0;
  return repeat(1, signal, async () => {
    const body = JSON.stringify({ path: `import-${process.pid}-${count++}`, import_url: `${remoteUrl}/x.git` });
    await send(url, '/api/v4/projects', as(mallory, body), signal);
    await delay(1000, undefined, { signal }).catch(() => undefined);
  });
};
