import { renameSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { hasPrograms, ImageClient } from '../registry/image-client';
import { makeSshKey } from '../repository/ssh-key';
import { uniqueName } from '../server/connection';
import { gitAsync } from '../server/git';
import { until } from '../server/until';
import { blobsOf, FilesOf, storedFiles, tagsOf } from './files';
import { Impostor } from './impostor';
import { readsOf } from './reads';
import { TwoSites } from './two-sites';

/* A secondary follows its primary, and serves what it copies as the primary would. See docs/api/geo-replication.md#5. */

jest.setTimeout(120_000);
const sites = new TwoSites();
// Two servers with up to twenty processes each.
beforeAll(() => sites.start(), 300_000);
// A failed test must not leave the connection interrupted.
afterEach(() => sites.cable.mend());
afterAll(() => sites.stop());

const copied = async (visibility: 'private' | 'public' = 'private') => {
  const project = await sites.project(visibility);
  await sites.untilCopied(project);
  return project;
};
/** The responses of both sites, without their URLs. */
async function both(rest: string) {
  const [there, here] = await Promise.all([sites.ask(sites.primary, rest), sites.ask(sites.secondary, rest)]);
  const local = (body: unknown) =>
    JSON.stringify(body).replaceAll(sites.primary.url, '').replaceAll(sites.secondary.url, '');
  return { there, here, isSame: there.status === here.status && local(there.body) === local(here.body) };
}

/** Events may change the answer between the two requests; a real difference remains after seconds. */
async function bothInTheEnd(rest: string) {
  let found = await both(rest);
  for (let tries = 1; tries < 20 && !found.isSame; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    found = await both(rest);
  }
  return found;
}

it('has a push of the primary within seconds, for git and for reads', async () => {
  const project = await copied();
  const folder = await sites.clone(sites.primary, project);
  const waits: number[] = [];
  for (let push = 0; push < 5; push++) {
    const tip = await sites.push(folder, project);
    const pushedAt = performance.now();
    await sites.untilTip(sites.secondary, project, tip);
    waits.push(performance.now() - pushedAt);
  }
  const median = waits.toSorted((a, b) => a - b)[2];
  console.info(`push to secondary: ${waits.map((ms) => Math.round(ms)).join(', ')} ms`);
  expect(median).toBeLessThan(5_000);
  const clone = await sites.clone(sites.secondary, project);
  expect(await gitAsync(clone, ['rev-parse', 'HEAD'])).toBe(await gitAsync(folder, ['rev-parse', 'HEAD']));
});

it('reads like the primary, from its own disk', async () => {
  const project = await copied();
  const { root } = sites;
  await root.Tags.create(project.id, 'v1', 'main', { message: 'First' });
  await root.ProjectReleases.create(project.id, { tagName: 'v1', description: 'All of it' });
  await root.Commits.editStatus(project.id, 'main', 'success');
  const folder = await sites.clone(sites.primary, project);
  const tip = await sites.push(folder, project);
  await sites.untilTip(sites.secondary, project, tip);
  const { body: tree } = await sites.ask(sites.primary, `/projects/${project.id}/repository/tree`);
  const at = (path: string) => `/projects/${project.id}/repository/${path}`;
  for (const path of [
    'tree?recursive=true',
    `blobs/${tree[0].id}`,
    `blobs/${tree[0].id}/raw`,
    'compare?from=v1&to=main',
    'contributors',
    'merge_base?refs[]=main&refs[]=v1',
    'commits?with_stats=true',
    `commits/${tip}`,
    `commits/${tip}/diff`,
    `commits/${tip}/refs`,
    'commits/v1',
    'branches',
    'branches/main',
    'tags',
    'tags/v1',
    'files/README.md?ref=main',
    'files/README.md/raw?ref=main',
    'files/README.md/blame?ref=main',
    'tags/none',
  ]) {
    const { here, there, isSame } = await both(at(path));
    expect([path, here.headers.get('via'), isSame, there.body]).toEqual([path, null, true, there.body]);
  }
  const archive = async (site: typeof sites.primary) =>
    (
      await fetch(`${site.url}/api/v4${at('archive.tar')}`, { headers: { 'private-token': sites.primary.token } })
    ).arrayBuffer();
  expect(Buffer.from(await archive(sites.secondary))).toEqual(Buffer.from(await archive(sites.primary)));
});

it('copies files of each kind, and removes what the primary removed', async () => {
  const project = await copied();
  const files = new FilesOf(sites, project);
  const address = await files.package('bytes of a package');
  await files.upload('a note');
  await files.avatar();
  await files.topicAvatar();
  await files.lfsObject('a large file');
  await files.artifact('what a job made');
  const stored = [
    ['delivery', 'packages'],
    ['delivery', 'lfs'],
    ['projects', 'uploads'],
    ['projects', 'avatars'],
    ['ci', 'artifacts'],
  ] as const;
  for (const [service, prefix] of stored) {
    const theirs = storedFiles(sites.primary, service, prefix);
    expect([prefix, theirs.size]).toEqual([prefix, expect.any(Number)]);
    expect(theirs.size).toBeGreaterThan(prefix === 'avatars' ? 1 : 0);
    await until(`the files of ${prefix}`, async () =>
      isDeepStrictEqual(theirs, storedFiles(sites.secondary, service, prefix)),
    );
  }
  // The secondary counts kind by kind, then reports to the primary; it verifies records after it has received them.
  const whole = {
    lfs_objects_synced_count: 1,
    package_files_verified_in_percentage: '100.00%',
    attachments_synced_in_percentage: '100.00%',
  };
  const reported = await until('the counters', async () => {
    const { body } = await sites.ask(sites.primary, `/geo_nodes/${sites.nodeId}/status`);
    const isWhole = Object.entries(whole).every(([name, value]) => body[name] === value);
    return isWhole && body.job_artifacts_synced_count > 0 && body.attachments_synced_count > 1 ? body : undefined;
  });
  expect(reported).toMatchObject({
    lfs_objects_count: 1,
    lfs_objects_synced_missing_on_primary_count: 0,
    package_files_count: 1,
    job_artifacts_failed_count: 0,
  });
  const read = await sites.ask(sites.secondary, address);
  expect([read.status, read.body]).toEqual([200, 'bytes of a package']);

  const [{ id }] = (await sites.ask(sites.primary, `${files.at}/packages`)).body;
  await sites.ask(sites.primary, `${files.at}/packages/${id}`, { method: 'DELETE' });
  await until('the removal', async () => storedFiles(sites.secondary, 'delivery', 'packages').size === 0);
  expect(await sites.ask(sites.secondary, '/geo/failures?kind=package_files')).toMatchObject({ status: 200, body: [] });
});

(hasPrograms() ? it : it.skip)(
  'copies images from registry to registry, and takes off tags that were taken off',
  async () => {
    const project = await copied();
    const images = new ImageClient(sites.primary.registryUrl, sites.folder);
    await images.signIn('root', sites.primary.token);
    for (const [index, tag] of ['v1', 'v2'].entries())
      await images.push(`${project.path}:${tag}`, new Date(Date.UTC(2020, 0, index + 1)));
    await until('the tags', async () => isDeepStrictEqual(tagsOf(sites.secondary, project), ['v1', 'v2']));
    for (const blob of blobsOf(sites.primary)) expect(blobsOf(sites.secondary)).toContain(blob);
    const reported = await until('the counters', async () => {
      const { body } = await sites.ask(sites.primary, `/geo_nodes/${sites.nodeId}/status`);
      return body.container_repositories_synced_count > 0 ? body : undefined;
    });
    expect(reported).toMatchObject({ container_repositories_count: 1, container_repositories_failed_count: 0 });

    const at = `/projects/${project.id}/registry/repositories`;
    const [{ id }] = (await sites.ask(sites.primary, at)).body;
    expect((await sites.ask(sites.primary, `${at}/${id}/tags/v1`, { method: 'DELETE' })).status).toBe(200);
    await until('the tag to go', async () => isDeepStrictEqual(tagsOf(sites.secondary, project), ['v2']));
    expect((await sites.ask(sites.primary, `${at}/${id}`, { method: 'DELETE' })).status).toBe(202);
    await until('the image to go', async () => tagsOf(sites.secondary, project).length === 0);
  },
);

it('answers each read as its primary does', async () => {
  const project = await copied();
  await sites.root.Issues.create(project.id, 'One');
  const reads = readsOf(project);
  expect(reads.length).toBeGreaterThan(350);
  const differing: string[] = [];
  const waiting = [...reads];
  const compareSome = async () => {
    for (let rest = waiting.shift(); rest !== undefined; rest = waiting.shift()) {
      const { here, there, isSame } = await bothInTheEnd(rest);
      if (!isSame || here.status >= 500) differing.push(`${rest}: ${there.status}, and ${here.status}`);
    }
  };
  await Promise.all(Array.from({ length: 6 }, compareSome));
  expect(differing).toEqual([]);
});

it('forwards requests that it cannot answer to the primary, and names the primary for changes', async () => {
  const project = await copied();
  await sites.root.Issues.create(project.id, 'Broken');
  const at = `/projects/${project.id}`;
  for (const rest of [
    at,
    `${at}/issues`,
    `/projects/${encodeURIComponent(project.path)}/members/all`,
    '/user',
    `${at}/wikis`,
  ])
    expect(await both(rest)).toMatchObject({ isSame: true, here: { status: 200 } });
  const { url } = sites.cable;
  const refused = await sites.ask(sites.secondary, `${at}/issues?title=No`, { method: 'POST' });
  expect(refused).toMatchObject({
    status: 403,
    body: { message: `403 Forbidden - This site is a secondary, and changes nothing. Use its primary: ${url}` },
  });
  const folder = await sites.clone(sites.secondary, project);
  await gitAsync(folder, ['commit', '--quiet', '--allow-empty', '--message', 'here']);
  await expect(gitAsync(folder, ['push', '--quiet', 'origin', 'HEAD:main'])).rejects.toThrow(
    `Use its primary: ${url}/${project.path}.git`,
  );
  const page = await fetch(`${sites.secondary.url}/${project.path}`, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  });
  expect([page.status, page.headers.get('location')]).toEqual([302, `${url}/${project.path}`]);
  expect(await sites.ask(sites.secondary, '/geo_nodes')).toMatchObject({
    body: [{}, { id: sites.nodeId, current: true }],
  });
});

it('shows what the primary would show to that caller, and for no longer', async () => {
  const project = await copied();
  const name = uniqueName('reader');
  const user = await sites.root.Users.create({
    email: `${name}@example.com`,
    name,
    username: name,
    password: `secret-${name}`,
    skipConfirmation: true,
  });
  const { id, token } = await sites.root.UserImpersonationTokens.create(user.id, 'e2e', ['api'], {
    expiresAt: '2099-01-01',
  });
  const tree = async (as: string) =>
    (await sites.ask(sites.secondary, `/projects/${project.id}/repository/tree`, { token: as })).status;
  expect(await tree(String(token))).toBe(404);
  expect(await tree('')).toBe(404);
  expect(await tree('nobodys')).toBe(401);
  await expect(sites.clone(sites.secondary, project, String(token))).rejects.toThrow(/not found|permission/);
  await sites.primary.api('POST', `/projects/${project.id}/members`, { user_id: user.id, access_level: 20 });
  await until('access', async () => (await tree(String(token))) === 200);
  // Its path was requested a moment ago, and refused.
  await until('a clone', () => sites.clone(sites.secondary, project, String(token)).catch(() => undefined));
  await sites.root.ProjectMembers.remove(project.id, user.id);
  await until('no access', async () => (await tree(String(token))) === 404);
  await sites.root.UserImpersonationTokens.remove(user.id, id);
  await until('no caller', async () => (await tree(String(token))) === 401);
  await expect(sites.clone(sites.secondary, project, String(token))).rejects.toThrow();
});

it('resumes after the primary did not answer, and reports that meanwhile', async () => {
  const [kept, gone] = [await copied(), await copied()];
  const folder = await sites.clone(sites.primary, kept);
  const tree = () => sites.ask(sites.secondary, `/projects/${kept.id}/repository/tree`);
  // The next request may go to any process: all of them must know.
  for (const { status } of await Promise.all(Array.from({ length: 20 }, tree))) expect(status).toBe(200);
  sites.cable.cut();
  // Cached answers are valid for a while.
  expect((await tree()).status).toBe(200);
  const tip = await sites.push(folder, kept);
  await sites.root.Projects.remove(gone.id);
  const away = await until('no answer', async () => {
    const answer = await tree();
    return answer.status === 503 ? answer : undefined;
  });
  expect(away.body).toEqual({ message: '503 Service Unavailable - The primary of this site does not answer' });
  sites.cable.mend();
  await sites.untilTip(sites.secondary, kept, tip);
  const clone = async () => (await sites.ask(sites.secondary, `/projects/${gone.id}/repository/tree`)).status;
  await until('the removal', async () => (await clone()) === 404);
});

it('reports another server at its primary’s address, and resumes once that is fixed', async () => {
  const project = await copied();
  const folder = await sites.clone(sites.primary, project);
  const tree = () => sites.ask(sites.secondary, `/projects/${project.id}/repository/tree`);
  // At first it still accepts callers, so that the status can be read.
  const impostor = await Impostor.before(sites.primary.url);
  sites.cable.leadTo(impostor.port);
  const reported = await until('the bad news', async () => {
    const { body } = await sites.ask(sites.secondary, `/geo_nodes/${sites.nodeId}/status`);
    return body.healthy === false ? body : undefined;
  });
  expect(reported).toMatchObject({
    health_status: 'Unhealthy',
    health: expect.stringMatching(
      /^What answers at the address of the primary is none: GET \/\S+ is answered with what is no JSON/,
    ),
  });
  impostor.letsIn = false;
  const away = await until('no answer', async () => {
    const answer = await tree();
    return answer.status === 503 ? answer : undefined;
  });
  expect(away.body).toEqual({ message: '503 Service Unavailable - The primary of this site does not answer' });
  const tip = await sites.push(folder, project);
  sites.cable.leadTo(Number(new URL(sites.primary.url).port));
  await impostor.stop();
  await sites.untilTip(sites.secondary, project, tip);
  await until('the good news', async () => {
    const { body } = await sites.ask(sites.secondary, `/geo_nodes/${sites.nodeId}/status`);
    return body.healthy === true && body.health_status === 'Healthy';
  });
});

it('creates a damaged copy again, and continues to answer', async () => {
  const project = await copied();
  const folder = await sites.clone(sites.primary, project);
  // Atomic, whatever is written there meanwhile.
  renameSync(path.join(sites.copyOf(project), 'objects'), path.join(sites.folder, uniqueName('objects')));
  const tip = await sites.push(folder, project);
  await sites.untilTip(sites.secondary, project, tip);
  const clone = await sites.clone(sites.secondary, project);
  expect(await gitAsync(clone, ['rev-parse', 'HEAD'])).toBe(tip);
});

it('serves wikis, and git over SSH', async () => {
  const project = await copied();
  await sites.root.ProjectWikis.create(project.id, 'It swings.', 'Cranes');
  const page = `/projects/${project.id}/wikis/Cranes`;
  await until('the wiki', async () => {
    const { status, headers } = await sites.ask(sites.secondary, page);
    return status === 200 && !headers.has('via');
  });
  expect(await both(page)).toMatchObject({ isSame: true });
  const key = makeSshKey(sites.folder, 'laptop');
  await sites.primary.api('POST', '/user/keys', { title: 'laptop', key: key.publicKey });
  const address = (name: string) => `ssh://git@127.0.0.1:${sites.secondary.sshPort}/${name}.git`;
  for (const name of [project.path, `${project.path}.wiki`]) {
    const cloned = path.join(sites.folder, uniqueName('ssh'));
    await gitAsync(sites.folder, ['clone', '--quiet', address(name), cloned], key.env);
    const push = gitAsync(cloned, ['push', 'origin', 'HEAD:other'], key.env);
    await expect(push).rejects.toThrow(`Use its primary: ${sites.cable.url}/${name}.git`);
  }
});

it('is itself again once its primary was stopped and is back', async () => {
  const project = await copied();
  const folder = await sites.clone(sites.primary, project);
  await sites.primary.end();
  const answer = await until('no answer', async () => {
    const { status } = await sites.ask(sites.secondary, `/projects/${project.id}/repository/tree`);
    return status === 503 ? status : undefined;
  });
  expect(answer).toBe(503);
  await sites.startPrimaryAgain();
  const tip = await sites.push(folder, project);
  await sites.untilTip(sites.secondary, project, tip);
});

it('does not use the state from before the primary was restored', async () => {
  const project = await copied();
  const folder = await sites.clone(sites.primary, project);
  await sites.root.GeoNodes.repair(sites.nodeId);
  const refused = async () => (await sites.ask(sites.secondary, `/projects/${project.id}/repository/tree`)).status;
  await until('nobody let in', async () => (await refused()) === 503);
  await sites.push(folder, project);
});
