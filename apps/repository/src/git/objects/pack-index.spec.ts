import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingFromPack } from './pack-index';

const folder = mkdtempSync(join(tmpdir(), 'moothall-index-'));
const git = (args: string[], input = '') => execFileSync('git', args, { cwd: folder, input }).toString().trim();
let ids: string[] = [];
let file = '';
beforeAll(() => {
  git(['init', '--quiet', '--bare']);
  const texts = Array.from({ length: 600 }, (_, index) => `blob\ndata ${String(index).length}\n${index}\n`);
  git(['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'], texts.join(''));
  const [name] = readdirSync(join(folder, 'objects/pack')).filter((each) => each.endsWith('.idx'));
  file = join(folder, 'objects/pack', name!);
  ids = git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']).split('\n').sort();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('finds every object of a pack, and names the first that is missing', async () => {
  expect(ids).toHaveLength(600);
  expect(await missingFromPack(file, ids)).toBeNull();
  const [first, last] = ['0'.repeat(40), 'f'.repeat(40)] as const;
  expect(await missingFromPack(file, [first, ...ids])).toBe(first);
  expect(await missingFromPack(file, [...ids, last])).toBe(last);
  const beside = ids[300]!.slice(0, 39) + (ids[300]!.endsWith('0') ? '1' : '0');
  expect(await missingFromPack(file, [...ids, beside].sort())).toBe(beside);
});

it('refuses other files as an index', async () => {
  for (const bytes of ['', 'x'.repeat(2000), `\xfftOc\0\0\0\x02${'\0'.repeat(1020)}\0\0\0\x05`]) {
    writeFileSync(join(folder, 'other.idx'), bytes, 'latin1');
    await expect(missingFromPack(join(folder, 'other.idx'), ['f'.repeat(40)])).rejects.toThrow('git_failed');
  }
});
