import fs from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { DataPort } from '@moothall/data-port';
import { OwnFolder } from '@moothall/processes';
import { SpooledFiles } from '../src/uploads/spool';

const limit = { bytes: 1000, tooLarge: () => new Error('too large') as never };
const part = (file: PassThrough) => ({ file, filename: 'a.txt', mimetype: 'text/plain' });
// No upload is completed here, so the data port is not used.
const noPort = {} as DataPort;

it('leaves no file when the client disconnects while the file is being opened', async () => {
  const folder = new OwnFolder('spooled');
  const before = await readdir(folder.path());
  const { open } = fs;
  let goOn = () => {};
  const disk = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  // Like a busy disk: the file is opened only after `goOn`.
  jest
    .spyOn(fs, 'open')
    .mockImplementation(((...args: Parameters<typeof open>) => disk.then(() => open(...args))) as never);
  const files = new SpooledFiles(folder, noPort);
  const sent = new PassThrough();
  const failure = expect(files.write(part(sent), limit)).rejects.toThrow();
  const released = files.release();
  // A removal that starts later has ended, so the first one would have ended too.
  await rm(path.join(folder.path(), 'none'), { force: true });
  goOn();
  await released;
  sent.destroy();
  await failure;
  expect(await readdir(folder.path())).toEqual(before);
  await folder.remove();
});

it('leaves no file of an upload that is refused in the middle', async () => {
  const folder = new OwnFolder('spooled');
  const before = await readdir(folder.path());
  const files = new SpooledFiles(folder, noPort);
  const sent = new PassThrough();
  const failure = expect(files.write(part(sent), limit)).rejects.toThrow('too large');
  sent.end(Buffer.alloc(limit.bytes + 1));
  await failure;
  await files.release();
  expect(await readdir(folder.path())).toEqual(before);
  await folder.remove();
});
