import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ExternalSort, type Sortable } from './external-sort';
import { ScratchFile } from './scratch-file';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'scratch-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Item {
  key: number;
  arrival: number;
}

const items: Sortable<Item> = {
  compare: (a, b) => a.key - b.key,
  bytesOf: () => 10,
  encode: (item) => Buffer.from(JSON.stringify(item)),
  decode: (bytes) => JSON.parse(bytes.toString()) as Item,
};

function sorted(keys: number[], wanted: number, memoryBytes: number): Item[] {
  const sort = new ExternalSort(items, {
    wanted,
    memoryBytes,
    openScratch: () => ScratchFile.open(folder),
    refusal: () => new Error('refused'),
  });
  for (const [arrival, key] of keys.entries()) {
    sort.add({ key, arrival });
    if (sort.isDue) for (const _ of sort.settle());
  }
  return [...sort.sorted()];
}

it('sorts beyond memory as in memory, stably', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(50), { maxLength: 6000, size: 'max' }),
      fc.constantFrom(1, 7, 1500, Number.POSITIVE_INFINITY),
      fc.constantFrom(100, 5000, 30_000, 1_000_000),
      (keys, wanted, memoryBytes) => {
        const expected = keys.map((key, arrival) => ({ key, arrival })).sort(items.compare);
        expect(sorted(keys, wanted, memoryBytes)).toEqual(expected.slice(0, wanted));
      },
    ),
    { numRuns: 60 },
  );
  expect(readdirSync(folder)).toEqual([]);
});

it('fails beyond memory if allowDiskUse is false', () => {
  const sort = new ExternalSort(items, {
    wanted: Number.POSITIVE_INFINITY,
    memoryBytes: 15,
    openScratch: undefined,
    refusal: () => new Error('refused'),
  });
  sort.add({ key: 1, arrival: 0 });
  expect(sort.isDue).toBe(false);
  sort.add({ key: 1, arrival: 1 });
  expect(sort.isDue).toBe(true);
  expect(() => [...sort.settle()]).toThrow('refused');
});

it('reads records of any size back, also between appends', () => {
  const file = ScratchFile.open(folder);
  const records = [0, 1, 100, 70_000, 300_000, 5].map((size, at) => Buffer.alloc(size, at));
  const places = records.map((record) => {
    const from = file.size;
    file.append(record);
    return from;
  });
  expect([...file.records()].map((record) => Buffer.from(record).equals(records[0]!))).toHaveLength(6);
  for (const [at, from] of places.entries()) {
    const [record] = file.records(from);
    expect(record!.equals(records[at]!)).toBe(true);
  }
  file.append(Buffer.from('more'));
  expect([...file.records()].map(({ length }) => length)).toEqual([0, 1, 100, 70_000, 300_000, 5, 4]);
  file.close();
});
