import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { getArchive, pushReceived, repositoryPushed, repositoryUpdated } from '@moothall/contracts';
import { startService } from '@moothall/service';
import { eventually, shareBetweenTests } from '@moothall/testing';
import mongoose from 'mongoose';
import { service } from '../src';
import { StorageHolding } from '../src/storage/storage-holding';
import { Storages, storageFolders } from '../src/storage/storages';
import { startRepositoryService } from './repository-under-test';

const under = shareBetweenTests(() => startRepositoryService());

it('publishes the commits of a push', async () => {
  const { project, commit, caller } = await under.newProject();
  const id = await commit('main', 'docs/a.md', 'text');
  const event = await eventually(() => under.events(pushReceived).find(({ data }) => data.after === id));
  expect(event.data).toMatchObject({
    project_id: project.id,
    user: { id: caller.id, username: 'ada' },
    ref: 'refs/heads/main',
    ref_type: 'branch',
    checkout_sha: id,
    default_branch: 'main',
    total_commits_count: 1,
    commits: [
      {
        id,
        title: 'add docs/a.md',
        url: `http://moothall.test/group/app/-/commit/${id}`,
        added: ['docs/a.md'],
        modified: [],
        removed: [],
      },
    ],
  });
});

it('publishes the events of a push after the next start if the process died first', async () => {
  const { project, commit } = await under.newProject();
  const before = await commit('main', 'a', '1');
  const repository = under.running.app.get(Storages, { strict: false }).locate(project).path;
  // State after a crash: the write-ahead record is stored, git has moved the ref, no event is published.
  const env = {
    ...process.env,
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@x',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@x',
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, ...args], { env })
      .toString()
      .trim();
  const after = git('commit-tree', '-p', before, '-m', 'lost', `${before}^{tree}`);
  git('update-ref', 'refs/heads/main', after);
  const pushedAt = new Date(Date.now() - 60_000);
  const database = await mongoose.createConnection(under.env.MONGODB_URI!).asPromise();
  await database
    .useDb(`${under.env.MONGODB_PREFIX}_repository`)
    .collection('push_intents')
    .insertOne({
      _id: 'killed' as never,
      storage: 'default',
      projectId: project.id,
      fullPath: project.fullPath,
      kind: 'code',
      pusher: null,
      updates: [
        { refName: 'refs/heads/main', before, after },
        { refName: 'refs/heads/never', before: null, after: 'a'.repeat(40) },
      ],
      createdAt: pushedAt,
    });
  // Releases the leases of this process, as at its end.
  await under.running.app.get(StorageHolding, { strict: false }).giveUp();
  const next = await startService(service, under.env);
  const pushed = await eventually(() => under.events(repositoryPushed).find(({ data }) => data.after === after));
  expect(pushed.data).toMatchObject({ project_id: project.id, before, ref: 'refs/heads/main' });
  const all = await eventually(() =>
    under.events(repositoryUpdated).find(({ data }) => data.changes[0]?.after === after),
  );
  expect(all.data).toMatchObject({ project_id: project.id, changes: [{ ref: 'refs/heads/main', before, after }] });
  expect(all.occurredAt).toBe(pushedAt.toISOString());
  expect(under.events(repositoryPushed).some(({ data }) => data.ref === 'refs/heads/never')).toBe(false);
  const left = database.useDb(`${under.env.MONGODB_PREFIX}_repository`).collection('push_intents');
  await eventually(async () => (await left.countDocuments({ storage: 'default' })) === 0);
  await database.close();
  await next.stop();
});

it('serves an archive again from disk, byte for byte', async () => {
  const { context } = await under.newProject();
  const load = async () => {
    const { url } = await under.client.call(getArchive, { id: 'x', format: 'tar.gz' }, context);
    const response = await fetch(url);
    return { length: response.headers.get('content-length'), bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const first = await load();
  const second = await load();
  expect([first.length, second.length]).toEqual([null, String(second.bytes.length)]);
  expect(second.bytes.equals(first.bytes)).toBe(true);
});

it('accepts only names of storages that can be part of a subject', () => {
  expect(() => storageFolders(['a.b=/x'])).toThrow(/not of the form/);
  expect(storageFolders(['second=/x/y']).get('second')).toBe(path.resolve('/x/y'));
});
