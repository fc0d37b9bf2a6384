import { Binary, BSONRegExp, Code, Decimal128, Double, Int32, Long, MaxKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import { MongoError } from '../errors';
import { compileFilter } from '../query/compile-filter';
import { parseFilter } from '../query/parse-filter';
import { decodeDocument } from './decode';
import { encodeDocument } from './encode';
import type { Document } from './value';

const whole = encodeDocument({
  _id: new ObjectId('0123456789abcdef01234567'),
  text: 'some text',
  list: [new Int32(1), 'x', null, [true], { a: new Double(1.5) }],
  inner: { a: { b: Long.fromNumber(5) }, at: new Date(5), none: null },
  bytes: new Binary(Buffer.from([1, 2, 3]), 4),
  old: new Binary(Buffer.from([1, 2, 3]), 2),
  pattern: new BSONRegExp('a+', 'i'),
  code: new Code('f()', { x: 1 }),
  decimal: Decimal128.fromString('1.5'),
  time: new Timestamp({ t: 1, i: 2 }),
  most: new MaxKey(),
});

/** The result of a decoder: a document, or that the bytes are invalid; anything else is a bug. */
function decoded(bytes: Uint8Array): Document | undefined {
  try {
    return decodeDocument(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(MongoError);
    return undefined;
  }
}

const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
const seed = 20261121;

it('refuses bytes that are no document with its own error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      decoded(bytes);
      const framed = Buffer.concat([Buffer.alloc(4), bytes, Buffer.of(0)]);
      framed.writeInt32LE(framed.length, 0);
      decoded(framed);
    }),
    { numRuns: 5000, seed },
  );
});

it('accepted parts of damaged bytes are valid documents', () => {
  const filters = [{ text: 'some text' }, { list: 'x' }, { most: { $exists: true } }, { 'inner.a.b': 5 }];
  const matchers = filters.map((filter) => compileFilter(parseFilter(filter as Document)));
  let taken = 0;
  fc.assert(
    fc.property(changes, (given) => {
      const bytes = Buffer.from(whole);
      for (const [position, byte] of given) bytes[position] = byte;
      const document = decoded(bytes);
      if (!document) return;
      taken++;
      expect(decoded(encodeDocument(document))).toBeDefined();
      // Only a repeated name makes the bytes differ from the document.
      if (new Set(Object.keys(document)).size < 11) return;
      for (const matcher of matchers) expect(matcher.matchesBytes(bytes)).toBe(matcher.matches(document));
    }),
    { numRuns: 5000, seed },
  );
  expect(taken).toBeGreaterThan(500);
});
