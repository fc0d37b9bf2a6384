import { Int32, ObjectId, serialize } from 'bson';
import { decodeDocument } from '../src/bson/decode';
import { compileFilter } from '../src/query/compile-filter';
import { parseFilter } from '../src/query/parse-filter';

/** Encodes and decodes, and compares both ways of matching. */
function matches(filter: object, document: object): boolean {
  const matcher = compileFilter(parseFilter(decodeDocument(serialize(filter))));
  const bytes = serialize(document);
  const answer = matcher.matches(decodeDocument(bytes));
  expect(matcher.matchesBytes(bytes)).toBe(answer);
  return answer;
}

describe('patterns of callers', () => {
  it('run in linear time', () => {
    const started = process.cpuUsage();
    expect(matches({ a: { $regex: '^(a+)+$' } }, { a: `${'a'.repeat(5000)}!` })).toBe(false);
    expect(process.cpuUsage(started).user).toBeLessThan(4_000_000);
  });
});

describe('$in over many values', () => {
  it('costs no more per document than over one', () => {
    const ids = Array.from({ length: 1000 }, () => new ObjectId());
    const documents = ids.map((_id) => decodeDocument(serialize({ _id, n: new Int32(1) })));
    const many = compileFilter(parseFilter({ _id: { $in: ids } }));
    const one = compileFilter(parseFilter({ _id: { $in: ids.slice(0, 1) } }));
    // Processor time: others use the machine meanwhile.
    const time = (matcher: typeof many) => {
      const started = process.cpuUsage();
      for (let round = 0; round < 20; round++) for (const document of documents) matcher.matches(document);
      return process.cpuUsage(started).user / 1000;
    };
    time(one);
    time(many);
    expect(time(many)).toBeLessThan(time(one) * 10 + 20);
  });
});
