import { Readable } from 'node:stream';
import { artifactErrors, mostListed } from '@moothall/contracts';
import type { ByteRange, ObjectStorage } from '@moothall/object-storage';
import { zipOf } from '../../test/zip';
import { listFolder } from './list-folder';

const list = (names: string[], folder = '') => {
  const object = zipOf(names.map((name) => ({ name, content: Buffer.from(name.endsWith('/') ? '' : name) })));
  const storage = {
    read: async (_key: string, { start, end }: ByteRange) => ({ stream: Readable.from([object.subarray(start, end)]) }),
  };
  return listFolder(storage as unknown as ObjectStorage, { key: 'a', sizeBytes: object.length }, folder);
};
const names = ['b.txt', 'a.txt', 'out/', 'out/deep/c.txt', 'out/d.txt', 'output/e.txt', 'empty/'];

it('has the files and folders of its own level, sorted', async () => {
  expect(await list(names)).toEqual({
    folders: ['empty', 'out', 'output'],
    files: [
      { name: 'a.txt', size: 5 },
      { name: 'b.txt', size: 5 },
    ],
    is_whole: true,
  });
  expect(await list(names, 'out')).toEqual({ folders: ['deep'], files: [{ name: 'd.txt', size: 9 }], is_whole: true });
  expect(await list(names, 'empty')).toEqual({ folders: [], files: [], is_whole: true });
});

it.each(['a.txt', 'ou', 'out/', 'none', '..', '/'])('does not exist at %j', async (folder) => {
  await expect(list(names, folder)).rejects.toMatchObject({ value: { code: artifactErrors.notFound.code } });
});

it('is cut if it is too large', async () => {
  const files = Array.from({ length: mostListed.files + 5 }, (_, at) => `many/${at}`);
  const shown = await list(['first', ...files], 'many');
  expect([shown.files.length, shown.is_whole]).toEqual([mostListed.files, false]);
});

it('of an archive with too many files has those of its beginning', async () => {
  const files = Array.from({ length: mostListed.entries }, (_, at) => `many/${at}`);
  const shown = await list(['first', ...files, 'last']);
  expect(shown).toEqual({ folders: ['many'], files: [{ name: 'first', size: 5 }], is_whole: false });
});
