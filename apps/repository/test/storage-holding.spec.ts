import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listTree } from '@moothall/contracts';
import { startService } from '@moothall/service';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { Logger } from '@nestjs/common';
import { service } from '../src';
import { StorageHolding } from '../src/storage/storage-holding';
import { startRepositoryService } from './repository-under-test';

const under = shareBetweenTests(() => startRepositoryService());

// Regression: two processes on one storage deleted each other's running work.
it('waits for the owner of a storage, logs who that is, does not touch its work, and takes over', async () => {
  const { context } = await under.newProject();
  const storage = path.join(under.folder, 'default');
  const underWay = ['+new/x/config', '+trash/y/config', '+archives/z.part'].map((one) => path.join(storage, one));
  for (const file of underWay) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, 'under way');
  }
  const warnings: string[] = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((words) => void warnings.push(String(words)));
  let isServing = false;
  const second = startService(service, under.env).finally(() => {
    isServing = true;
  });
  const said = await eventually(
    () => warnings.find((words) => words.includes('storage default is owned by')),
    'the wait',
  );
  expect(said).toContain(`process ${process.pid}`);
  expect([isServing, ...underWay.map((file) => existsSync(file))]).toEqual([false, true, true, true]);
  await under.running.app.get(StorageHolding, { strict: false }).giveUp();
  const next = await second;
  expect(underWay.map((file) => existsSync(file))).toEqual([false, false, false]);
  expect((await under.client.call(listTree, { id: 'x' }, context)).items).toHaveLength(1);
  await next.stop();
});

it.each(['api', 'worker'])('refuses to be %s only, as that would split a storage', async (role) => {
  await expect(startService(service, { ...under.env, ROLES: role })).rejects.toThrow(/one process holds a storage/);
});
