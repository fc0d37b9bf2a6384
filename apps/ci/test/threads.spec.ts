import path from 'node:path';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { startServiceUnderTest } from '@moothall/testing';
import { InThreads } from '@moothall/workers';
import { Injectable, Module } from '@nestjs/common';
import { service } from '../src';

@Injectable()
class Broken extends InThreads<unknown, unknown> {
  constructor() {
    super(path.join(__dirname, 'fixtures/throws-when-loaded.js'), {});
  }
}

@Module({ imports: [service.module], providers: [Broken] })
class BrokenModule {}

it('does not start if a thread cannot load its module, and logs the reason', async () => {
  const folder = temporaryFolder('ci');
  const start = startServiceUnderTest({ ...service, module: BrokenModule }, { OBJECT_STORAGE_DIR: folder });
  await expect(start).rejects.toThrow(/could not load its module: Error: as it loads/);
  await removeTemporaryFolder(folder);
});
