import fs from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { eventually } from '@moothall/testing';
import { ArchiveCache } from '../src/storage/archive-cache';

it('leaves no partial archive if it ends while its file is being opened', async () => {
  const folder = path.join(temporaryFolder('archives'), 'kept');
  const cache = new ArchiveCache(folder, 1_000_000);
  await cache.prepare();
  const { open } = fs;
  const opened = jest.fn();
  let goOn = () => {};
  const disk = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  // Like a busy disk: the file is opened only after `goOn`.
  jest
    .spyOn(fs, 'open')
    .mockImplementation(((...args: Parameters<typeof open>) => disk.then(() => open(...args)).then(opened)) as never);
  const archive = new PassThrough();
  const kept = cache.keep(['commit', 'tar'], archive);
  archive.destroy();
  await new Promise((resolve) => kept.once('close', resolve));
  // A removal that starts later has ended, so the first one would have ended too.
  await rm(path.join(folder, 'none'), { force: true });
  goOn();
  await eventually(() => opened.mock.calls.length > 0, 'the opened file');
  await eventually(async () => (await readdir(folder)).length === 0, 'the end of the file');
  await removeTemporaryFolder(path.dirname(folder));
});
