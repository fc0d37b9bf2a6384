import { Binary, BSONRegExp, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, serialize } from 'bson';
import { parseCollation } from '../bson/collation';
import { decodeDocument } from '../bson/decode';
import { compileFilter, type FilterOptions } from './compile-filter';
import { parseFilter } from './parse-filter';

/** Encodes and decodes, and compares both ways of matching. */
function matches(filter: object, document: object, options: FilterOptions = {}): boolean {
  const matcher = compileFilter(parseFilter(decodeDocument(serialize(filter))), options);
  const bytes = serialize(document);
  const answer = matcher.matches(decodeDocument(bytes));
  expect(matcher.matchesBytes(bytes)).toBe(answer);
  return answer;
}

function refusal(filter: object): unknown {
  try {
    compileFilter(parseFilter(decodeDocument(serialize(filter))));
  } catch (error) {
    return error;
  }
  return undefined;
}

type Row = [filter: object, document: object, expected: boolean];

function table(name: string, rows: Row[]): void {
  describe(name, () => {
    it.each(rows)('%j on %j: %s', (filter, document, expected) => {
      expect(matches(filter, document)).toBe(expected);
    });
  });
}

table('equality', [
  [{}, { a: 1 }, true],
  [{ a: 1 }, { a: 1 }, true],
  [{ a: 1 }, { a: new Double(1) }, true],
  [{ a: Long.fromNumber(5) }, { a: 5 }, true],
  [{ a: 5 }, { a: Long.fromNumber(5) }, true],
  [{ a: Decimal128.fromString('5.0') }, { a: 5 }, true],
  [{ a: 1 }, { a: '1' }, false],
  [{ a: 1 }, { a: true }, false],
  [{ a: 0 }, { a: false }, false],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 2 } }, true],
  [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, false],
  [{ a: [1, 2] }, { a: [1, 2] }, true],
  [{ a: [1, 2] }, { a: [[1, 2], 3] }, true],
  [{ a: [1, 2] }, { a: [2, 1] }, false],
  [{ a: 2 }, { a: [1, 2] }, true],
  [{ a: new Binary(Buffer.from([0x80])) }, { a: new Binary(Buffer.from([0xff])) }, false],
  [{ a: new Binary(Buffer.from([1]), 4) }, { a: new Binary(Buffer.from([1]), 0) }, false],
  [{ a: Number.NaN }, { a: Number.NaN }, true],
  [{ constructor: { $exists: true } }, { a: 1 }, false],
  [{ a: { $ref: 'c', $id: 1 } }, { a: { $ref: 'c', $id: 1 } }, true],
  [{ 'a.$id': 1 }, { a: { $ref: 'c', $id: 1 } }, true],
]);

table('null and missing', [
  [{ a: null }, { a: null }, true],
  [{ a: null }, {}, true],
  [{ a: null }, { a: 1 }, false],
  [{ a: null }, { a: [] }, false],
  [{ a: null }, { a: [1, null] }, true],
  [{ a: { $ne: null } }, {}, false],
  [{ a: { $in: [null] } }, {}, true],
  [{ a: { $nin: [null] } }, {}, false],
  [{ a: { $gte: null } }, {}, true],
  [{ a: { $gt: null } }, { a: null }, false],
  [{ 'a.b': null }, { a: {} }, true],
  [{ 'a.b': null }, { a: 4 }, true],
  [{ 'a.b': null }, { a: [] }, false],
  [{ 'a.b': null }, { a: [1, 2] }, false],
  [{ 'a.b': null }, { a: [{ b: 1 }, {}] }, true],
  [{ 'a.b': null }, { a: [{ b: 1 }] }, false],
  [{ 'a.b': { $exists: false } }, { a: [] }, true],
  [{ 'a.b': { $exists: false } }, { a: [{ b: 1 }, {}] }, false],
  [{ a: { $exists: true } }, { a: null }, true],
  [{ a: { $exists: true } }, { a: [] }, true],
  [{ a: { $exists: false } }, { a: null }, false],
]);

table('ranges', [
  [{ a: { $gt: 4 } }, { a: Long.fromNumber(5) }, true],
  [{ a: { $gt: Decimal128.fromString('9') } }, { a: Decimal128.fromString('10') }, true],
  [{ a: { $gt: 4 } }, { a: '5' }, false],
  [{ a: { $lt: 4 } }, { a: null }, false],
  [{ a: { $gt: 1, $lt: 2 } }, { a: [0, 5] }, true],
  [{ a: { $elemMatch: { $gt: 1, $lt: 2 } } }, { a: [0, 5] }, false],
  [{ a: { $gte: 'b' } }, { a: 'c' }, true],
  [{ a: { $lt: new Date(5) } }, { a: new Date(4) }, true],
  [{ a: { $gt: new MinKey() } }, { a: 'x' }, true],
  [{ a: { $lt: new MaxKey() } }, { a: 'x' }, true],
  [{ a: { $gte: Number.NaN } }, { a: 5 }, false],
  [{ a: { $lte: Number.NaN } }, { a: Number.NaN }, true],
  [{ a: { $lt: 5 } }, { a: Number.NaN }, false],
  [{ a: { $gt: [1] } }, { a: [2] }, true],
  [{ a: { $gt: { x: 1 } } }, { a: { x: 2 } }, true],
  [{ a: { $gt: new Long(1, 0x200000) } }, { a: new Long(2, 0x200000) }, true],
]);

table('dotted paths', [
  [{ 'a.b': 1 }, { a: { b: 1 } }, true],
  [{ 'a.b': 1 }, { a: [{ b: 2 }, { b: 1 }] }, true],
  [{ 'a.b': 1 }, { a: [[{ b: 1 }]] }, false],
  [{ 'a.1': 7 }, { a: [5, 7, 3] }, true],
  [{ 'a.1': 7 }, { a: { 1: 7 } }, true],
  [{ 'a.1': 4 }, { a: [5, { 1: 4 }] }, true],
  [{ 'a.0': 1 }, { a: [[1, 2]] }, false],
  [{ 'a.0': [1, 2] }, { a: [[1, 2]] }, true],
  [{ 'a.1.b': 4 }, { a: [5, { b: 4 }, 3] }, true],
  [{ 'a.1.b': 4 }, { a: [5, [{ b: 4 }], 3] }, true],
  [{ 'a.0.0': 1 }, { a: [[1, 2]] }, true],
  [{ 'a.b.c': 1 }, { a: [{ b: [{ c: 2 }, { c: 1 }] }] }, true],
]);

table('$in and $nin', [
  [{ a: { $in: [1, 'x'] } }, { a: 'x' }, true],
  [{ a: { $in: [1, 'x'] } }, { a: Long.fromNumber(1) }, true],
  [{ a: { $in: [Decimal128.fromString('1.0')] } }, { a: 1 }, true],
  [{ a: { $in: [1, 2] } }, { a: [3, 2] }, true],
  [{ a: { $in: [[1, 2]] } }, { a: [1, 2] }, true],
  [{ a: { $in: [/^b/] } }, { a: 'bar' }, true],
  [{ a: { $in: [] } }, { a: 1 }, false],
  [{ a: { $nin: [1] } }, { a: [1, 2] }, false],
  [{ a: { $nin: [1] } }, {}, true],
  [{ a: { $in: [true] } }, { a: 1 }, false],
  [{ a: { $in: [{ x: 1 }] } }, { a: { x: new Double(1) } }, true],
  [{ a: { $in: [new ObjectId('0'.repeat(24))] } }, { a: new ObjectId('0'.repeat(24)) }, true],
  [{ a: { $in: [Long.fromString('9007199254740993')] } }, { a: Long.fromString('9007199254740992') }, false],
  [{ a: { $in: [Number.NaN] } }, { a: Decimal128.fromString('NaN') }, true],
]);

table('$type', [
  [{ a: { $type: 'int' } }, { a: 1 }, true],
  [{ a: { $type: 'double' } }, { a: new Double(1) }, true],
  [{ a: { $type: 'int' } }, { a: new Double(1) }, false],
  [{ a: { $type: 'long' } }, { a: Long.fromNumber(1) }, true],
  [{ a: { $type: 'number' } }, { a: Decimal128.fromString('1') }, true],
  [{ a: { $type: 'objectId' } }, { a: new ObjectId() }, true],
  [{ a: { $type: 'string' } }, { a: [1, 'x'] }, true],
  [{ a: { $type: 'array' } }, { a: [1] }, true],
  [{ a: { $type: 'array' } }, { a: 1 }, false],
  [{ a: { $type: ['string', 16] } }, { a: 3 }, true],
  [{ a: { $type: 10 } }, {}, false],
]);

table('arrays', [
  [{ a: { $all: [1, 2] } }, { a: [2, 3, 1] }, true],
  [{ a: { $all: [1, 4] } }, { a: [2, 3, 1] }, false],
  [{ a: { $all: [1] } }, { a: 1 }, true],
  [{ a: { $all: [] } }, { a: [] }, false],
  [{ a: { $all: [/^b/, 'c'] } }, { a: ['bar', 'c'] }, true],
  [{ a: { $all: [{ $elemMatch: { x: 1 } }, { $elemMatch: { x: 2 } }] } }, { a: [{ x: 1 }, { x: 2 }] }, true],
  [{ a: { $size: 2 } }, { a: [1, 2] }, true],
  [{ a: { $size: 2 } }, { a: [[1, 2]] }, false],
  [{ a: { $size: 0 } }, {}, false],
  [{ a: { $elemMatch: { x: 1, y: 2 } } }, { a: [{ x: 1 }, { y: 2 }] }, false],
  [{ a: { $elemMatch: { x: 1, y: 2 } } }, { a: [{ x: 1, y: 2 }] }, true],
  [{ a: { $elemMatch: { $or: [{ x: 1 }, { y: 1 }] } } }, { a: [{ y: 1 }] }, true],
  [{ a: { $elemMatch: { $gte: 80, $lt: 85 } } }, { a: [75, 82] }, true],
  [{ a: { $elemMatch: { $in: [5] } } }, { a: 5 }, false],
  [{ a: { $elemMatch: { $elemMatch: { $gt: 5 } } } }, { a: [[6]] }, true],
  [{ a: { $elemMatch: { 0: 6 } } }, { a: [[6]] }, true],
  [{ a: { $not: { $elemMatch: { x: 1 } } } }, { a: [{ x: 1 }] }, false],
]);

table('$mod, $regex and bits', [
  [{ a: { $mod: [4, 0] } }, { a: 12 }, true],
  [{ a: { $mod: [4.9, 0] } }, { a: 12.7 }, true],
  [{ a: { $mod: [4, -1] } }, { a: -5 }, true],
  [{ a: { $mod: [4, 0] } }, { a: 'x' }, false],
  [{ a: { $mod: [4, 0] } }, { a: Number.NaN }, false],
  [{ a: /^AB/i }, { a: 'abc' }, true],
  [{ a: { $regex: 'b.d', $options: 's' } }, { a: 'b\nd' }, true],
  [{ a: { $regex: 'b.d' } }, { a: 'b\nd' }, false],
  [{ a: { $regex: '^S', $options: 'm' } }, { a: 'x\nS' }, true],
  [{ a: { $regex: 'ab # c\n [ ]c', $options: 'x' } }, { a: 'ab c' }, true],
  [{ a: { $regex: 'b', $options: 'i' } }, { a: ['x', 'B'] }, true],
  [{ a: { $not: /^b/ } }, { a: 'abc' }, true],
  [{ a: /x/ }, { a: new BSONRegExp('x') }, true],
  [{ a: /1/ }, { a: 1 }, false],
  [{ a: /b$/ }, { a: 'ab\n' }, true],
  [{ a: /b$/ }, { a: 'ab\n\n' }, false],
  [{ a: /^[$]b\$c$/ }, { a: '$b$c' }, true],
  [{ a: /^(a|b$)/ }, { a: 'b' }, true],
  [{ a: { $bitsAllSet: 5 } }, { a: 7 }, true],
  [{ a: { $bitsAllSet: [1, 5] } }, { a: 34 }, true],
  [{ a: { $bitsAnyClear: [1, 5] } }, { a: 34 }, false],
  [{ a: { $bitsAllClear: 8 } }, { a: -16 }, true],
  [{ a: { $bitsAllSet: [63] } }, { a: -1 }, true],
  [{ a: { $bitsAnySet: 1 } }, { a: 1.5 }, false],
  [{ a: { $bitsAllSet: new Binary(Buffer.from([3])) } }, { a: new Binary(Buffer.from([7])) }, true],
]);

table('logic', [
  [{ $and: [{ a: 1 }, { b: 2 }] }, { a: 1, b: 2 }, true],
  [{ $or: [{ a: 1 }, { b: 2 }] }, { b: 2 }, true],
  [{ $nor: [{ a: 1 }, { b: 2 }] }, { b: 2 }, false],
  [{ $comment: 'x', a: 1 }, { a: 1 }, true],
  [{ a: { $not: { $gt: 5 } } }, { a: 'x' }, true],
  [{ a: { $ne: 1 } }, { a: [1, 2] }, false],
  [{ $expr: { $gt: ['$a', '$b'] } }, { a: 2, b: 1 }, true],
  [{ $expr: { $gt: ['$a', '$b'] } }, { a: Long.fromNumber(2), b: new Double(1) }, true],
  [{ $expr: { $eq: ['$a', null] } }, {}, false],
]);

describe('$jsonSchema', () => {
  const schema = {
    bsonType: 'object',
    required: ['name'],
    properties: {
      name: { bsonType: 'string', minLength: 1, description: 'who' },
      year: { bsonType: 'int', minimum: 2017, maximum: 3017, exclusiveMaximum: true },
      tags: { type: 'array', uniqueItems: true, items: { enum: ['a', 'b'] } },
    },
    additionalProperties: false,
  };
  it.each([
    [{ name: 'x', year: 2020 }, true],
    [{ year: 2020 }, false],
    [{ name: 'x', year: 3017 }, false],
    [{ name: 'x', year: Long.fromNumber(2020) }, false],
    [{ name: 'x', tags: ['a', 'b'] }, true],
    [{ name: 'x', tags: ['a', 'a'] }, false],
    [{ name: 'x', other: 1 }, false],
  ])('on %j: %s', (document, expected) => {
    expect(matches({ $jsonSchema: schema }, document)).toBe(expected);
  });

  it('refuses unknown keywords', () => {
    expect(refusal({ $jsonSchema: { colour: 1 } })).toMatchObject({ code: 9 });
  });
});

describe('collations', () => {
  const ignoringCase = parseCollation({ locale: 'en', strength: 2 });
  it('decide equality, ranges and membership', () => {
    expect(matches({ a: 'ABC' }, { a: 'abc' }, { collation: ignoringCase })).toBe(true);
    expect(matches({ a: { $in: ['ABC'] } }, { a: 'abc' }, { collation: ignoringCase })).toBe(true);
    expect(matches({ a: 'resume' }, { a: 'résumé' }, { collation: ignoringCase })).toBe(false);
    expect(
      matches({ a: 'resume' }, { a: 'Résumé' }, { collation: parseCollation({ locale: 'en', strength: 1 }) }),
    ).toBe(true);
    expect(matches({ a: { $gt: 'B' } }, { a: 'c' }, { collation: ignoringCase })).toBe(true);
  });
  it('can order digits as numbers', () => {
    const numeric = parseCollation({ locale: 'en', numericOrdering: true });
    expect(matches({ a: { $lt: 'v10' } }, { a: 'v9' }, { collation: numeric })).toBe(true);
    expect(matches({ a: { $lt: 'v10' } }, { a: 'v9' })).toBe(false);
  });
  it('are refused when unknown', () => {
    expect(() => parseCollation({ locale: 'en', strength: 9 })).toThrow(expect.objectContaining({ code: 2 }));
    expect(() => parseCollation({ locale: 'en', colour: 1 })).toThrow(expect.objectContaining({ code: 40415 }));
    expect(parseCollation({ locale: 'simple' })).toBeUndefined();
  });
});

describe('invalid filters', () => {
  it.each([
    [{ $foo: 1 }, 2, /^unknown top level operator: \$foo/],
    [{ a: { $foo: 1 } }, 2, /^unknown operator: \$foo$/],
    [{ a: { $gt: 1, b: 2 } }, 2, /^unknown operator: b$/],
    [{ a: { $in: 1 } }, 2, /^\$in needs an array$/],
    [{ a: { $nin: { x: 1 } } }, 2, /^\$nin needs an array$/],
    [{ $and: [] }, 2, /nonempty array/],
    [{ $or: [1] }, 2, /full objects/],
    [{ a: { $not: 1 } }, 2, /^\$not needs a regex or a document$/],
    [{ a: { $mod: [1] } }, 2, /not enough elements/],
    [{ a: { $mod: [0, 1] } }, 2, /^divisor cannot be 0$/],
    [{ a: { $size: -1 } }, 2, /non-negative/],
    [{ a: { $type: 'colour' } }, 2, /^Unknown type name alias: colour$/],
    [{ a: { $regex: '(?=x)' } }, 51091, /^Regular expression is invalid/],
    [{ a: { $options: 'i' } }, 2, /^\$options needs a \$regex$/],
    [{ $where: 'true' }, 115, /^\$where is not supported$/],
    [{ a: { $near: [1, 2] } }, 115, /^\$near is not supported$/],
    [{ $expr: { $foo: 1 } }, 168, /^Unrecognized expression '\$foo'$/],
    [{ $expr: { $eq: ['$$unknown', 1] } }, 17276, /^Use of undefined variable: unknown$/],
  ])('%j', (filter, code, message) => {
    expect(refusal(filter)).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

describe('patterns of callers', () => {});

describe('the position for $', () => {
  const position = (filter: object, document: object) =>
    compileFilter(parseFilter(decodeDocument(serialize(filter)))).matchedPosition(decodeDocument(serialize(document)));
  it.each([
    [{ a: 2 }, { a: [1, 2] }, 1],
    [{ 'a.x': 2 }, { a: [{ x: 1 }, { x: 2 }] }, 1],
    [{ a: { $elemMatch: { x: 2, y: 1 } } }, { a: [{ x: 2 }, { x: 2, y: 1 }] }, 1],
    [{ 'a.b': 1 }, { a: [{ b: [0] }, { b: [0, 1] }] }, 1],
    [{ a: 2, b: { $ne: 5 } }, { a: [1, 2], b: [1, 2] }, 1],
    [{ a: 3 }, { a: [1, 2] }, undefined],
    [{ a: 3 }, { a: 3 }, undefined],
  ])('%j on %j: %s', (filter, document, expected) => {
    expect(position(filter, document)).toBe(expected);
  });
});

describe('$in over many values', () => {});
