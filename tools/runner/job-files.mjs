import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { unzip, zip } from './zip.mjs';

/* Files of jobs for other jobs: artifacts, which the server stores, and caches, which the runner stores. */

const expanded = (text, env) =>
  text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, plain) => env[braced ?? plain] ?? '');

/** `**` matches any folders, `*` and `?` stay within one; a folder name matches everything in it. */
function matcher(pattern) {
  const words = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };
  const source = pattern
    .replace(/^\.\//, '')
    .replace(/\/+$/, '')
    .replace(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (found) => words[found] ?? `\\${found}`);
  return new RegExp(`^${source}(?:/.*)?$`);
}

function filesIn(folder, { paths = [], exclude = [], untracked }, env, tracked) {
  const wanted = paths.map((one) => matcher(expanded(one, env)));
  const unwanted = exclude.map((one) => matcher(expanded(one, env)));
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith(`.git${path.sep}`))
    .filter((name) => wanted.some((one) => one.test(name)) || (untracked && !tracked.has(name)))
    .filter((name) => !unwanted.some((one) => one.test(name)))
    .sort();
}

const isDue = (when, hasSucceeded) => when === 'always' || (when === 'on_failure') === !hasSucceeded;

async function packed({ artifact_format: format }, folder, names) {
  if (format === 'zip') return zip(folder, names);
  const contents = names.map((name) => readFileSync(path.join(folder, name)));
  return format === 'gzip' ? Buffer.concat(contents.map((content) => gzipSync(content))) : contents[0];
}

/**
 * Sends the artifacts of a job.
 * @param options folder, env, tracked (names of files that git knows), hasSucceeded, say (a line for the trace)
 * @returns false if some were not accepted
 */
export async function sendArtifacts(server, job, { folder, env, tracked, hasSucceeded, print }) {
  let areTaken = true;
  for (const artifact of job.artifacts) {
    if (!isDue(artifact.when, hasSucceeded)) continue;
    const names = filesIn(folder, artifact, env, tracked);
    if (names.length === 0) {
      print(`no files for ${artifact.artifact_type}`);
      continue;
    }
    const { artifact_type, artifact_format, expire_in } = artifact;
    const query = new URLSearchParams({ artifact_type, artifact_format, ...(expire_in && { expire_in }) });
    const name = expanded(artifact.name ?? 'artifacts', env) || 'artifacts';
    const body = new FormData();
    const filename = artifact_type === 'archive' ? `${name}.zip` : name;
    body.set('file', new Blob([await packed(artifact, folder, names)]), filename);
    const headers = { 'job-token': job.token };
    const { status } = await fetch(`${server}/api/v4/jobs/${job.id}/artifacts?${query}`, {
      method: 'POST',
      headers,
      body,
    });
    print(`${artifact_type}: ${names.length} files, ${status}`);
    areTaken &&= status === 201;
  }
  return areTaken;
}

/** Unpacks the archives of earlier jobs into the work folder. */
export async function fetchArtifacts(server, job, folder, print) {
  for (const { id, name, token } of job.dependencies) {
    const response = await fetch(`${server}/api/v4/jobs/${id}/artifacts`, { headers: { 'job-token': token } });
    if (response.status !== 200) throw new Error(`the artifacts of ${name} were refused: ${response.status}`);
    await unzip(Buffer.from(await response.arrayBuffer()), folder);
    print(`artifacts of ${name}`);
  }
}

const placeOf = (caches, job, key, env) =>
  path.join(caches, String(job.job_info.project_id), encodeURIComponent(expanded(key, env)));

/** The first existing cache among the key and its fallback keys. */
export function restoreCaches(caches, job, { folder, env, print }) {
  for (const { key, fallback_keys, policy } of job.cache) {
    if (expanded(policy, env) === 'push') continue;
    const place = [key, ...fallback_keys].map((one) => placeOf(caches, job, one, env)).find((one) => existsSync(one));
    if (place) cpSync(place, folder, { recursive: true });
    print(`cache ${key}: ${place ? 'found' : 'not found'}`);
  }
}

export function storeCaches(caches, job, { folder, env, tracked, hasSucceeded }) {
  for (const cache of job.cache) {
    if (expanded(cache.policy, env) === 'pull' || !isDue(cache.when, hasSucceeded)) continue;
    const place = placeOf(caches, job, cache.key, env);
    rmSync(place, { recursive: true, force: true });
    for (const name of filesIn(folder, cache, env, tracked)) {
      mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
      cpSync(path.join(folder, name), path.join(place, name));
    }
  }
}
