import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCommit, lfsLocksOfOthers, listCommits } from '@moothall/contracts';
import { listAll, prepareReplicas, type Replicas, writeUnderLoad } from '@moothall/testing';
import { newProjectOn } from './repository-under-test';

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-replicas-'));
let service: Replicas;
beforeAll(async () => {
  const settings = { GIT_STORAGES: `default=${folder}/default` };
  service = await prepareReplicas(path.resolve(__dirname, '..'), settings, (bed) => {
    bed.respond(lfsLocksOfOthers, () => []);
  });
}, 120_000);
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('each commit exists once when the owner of a storage is killed under load, and the next one takes over', async () => {
  const { client, startReplica } = service;
  const holder = await startReplica();
  // It is ready when the owner has ended: a storage has one owner.
  const next = startReplica();
  next.catch(() => undefined);
  const { context } = await newProjectOn(client);
  const write = async (number: number) => {
    const actions = [{ action: 'create' as const, file_path: `f${number}`, content: 'x' }];
    const input = { id: 'x', branch: 'main', commit_message: `m${number}`, actions };
    return (await client.call(createCommit, input, context)).id;
  };
  const interrupt = async () => {
    await holder.kill();
    await next;
  };
  const { acknowledged, unknown } = await writeUnderLoad({ write, interrupt, writers: 4, each: 10 });

  const commits = await listAll((page) => client.call(listCommits, { id: 'x', ...page }, context));
  expect(commits.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
  expect(new Set(commits.map(({ title }) => title)).size).toBe(commits.length);
  expect(commits.length).toBeLessThanOrEqual(1 + acknowledged.length + unknown.length);
}, 120_000);
