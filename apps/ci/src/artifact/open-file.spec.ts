import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { artifactErrors } from '@moothall/contracts';
import { type ByteRange, ObjectMissing, type ObjectStorage } from '@moothall/object-storage';
import { zipOf } from '../../test/zip';
import { openFile } from './open-file';

/** A storage of one object. @param refuse thrown instead of returning it */
function storageOf(object: Buffer, refuse?: () => Error) {
  const storage = {
    readBytes: 0,
    streams: [] as Readable[],
    async read(_key: string, range: ByteRange = { start: 0, end: object.length }) {
      if (refuse) throw refuse();
      const sizeBytes = range.end - range.start;
      storage.readBytes += sizeBytes;
      const chunks = function* () {
        for (let at = range.start; at < range.end; at += 65_536)
          yield object.subarray(at, Math.min(at + 65_536, range.end));
      };
      const stream = Readable.from(chunks());
      storage.streams.push(stream);
      return { stream, sizeBytes };
    },
  };
  return storage;
}

const open = (storage: object, sizeBytes: number) =>
  openFile(storage as ObjectStorage, { key: 'artifacts/1/1', sizeBytes }, 'a.txt');
const archive = zipOf([{ name: 'a.txt', content: Buffer.from('content') }]);
const absent = { value: { code: artifactErrors.notFound.code } };

it('a file is read out of an archive', async () => {
  const { stream, sizeBytes } = await open(storageOf(archive), archive.length);
  expect([await text(stream), sizeBytes]).toEqual(['content', 7]);
});

it.each([true, false])('a reader that stops early leaves no file open: %s', async (isStored) => {
  const large = zipOf([{ name: 'a.txt', content: randomBytes(2 * 1024 ** 2), isStored }]);
  const storage = storageOf(large);
  const { stream } = await open(storage, large.length);
  await once(stream, 'readable');
  stream.destroy();
  while (!storage.streams.every(({ destroyed }) => destroyed)) await setImmediate();
  expect(storage.streams.length).toBeGreaterThan(1);
});

it('is an error if the archive was deleted meanwhile', async () => {
  const storage = storageOf(archive, () => new ObjectMissing('artifacts/1/1'));
  await expect(open(storage, archive.length)).rejects.toMatchObject(absent);
});

it.each([new Error('the bucket is away'), Object.assign(new Error('no file more'), { code: 'EMFILE' })])(
  'reports a failing storage by its own error: %s',
  async (fault) => {
    await expect(
      open(
        storageOf(archive, () => fault),
        archive.length,
      ),
    ).rejects.toBe(fault);
  },
);

it('stops reading an index that is too large', async () => {
  const long = zipOf([{ name: 'n'.repeat(65_000), content: Buffer.alloc(0) }]);
  const end = Buffer.from(long.subarray(-22));
  const entry = long.subarray(end.readUInt32LE(16), -22);
  const count = 1200;
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(0, 16);
  const object = Buffer.concat([...Array<Buffer>(count).fill(entry), end]);
  const storage = storageOf(object);
  await expect(open(storage, object.length)).rejects.toMatchObject(absent);
  expect(object.length).toBeGreaterThan(70 * 1024 ** 2);
  expect(storage.readBytes).toBeLessThan(65 * 1024 ** 2);
});
