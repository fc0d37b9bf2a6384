import { BSONSymbol, Decimal128, Double, Int32, Long, ObjectId } from 'bson';
import fc from 'fast-check';
import { decodeDocument } from '../bson/decode';
import { encodeDocument } from '../bson/encode';
import type { Document, Value } from '../bson/value';
import { compileFilter } from './compile-filter';
import { parseFilter } from './parse-filter';

const ids = ['0123456789abcdef01234567', '0123456789abcdef01234568', 'ffffffffffffffff01234567'];
// Few and similar, so that fields and operands match: equal numbers of different types, limits of doubles.
const scalar = fc.constantFrom<Value>(
  null,
  true,
  false,
  '',
  'a',
  'ab',
  'ä',
  new BSONSymbol('a'),
  new Int32(1),
  new Int32(-1),
  new Double(1),
  new Double(1.5),
  new Double(-0),
  new Double(Number.NaN),
  new Double(2 ** 53),
  Long.fromNumber(1),
  Long.fromNumber(-1),
  Long.fromString('9007199254740993'),
  Long.MAX_VALUE,
  Decimal128.fromString('1'),
  Decimal128.fromString('1.5'),
  new Date(1),
  new Date(-1),
  new Date(8.64e15),
  ...ids.map((id) => new ObjectId(id)),
);
const field = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b'), scalar, { maxKeys: 2 }),
);
const document = fc.dictionary(fc.constantFrom('a', 'b', 'ab', 'c'), field as fc.Arbitrary<Value>, { maxKeys: 4 });

const condition: fc.Arbitrary<Document> = fc.oneof(
  fc.tuple(fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), scalar).map(([name, operand]) => ({
    [name]: operand,
  })),
  fc.tuple(fc.constantFrom('$in', '$nin'), fc.array(scalar, { maxLength: 4 })).map(([name, operand]) => ({
    [name]: operand,
  })),
  fc.boolean().map(($exists) => ({ $exists })),
  fc.constantFrom<Document>({ $size: 2 }, { $type: 'array' }, { $regex: '^a' }, { $elemMatch: { $gte: 1 } }),
  fc.array(scalar, { maxLength: 2 }).map(($eq) => ({ $eq })),
);
const clause = fc.tuple(fc.constantFrom('a', 'b', 'ab', 'a.b'), condition).map(([name, test]) => ({ [name]: test }));
const filter = fc
  .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(clause, { minLength: 1, maxLength: 3 }))
  .map(([name, clauses]) => ({ [name]: clauses }));

it('the bytes of a document match like the document', () => {
  fc.assert(
    fc.property(filter, document, (query, given) => {
      const bytes = encodeDocument(given);
      const matcher = compileFilter(parseFilter(decodeDocument(encodeDocument(query))));
      expect(matcher.matchesBytes(bytes)).toBe(matcher.matches(decodeDocument(bytes)));
    }),
    { numRuns: 5000 },
  );
});
