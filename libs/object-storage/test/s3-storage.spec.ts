import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import S3rver from 's3rver';
import { ObjectMissing, type ObjectStorage, openObjectStorage } from '../src';

let folder: string;
let server: S3rver;
let endpoint: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'moothall-s3-'));
  const configureBuckets = [{ name: 'files' }];
  server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder, configureBuckets });
  endpoint = `http://127.0.0.1:${(await server.run()).port}`;
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const storageOf = (service: string, over: object = {}): ObjectStorage =>
  openObjectStorage(service, {
    OBJECT_STORAGE_DIR: path.join(folder, 'unused'),
    FSYNC: true,
    S3_ENDPOINT: endpoint,
    S3_BUCKET: 'files',
    S3_REGION: 'us-east-1',
    S3_ACCESS_KEY: 'S3RVER',
    S3_SECRET_KEY: 'S3RVER',
    ...over,
  });

const contentOf = async (storage: ObjectStorage, key: string) => text((await storage.read(key)).stream);

function* megabytes(count: number): Generator<Buffer> {
  for (let at = 0; at < count; at += 1) yield Buffer.alloc(1024 ** 2, at);
}

describe('S3Storage', () => {
  it('returns the last written bytes', async () => {
    const storage = storageOf('one');
    await storage.write('a/b', Readable.from(['one']));
    expect(await storage.write('a/b', Readable.from(['tw', 'o!']))).toEqual({ sizeBytes: 4 });
    expect(await contentOf(storage, 'a/b')).toBe('two!');
    expect((await storage.read('a/b')).sizeBytes).toBe(4);
    expect(await storage.sizeOf('a/b')).toBe(4);
    await expect(storage.sizeOf('a/none')).rejects.toThrow(ObjectMissing);
    expect(await storage.write('a/empty', Readable.from([]))).toEqual({ sizeBytes: 0 });
    expect(await contentOf(storage, 'a/empty')).toBe('');
  });

  it.each([8, 19])('writes %d MB in parts, and reads them as one', async (count) => {
    const storage = storageOf('one');
    expect(await storage.write('a/large', Readable.from(megabytes(count)))).toEqual({ sizeBytes: count * 1024 ** 2 });
    const { stream, sizeBytes } = await storage.read('a/large');
    expect(sizeBytes).toBe(count * 1024 ** 2);
    const all = Buffer.concat([...megabytes(count)]);
    expect((await buffer(stream)).equals(all)).toBe(true);
    for (const [start, end] of [
      [0, 2],
      [7 * 1024 ** 2 - 1, 8 * 1024 ** 2],
      [all.length - 3, all.length],
    ] as const) {
      const part = await storage.read('a/large', { start, end });
      expect(part.sizeBytes).toBe(end - start);
      expect((await buffer(part.stream)).equals(all.subarray(start, end))).toBe(true);
    }
    await expect(storage.read('a/none', { start: 0, end: 1 })).rejects.toThrow(ObjectMissing);
  });

  it('keeps the old object if a write fails', async () => {
    const storage = storageOf('one');
    await storage.write('a/kept', Readable.from(['one']));
    const broken = (count: number) =>
      Readable.from(
        (function* () {
          yield* megabytes(count);
          throw new Error('cut off');
        })(),
      );
    await expect(storage.write('a/kept', broken(1))).rejects.toThrow('cut off');
    await expect(storage.write('a/kept', broken(18))).rejects.toThrow('cut off');
    expect(await contentOf(storage, 'a/kept')).toBe('one');
  });

  it('reports a missing object, and removes one, or all below a prefix and no more', async () => {
    const [storage, other] = [storageOf('one'), storageOf('two')];
    await expect(storage.read('x/none')).rejects.toThrow(ObjectMissing);
    await storage.remove('x/none');
    for (const key of ['x/a/1', 'x/a/2/3', 'x/ab']) await storage.write(key, Readable.from([key]));
    await other.write('x/a/1', Readable.from(['other']));
    await storage.removeAll('x/a');
    await expect(storage.read('x/a/1')).rejects.toThrow(ObjectMissing);
    await expect(storage.read('x/a/2/3')).rejects.toThrow(ObjectMissing);
    expect(await contentOf(storage, 'x/ab')).toBe('x/ab');
    expect(await contentOf(other, 'x/a/1')).toBe('other');
    await storage.remove('x/ab');
    await expect(storage.read('x/ab')).rejects.toThrow(ObjectMissing);
    await storage.removeInterrupted();
  });

  it.each(['', '..', 'a/../b', '/a', 'a//b', 'a\\b'])('refuses the key %j', async (key) => {
    await expect(storageOf('one').write(key, Readable.from(['x']))).rejects.toThrow('not a key');
  });

  it('refuses with a wrong credential or bucket', async () => {
    const write = (over: object) => storageOf('one', over).write('a/x', Readable.from(['x']));
    await expect(write({ S3_ACCESS_KEY: 'nobody' })).rejects.toMatchObject({ code: 'InvalidAccessKeyId' });
    await expect(write({ S3_BUCKET: 'none' })).rejects.toMatchObject({ code: 'NoSuchBucket' });
  });
});
