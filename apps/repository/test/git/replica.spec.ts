import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OutboundPolicies } from '@moothall/outbound';
import { withoutCredentials } from '../../src/git/transport/remote-address';
import type { ReplicaSource } from '../../src/git/transport/replica';
import { GitOutbound } from '../../src/outbound/git-outbound';
import type { RepositorySettings } from '../../src/settings/settings';
import { PrimarySite } from '../primary-site';
import { makeEngine } from './build-repository';

/* Misbehaving sources. Each leaves the existing replica unchanged. */

const { engine, folder, dispose } = makeEngine();
let primary: PrimarySite;
beforeAll(async () => {
  await engine.start();
  primary = await PrimarySite.start();
});
afterAll(async () => {
  await primary.stop();
  dispose();
});

const sourceOf = (name: string, over: Partial<Omit<ReplicaSource, 'refs' | 'pack'>> = {}): ReplicaSource => {
  const url = new URL(primary.urlOf(name));
  const source = { address: withoutCredentials(url), timeoutMs: 120_000, ...over };
  const outbound = new GitOutbound({} as OutboundPolicies, { GEO_PRIMARY_URL: primary.url } as RepositorySettings);
  return {
    ...source,
    refs: () => outbound.refsOf(url, source.timeoutMs),
    pack: (request, use, signal) => outbound.packOf(url, request, use, signal),
  };
};

let id = 0;
const newPath = () => engine.storage.path(++id);
const halfMade = () => (existsSync(join(folder, 'storage/+new')) ? readdirSync(join(folder, 'storage/+new')) : []);

const failsWith = (message: string) => ({ reason: 'replica_failed', value: { message } });

it('gives up a source that does not answer', async () => {
  primary.make('silent');
  primary.meddlers.set('silent', () => undefined);
  const path = newPath();
  const asked = engine.replicas.sync(path, sourceOf('silent', { timeoutMs: 300 }), false);
  await expect(asked).rejects.toMatchObject(failsWith('it took too long'));
  expect(existsSync(path)).toBe(false);
});

it('gives up a source whose refs never end', async () => {
  primary.make('endless');
  primary.meddlers.set('endless', (_, response) => {
    response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
    response.write('001e# service=git-upload-pack\n0000');
    const line = `003d${'a'.repeat(40)} refs/heads/endless\n`;
    const more = setInterval(() => response.write(line), 5);
    response.once('close', () => clearInterval(more));
  });
  const asked = engine.replicas.sync(newPath(), sourceOf('endless', { timeoutMs: 1_000 }), false);
  await expect(asked).rejects.toMatchObject(failsWith('it took too long'));
});

it('gives up a source that ends in the middle, and keeps the existing refs', async () => {
  primary.make('broken');
  const path = newPath();
  await engine.replicas.sync(path, sourceOf('broken'), false);
  const before = primary.refs(path);
  primary.commit('broken', 'main', 'second');
  primary.meddlers.set('broken', (request, response) => {
    if (request.method !== 'POST') return true;
    response.setHeader('content-type', 'application/x-git-upload-pack-result');
    response.write('000dpackfile\n');
    return response.destroy();
  });
  await expect(engine.replicas.sync(path, sourceOf('broken'), false)).rejects.toMatchObject({
    reason: 'replica_failed',
  });
  expect(primary.refs(path)).toEqual(before);
  primary.meddlers.delete('broken');
  expect(await engine.replicas.sync(path, sourceOf('broken'), false)).toEqual({ madeAnew: false });
  expect(primary.refs(path)).toEqual(primary.refs(primary.repository('broken')));
});

it('refuses a repository that is too large', async () => {
  primary.make('huge');
  const path = newPath();
  const asked = engine.replicas.sync(path, sourceOf('huge', { maxBytes: 100 }), false);
  await expect(asked).rejects.toMatchObject(failsWith('the repository is too large'));
  expect(existsSync(path)).toBe(false);
});

it('keeps a damaged replica while its source does not answer, and then creates it again', async () => {
  primary.make('away');
  const path = newPath();
  await engine.replicas.sync(path, sourceOf('away'), false);
  primary.meddlers.set('away', (_, response) => response.writeHead(503).end());
  await expect(engine.replicas.sync(path, sourceOf('away'), true)).rejects.toMatchObject({ reason: 'replica_failed' });
  expect(existsSync(path)).toBe(true);
  primary.meddlers.delete('away');
  expect(await engine.replicas.sync(path, sourceOf('away'), true)).toEqual({ madeAnew: true });
});

afterEach(() => expect(halfMade()).toEqual([]));
