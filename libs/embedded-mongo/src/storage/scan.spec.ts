import fc from 'fast-check';
import type { KeyRange } from '../bson/index-key';
import type { Index } from '../index/index-spec';
import { prefixKey } from './keys';
import { IndexScan, PASSED_OVER } from './scan';
import type { Store } from './store';

/** Entries of an index, each a number and itself as its record, and the number of lookups among them. */
class Entries {
  looks = 0;
  private readonly keys: Buffer[];

  constructor(numbers: readonly number[]) {
    this.keys = [...new Set(numbers)]
      .sort((a, b) => a - b)
      .map((number) => Buffer.concat([prefixKey(7), keyOf(number)]));
  }

  get store(): Store {
    return { entries: this } as unknown as Store;
  }

  getKeys({ start, end, reverse, exclusiveStart, inclusiveEnd }: LookFor): IterableIterator<Buffer> {
    this.looks++;
    const ordered = reverse ? [...this.keys].reverse() : this.keys;
    const sign = reverse ? -1 : 1;
    const from = ordered.filter((key) => {
      const order = Buffer.compare(key, start) * sign;
      return exclusiveStart ? order > 0 : order >= 0;
    });
    const within = from.filter((key) => {
      const order = Buffer.compare(key, end) * sign;
      return inclusiveEnd ? order <= 0 : order < 0;
    });
    return within.values();
  }
}

interface LookFor {
  start: Buffer;
  end: Buffer;
  reverse?: boolean;
  exclusiveStart?: boolean;
  inclusiveEnd?: boolean;
}

function keyOf(number: number): Buffer {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(BigInt(number));
  return key;
}

const rangeOf = ([start, end]: [number, number]): KeyRange & { leadingBytes: number } => ({
  start: keyOf(start),
  end: keyOf(end),
  leadingBytes: 0,
});

function scanOf(entries: Entries, ranges: [number, number][], reverse = false): IndexScan {
  const index = { id: 7, isUnique: false } as Index;
  return new IndexScan(entries.store, { index, ranges: ranges.map(rangeOf), reverse, filters: [], mayRepeat: false });
}

function readAll(scan: IndexScan, pauses: (at: number) => boolean = () => false): number[] {
  const found: number[] = [];
  for (let id = scan.next(); id !== undefined; id = scan.next()) {
    if (id === PASSED_OVER || pauses(found.push(id))) scan.pause();
  }
  return found;
}

const number = fc.integer({ min: 0, max: 60 });

it('several ranges return the union in order, paused or not', () => {
  const bounds = fc.uniqueArray(number, { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(number),
      bounds,
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      (numbers, ends, reverse, each) => {
        const sorted = [...ends].sort((a, b) => a - b);
        const ranges = sorted
          .slice(1)
          .flatMap((end, at) => (at % 2 === 0 ? [[sorted[at], end] as [number, number]] : []));
        const expected = [...new Set(numbers)]
          .filter((one) => ranges.some(([start, end]) => one >= start && one < end))
          .sort((a, b) => (reverse ? b - a : a - b));
        const scan = scanOf(new Entries(numbers), ranges, reverse);
        expect(readAll(scan, (at) => at % each === 0)).toEqual(expected);
        expect(scan.keysExamined).toBe(expected.length);
      },
    ),
  );
});

it.each([false, true])('ten thousand ranges read few of them if few contain something; in reverse: %s', (reverse) => {
  const ranges = Array.from({ length: 10_000 }, (_, at) => [at * 10, at * 10 + 5] as [number, number]);
  // In three of the ranges, and in two of the gaps between them.
  const entries = new Entries([12, 13, 5_007, 50_001, 70_008, 99_994]);
  const found = [12, 13, 50_001, 99_994];
  expect(readAll(scanOf(entries, ranges, reverse))).toEqual(reverse ? found.reverse() : found);
  expect(entries.looks).toBeLessThan(8);
});

it('of ranges with something between any two looks for one place in a step, so that it can be paused', () => {
  const ranges = Array.from({ length: 1_000 }, (_, at) => [at * 10, at * 10 + 5] as [number, number]);
  const entries = new Entries([...ranges.map(([start]) => start + 7), 9_992]);
  const scan = scanOf(entries, ranges);
  let steps = 0;
  for (let id = scan.next(); id !== 9_992; id = scan.next()) {
    expect(id).toBe(PASSED_OVER);
    steps++;
  }
  expect(entries.looks).toBe(steps + 1);
});
