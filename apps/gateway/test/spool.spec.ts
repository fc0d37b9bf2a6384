import fs from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { DataPort } from '@moothall/data-port';
import { OwnFolder } from '@moothall/processes';
import { SpooledFiles } from '../src/uploads/spool';

const limit = { bytes: 1000, tooLarge: () => new Error('too large') as never };
const part = (file: PassThrough) => ({ file, filename: 'a.txt', mimetype: 'text/plain' });
// Nothing is written to the end here, so nothing is told of a file.
const noPort = {} as DataPort;

it('leaves no file of a client that goes while its file is being opened', async () => {
  const folder = new OwnFolder('spooled');
  const before = await readdir(folder.path());
  const { open } = fs;
  let goOn = () => {};
  const disk = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  // As a disk that others keep busy.
  jest
    .spyOn(fs, 'open')
    .mockImplementation(((...args: Parameters<typeof open>) => disk.then(() => open(...args))) as never);
  const files = new SpooledFiles(folder, noPort);
  const sent = new PassThrough();
  const failure = expect(files.write(part(sent), limit)).rejects.toThrow();
  const released = files.release();
  // By then another removal has come to its end.
  await rm(path.join(folder.path(), 'none'), { force: true });
  goOn();
  await released;
  sent.destroy();
  await failure;
  expect(await readdir(folder.path())).toEqual(before);
  await folder.remove();
});

it('leaves no file that is refused in the middle', async () => {
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
