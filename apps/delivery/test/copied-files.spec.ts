import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { countPackageFiles, deliveryFiles, type FileKind, type InputOf } from '@moothall/contracts';
import { refusalHeader } from '@moothall/data-port';
import { contextOf, eventually, shareBetweenTests, uniqueId } from '@moothall/testing';
import { startDeliveryService } from './delivery-under-test';

/* See docs/api/geo-replication.md#6. */

const delivery = shareBetweenTests(startDeliveryService);
const ask = contextOf({});
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
const list = (input: InputOf<typeof deliveryFiles.list>) => delivery.bed.call(deliveryFiles.list, input, ask);

/** Waits until the service lists the file with its project. */
async function put(file: InputOf<typeof deliveryFiles.receive>, content: string) {
  const { url } = await eventually(
    () =>
      delivery.bed.call(deliveryFiles.receive, file, ask).catch((error) => {
        if (error.code === 'geo.own_file') return undefined;
        throw error;
      }),
    'an address',
  );
  const answer = await fetch(url, { method: 'PUT', body: content });
  const refusal = answer.headers.get(refusalHeader);
  return refusal ? JSON.parse(refusal).code : answer.json();
}
const read = async (kind: FileKind, key: string) => {
  const answer = await fetch((await delivery.bed.call(deliveryFiles.read, { kind, key }, ask)).url);
  const refusal = answer.headers.get(refusalHeader);
  return refusal ? JSON.parse(refusal).code : answer.text();
};
const copy = (content: string, given: Partial<InputOf<typeof deliveryFiles.receive>> = {}) => {
  const id = uniqueId() * 1000;
  const facts = { size: content.length, sha256: sha256(content) };
  return { kind: 'package_files' as const, id, key: `packages/1/${id}`, ...facts, ...given };
};

it('lists files by ascending id, with path and digest', async () => {
  const { bed } = delivery;
  const project = bed.project();
  for (const content of ['one', 'two', 'three']) await bed.upload(project, content);
  const all = (await list({ kind: 'package_files' })).files.filter(({ project_ids }) => project_ids[0] === project.id);
  expect(all.map(({ sha256: hash }) => hash)).toEqual(['one', 'two', 'three'].map((content) => sha256(content)));
  const [first, second, third] = all;
  expect((await list({ kind: 'package_files', id_after: first?.id, limit: 1 })).files).toEqual([second]);
  expect((await list({ kind: 'package_files', newest: true, limit: 1 })).files).toEqual([third]);
  expect((await list({ kind: 'package_files', id: String(second?.id) })).files).toEqual([second]);
  expect((await list({ kind: 'package_files', id: 'nope' })).files).toEqual([]);
  expect(await read('package_files', second?.key ?? '')).toBe('two');
  const counted = await bed.call(countPackageFiles, {}, ask);
  expect(counted.package_files).toBeGreaterThanOrEqual(3);
  await expect(list({ kind: 'uploads' })).rejects.toMatchObject({ code: 'common.bad_request' });
});

it('stores the bytes of a copy only if they match the announced ones', async () => {
  const file = copy('bytes');
  expect(await put(file, 'bytes')).toEqual({ size: 5, sha256: sha256('bytes') });
  expect(await read('package_files', file.key)).toBe('bytes');
  for (const other of ['byte', 'bytes!', 'bites']) {
    const refused = copy('bytes');
    expect(await put(refused, other)).toBe('geo.file_differs');
    expect(await read('package_files', refused.key)).toBe('geo.file_missing');
  }
  const unknown = copy('whatever', { size: null, sha256: null });
  expect(await put(unknown, 'whatever')).toEqual({ size: 8, sha256: sha256('whatever') });
});

it('accepts two concurrent copies of one file', async () => {
  const file = copy('both');
  const kept = await Promise.all([put(file, 'both'), put(file, 'both')]);
  expect(kept).toEqual([expect.objectContaining({ size: 4 }), expect.objectContaining({ size: 4 })]);
  expect(await read('package_files', file.key)).toBe('both');
});

it.each(['lfs/aa/bb/1', '../x', 'packages/../instance/marker', 'packages', 'instance/marker'])(
  'touches nothing at %s',
  async (key) => {
    const { bed } = delivery;
    const file = copy('x', { key });
    await eventually(async () => (await put(copy('y'), 'y')).size === 1, 'the service to be ready');
    const refused = await Promise.allSettled([
      bed.call(deliveryFiles.receive, file, ask),
      bed.call(deliveryFiles.remove, { kind: file.kind, id: file.id, key }, ask),
      bed.call(deliveryFiles.read, { kind: file.kind, key }, ask),
    ]);
    expect(refused.map((each) => each.status === 'rejected' && each.reason.code)).toEqual(
      Array.from({ length: 3 }, () => 'geo.file_differs'),
    );
  },
);

it('removes copies, but neither replaces nor removes local files', async () => {
  const { bed } = delivery;
  const file = copy('away');
  await put(file, 'away');
  for (let twice = 0; twice < 2; twice++)
    await bed.call(deliveryFiles.remove, { kind: file.kind, id: file.id, key: file.key }, ask);
  expect(await read('package_files', file.key)).toBe('geo.file_missing');

  const project = bed.project();
  await bed.upload(project, 'own');
  const [own] = (await list({ kind: 'package_files', newest: true, limit: 1 })).files;
  const { id, key } = own!;
  const refused = await Promise.allSettled([
    bed.call(deliveryFiles.remove, { kind: 'package_files', id, key }, ask),
    bed.call(deliveryFiles.receive, { kind: 'package_files', id, key, size: 1, sha256: null }, ask),
  ]);
  expect(refused.map((each) => each.status === 'rejected' && each.reason.code)).toEqual([
    'geo.own_file',
    'geo.own_file',
  ]);
  expect(await readFile(path.join(delivery.folder, 'delivery', key), 'utf8')).toBe('own');
});
