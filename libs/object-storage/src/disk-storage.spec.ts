import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { link } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { commonErrors } from '@moothall/contracts';
import { DiskStorage } from './disk-storage';
import { type HandedFile, ObjectMissing } from './object-storage';

describe('DiskStorage', () => {
  let folder: string;
  let storage: DiskStorage;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'moothall-objects-'));
    storage = new DiskStorage(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const draftFolder = () => path.join(folder, '.drafts');
  const drafts = () => (existsSync(draftFolder()) ? readdirSync(draftFolder()) : []);

  /** Drafts that this process has open, also if they are deleted. */
  const openDrafts = () =>
    readdirSync('/proc/self/fd').flatMap((fd) => {
      // The folder itself was open while it was listed.
      const at = `/proc/self/fd/${fd}`;
      const target = lstatSync(at, { throwIfNoEntry: false }) ? readlinkSync(at) : '';
      return target.startsWith(draftFolder()) ? [target] : [];
    });

  /** A write that waits for more bytes. */
  const startWriting = (key: string) => {
    const bytes = new PassThrough();
    bytes.write('half');
    const written = storage.write(key, bytes).catch((error: Error) => error);
    return () => {
      bytes.end();
      return written;
    };
  };

  const contentOf = async (key: string) => text((await storage.read(key)).stream);

  it('returns the last written bytes', async () => {
    await storage.write('a/b', Readable.from(['one']));
    expect(await storage.write('a/b', Readable.from(['tw', 'o!']))).toEqual({ sizeBytes: 4 });
    expect(await contentOf('a/b')).toBe('two!');
  });

  it.each([
    { start: 0, end: 1 },
    { start: 2, end: 5 },
    { start: 0, end: 9 },
  ])('returns a part: %j', async (range) => {
    await storage.write('a/b', Readable.from(['all of ', 'it']));
    const { stream, sizeBytes } = await storage.read('a/b', range);
    expect([await text(stream), sizeBytes]).toEqual([
      'all of it'.slice(range.start, range.end),
      range.end - range.start,
    ]);
    await expect(storage.read('a/c', range)).rejects.toThrow(ObjectMissing);
  });

  it('keeps the old object if a write fails, and leaves nothing else', async () => {
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
    expect(drafts()).toEqual([]);
  });

  it('closes the draft of a failed write before it deletes it', async () => {
    const failing = () =>
      new Readable({
        read() {
          this.destroy(new Error('cut off'));
        },
      });
    for (let left = 20; left > 0; left--) {
      await expect(storage.write('a/b', failing())).rejects.toThrow('cut off');
      expect([drafts(), openDrafts()]).toEqual([[], []]);
    }
  });

  it('removes with a key the temporary files of its killed writers, and all others after an hour', async () => {
    const ends = [startWriting('a/b'), startWriting('a/c')];
    while (drafts().length < 2) await setImmediate();
    await storage.remove('a/b');
    const [left] = drafts();
    expect(drafts()).toEqual([left]);
    await storage.removeInterrupted();
    expect(drafts()).toEqual([left]);
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    utimesSync(path.join(draftFolder(), left!), longAgo, longAgo);
    await storage.removeInterrupted();
    expect(drafts()).toEqual([]);
    await Promise.all(ends.map((end) => end()));
  });

  describe('of a file that lies here', () => {
    let handed: string;
    beforeEach(() => {
      handed = path.join(folder, '.handed');
      writeFileSync(handed, 'as it lies');
    });
    const file = (linkTo: HandedFile['linkTo']): HandedFile => ({
      stream: () => Readable.from([Buffer.from('as it is read')]),
      linkTo,
    });

    it('links it, and keeps the bytes if its first name is removed', async () => {
      const seen: Buffer[] = [];
      const linked = file(async (name) => link(handed, name).then(() => true));
      expect(await storage.write('a/b', linked, (chunk) => seen.push(chunk))).toEqual({ sizeBytes: 10 });
      rmSync(handed);
      expect([await contentOf('a/b'), Buffer.concat(seen).toString(), drafts()]).toEqual([
        'as it lies',
        'as it lies',
        [],
      ]);
    });

    it('reads it if it cannot be linked', async () => {
      const seen: Buffer[] = [];
      await storage.write(
        'a/b',
        file(async () => false),
        (chunk) => seen.push(chunk),
      );
      expect([await contentOf('a/b'), Buffer.concat(seen).toString()]).toEqual(['as it is read', 'as it is read']);
    });

    it('stores nothing if the receiver of its bytes refuses them', async () => {
      const linked = file(async (name) => link(handed, name).then(() => true));
      const refuse = () => {
        throw new Error('not these');
      };
      await expect(storage.write('a/b', linked, refuse)).rejects.toThrow('not these');
      await expect(storage.read('a/b')).rejects.toThrow(ObjectMissing);
      expect(drafts()).toEqual([]);
    });
  });

  it('refuses an object that is removed while it is read', async () => {
    const removed = Readable.from(
      (async function* () {
        yield 'a part';
        await storage.remove('a/b');
        yield 'the rest';
      })(),
    );
    await expect(storage.write('a/b', removed)).rejects.toMatchObject({
      value: { code: commonErrors.unavailable.code },
    });
    await expect(storage.read('a/b')).rejects.toThrow(ObjectMissing);
  });

  it('reports a missing object, and accepts its removal', async () => {
    await expect(storage.read('a/b')).rejects.toThrow(ObjectMissing);
    await storage.remove('a/b');
    await storage.write('a/b/c', Readable.from(['x']));
    await storage.removeAll('a');
    await expect(storage.read('a/b/c')).rejects.toThrow(ObjectMissing);
  });

  it.each(['', '..', 'a/../b', '/a', 'a//b', 'a/.b', 'a\0', 'a\\b', 'ä'])('refuses the key %j', async (key) => {
    await expect(storage.write(key, Readable.from(['x']))).rejects.toThrow('not a key');
  });
});
