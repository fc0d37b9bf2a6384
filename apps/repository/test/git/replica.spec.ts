import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withoutCredentials } from '../../src/git/transport/remote-address';
import type { ReplicaSource } from '../../src/git/transport/replica';
import { PrimarySite } from '../primary-site';
import { makeEngine } from './build-repository';

/* Sources that behave badly. None of them leaves anything but the replica that was there. */

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

const sourceOf = (name: string, over: Partial<ReplicaSource> = {}): ReplicaSource => ({
  address: withoutCredentials(new URL(primary.urlOf(name))),
  timeoutMs: 120_000,
  ...over,
});

let id = 0;
const newPath = () => engine.storage.path(++id);
const halfMade = () => (existsSync(join(folder, 'storage/+new')) ? readdirSync(join(folder, 'storage/+new')) : []);

const failsWith = (message: string) => ({ reason: 'replica_failed', value: { message } });

it('gives up a source that says nothing', async () => {
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

it('gives up a source that ends in the middle, and keeps what was there', async () => {
  primary.make('broken');
  const path = newPath();
  await engine.replicas.sync(path, sourceOf('broken'), false);
  const before = primary.refs(path);
  primary.commit('broken', 'main', 'second');
  let isAdvertised = false;
  primary.meddlers.set('broken', (request, response) => {
    const isPack = request.method === 'POST' && isAdvertised;
    isAdvertised ||= request.method === 'POST';
    if (!isPack) return true;
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

it('takes no repository that is over the bound', async () => {
  primary.make('huge');
  const path = newPath();
  const asked = engine.replicas.sync(path, sourceOf('huge', { maxBytes: 100 }), false);
  await expect(asked).rejects.toMatchObject(failsWith('the repository is too large'));
  expect(existsSync(path)).toBe(false);
});

it('keeps a damaged replica where its source is away, and then makes it anew', async () => {
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
