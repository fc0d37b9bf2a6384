import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DiskStorage } from './disk-storage';
import { ObjectMissing } from './object-storage';

describe('DiskStorage', () => {
  let folder: string;
  let storage: DiskStorage;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'moothall-objects-'));
    storage = new DiskStorage(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const contentOf = async (key: string) => text((await storage.read(key)).stream);

  it('gives back what was written last', async () => {
    await storage.write('a/b', Readable.from(['one']));
    expect(await storage.write('a/b', Readable.from(['tw', 'o!']))).toEqual({ sizeBytes: 4 });
    expect(await contentOf('a/b')).toBe('two!');
  });

  it('keeps what was there when a write fails, and leaves nothing else', async () => {
    await storage.write('a/b', Readable.from(['one']));
    const broken = Readable.from(
      (async function* () {
        yield 'half';
        throw new Error('cut off');
      })(),
    );
    await expect(storage.write('a/b', broken)).rejects.toThrow('cut off');
    expect(await contentOf('a/b')).toBe('one');
    expect(readdirSync(path.join(folder, 'a'))).toEqual(['b']);
  });

  it('says what is missing, and does not mind removing it', async () => {
    await expect(storage.read('a/b')).rejects.toThrow(ObjectMissing);
    await storage.remove('a/b');
    await storage.write('a/b/c', Readable.from(['x']));
    await storage.removeAll('a');
    await expect(storage.read('a/b/c')).rejects.toThrow(ObjectMissing);
  });

  it.each(['', '..', 'a/../b', '/a', 'a//b', 'a/.b', 'a\0', 'a\\b', 'ä'])('takes %j for no key', async (key) => {
    await expect(storage.write(key, Readable.from(['x']))).rejects.toThrow('not a key');
  });
});
