import { Decimal128, Double, Int32, Long, ObjectId, serialize, Timestamp } from 'bson';
import { decodeDocument } from '../bson/decode';
import { fieldNames } from '../bson/document';
import { encodeDocument } from '../bson/encode';
import type { Document, Value } from '../bson/value';
import { compileFilter } from '../query/compile-filter';
import { parseFilter } from '../query/parse-filter';
import { compileUpdate, type UpdateOptions } from './compile-update';

const wire = (document: object): Document => decodeDocument(serialize(document));

interface Attempt extends Omit<UpdateOptions, 'arrayFilters'> {
  filter?: object;
  arrayFilters?: object[];
}

function compile(update: object, { arrayFilters, ...options }: Attempt) {
  const sent = wire({ update, arrayFilters: arrayFilters ?? [] });
  return compileUpdate(sent.update as Document, { ...options, arrayFilters: sent.arrayFilters as Value[] });
}

/** Applies an update to a decoded document, and checks that the original is unchanged. */
function updated(document: object, update: object, attempt: Attempt = {}) {
  const before = wire(document);
  const position = compileFilter(parseFilter(wire(attempt.filter ?? {}))).matchedPosition(before);
  const result = compile(update, attempt).apply(before, position);
  expect(encodeDocument(before).equals(serialize(document))).toBe(true);
  return result;
}

function expectUpdated(document: object, update: object, expected: object, attempt: Attempt = {}): void {
  const result = updated(document, update, attempt);
  expect(result.document).toEqual(wire(expected));
  expect(encodeDocument(result.document).equals(serialize(expected))).toBe(true);
  expect(result.isModified).toBe(!encodeDocument(result.document).equals(serialize(document)));
}

function expectRefused(document: object, update: object, code: number, message: RegExp, attempt: Attempt = {}): void {
  expect(() => updated(document, update, attempt)).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) }),
  );
}

type Row = [document: object, update: object, expected: object, attempt?: Attempt];

function table(name: string, rows: Row[]): void {
  describe(name, () => {
    it.each(rows)('%j by %j: %j', (document, update, expected, attempt = {}) => {
      expectUpdated(document, update, expected, attempt);
    });
  });
}

table('$set and $unset', [
  [{ _id: 1, a: 1 }, { $set: { a: 2 } }, { _id: 1, a: 2 }],
  [{ _id: 1, a: 1 }, { $set: { a: 1 } }, { _id: 1, a: 1 }],
  [{ _id: 1, a: 1 }, { $set: { a: new Double(1) } }, { _id: 1, a: new Double(1) }],
  [{ _id: 1 }, { $set: { b: 1, a: 1 } }, { _id: 1, a: 1, b: 1 }],
  [{ _id: 1 }, { $set: { 'a.b.c': 1 } }, { _id: 1, a: { b: { c: 1 } } }],
  [{ _id: 1, a: [1] }, { $set: { 'a.3': 9 } }, { _id: 1, a: [1, null, null, 9] }],
  [{ _id: 1, a: [{ b: 1 }] }, { $set: { 'a.0.b': 2 } }, { _id: 1, a: [{ b: 2 }] }],
  [{ _id: 1, a: { x: 1, y: 2 } }, { $set: { a: { y: 2, x: 1 } } }, { _id: 1, a: { y: 2, x: 1 } }],
  [{ _id: 1 }, { $set: {} }, { _id: 1 }],
  [{ _id: 1, a: 1 }, { $set: { _id: 1, a: 2 } }, { _id: 1, a: 2 }],
  [{ _id: 1, a: 1, b: 2 }, { $unset: { a: '' } }, { _id: 1, b: 2 }],
  [{ _id: 1, a: 1 }, { $unset: { 'a.b': '', c: '' } }, { _id: 1, a: 1 }],
  [{ _id: 1, a: [1, 2] }, { $unset: { 'a.0': '' } }, { _id: 1, a: [null, 2] }],
  [
    { _id: 1 },
    { $set: { 10: 'x', 9: 'y' } },
    new Map<string, unknown>([
      ['_id', 1],
      ['9', 'y'],
      ['10', 'x'],
    ]),
  ],
  [{ _id: 1, a: 1 }, { $setOnInsert: { a: 2 } }, { _id: 1, a: 1 }],
]);

table('numbers', [
  [{ _id: 1, a: 1 }, { $inc: { a: 2 } }, { _id: 1, a: 3 }],
  [{ _id: 1 }, { $inc: { a: 2 } }, { _id: 1, a: 2 }],
  [{ _id: 1, a: 1 }, { $inc: { a: 0 } }, { _id: 1, a: 1 }],
  [{ _id: 1, a: 2147483647 }, { $inc: { a: 1 } }, { _id: 1, a: Long.fromNumber(2147483648) }],
  [{ _id: 1, a: Long.fromNumber(5) }, { $inc: { a: 1 } }, { _id: 1, a: Long.fromNumber(6) }],
  [{ _id: 1, a: 1 }, { $inc: { a: 0.5 } }, { _id: 1, a: 1.5 }],
  [{ _id: 1, a: new Double(1) }, { $inc: { a: 1 } }, { _id: 1, a: new Double(2) }],
  [
    { _id: 1, a: Decimal128.fromString('1.10') },
    { $inc: { a: Decimal128.fromString('2.2') } },
    { _id: 1, a: Decimal128.fromString('3.30') },
  ],
  [{ _id: 1, a: 3 }, { $mul: { a: 2 } }, { _id: 1, a: 6 }],
  [{ _id: 1 }, { $mul: { a: Long.fromNumber(2) } }, { _id: 1, a: Long.fromNumber(0) }],
  [{ _id: 1 }, { $mul: { a: -2.5 } }, { _id: 1, a: new Double(0) }],
  [{ _id: 1, a: 3 }, { $min: { a: 2 } }, { _id: 1, a: 2 }],
  [{ _id: 1, a: 3 }, { $min: { a: 4 } }, { _id: 1, a: 3 }],
  [{ _id: 1, a: 3 }, { $max: { a: 'x' } }, { _id: 1, a: 'x' }],
  [{ _id: 1 }, { $max: { a: 1 } }, { _id: 1, a: 1 }],
  [{ _id: 1, a: 13 }, { $bit: { a: { and: 10 } } }, { _id: 1, a: 8 }],
  [{ _id: 1, a: 1 }, { $bit: { a: { xor: Long.fromNumber(3) } } }, { _id: 1, a: Long.fromNumber(2) }],
]);

table('$rename', [
  [{ _id: 1, a: 1, b: 2 }, { $rename: { a: 'c' } }, { _id: 1, b: 2, c: 1 }],
  [{ _id: 1, a: 1, b: 2 }, { $rename: { a: 'b' } }, { _id: 1, b: 1 }],
  [{ _id: 1, a: { x: 1 } }, { $rename: { 'a.x': 'b.y' } }, { _id: 1, a: {}, b: { y: 1 } }],
  [{ _id: 1 }, { $rename: { a: 'b' } }, { _id: 1 }],
]);

table('arrays', [
  [{ _id: 1 }, { $push: { a: 1 } }, { _id: 1, a: [1] }],
  [{ _id: 1, a: [1] }, { $push: { a: [2, 3] } }, { _id: 1, a: [1, [2, 3]] }],
  [{ _id: 1, a: [1] }, { $push: { a: { $each: [2, 3] } } }, { _id: 1, a: [1, 2, 3] }],
  [{ _id: 1, a: [1, 4] }, { $push: { a: { $each: [2, 3], $position: 1 } } }, { _id: 1, a: [1, 2, 3, 4] }],
  [{ _id: 1, a: [1, 4] }, { $push: { a: { $each: [9], $position: -1 } } }, { _id: 1, a: [1, 9, 4] }],
  [{ _id: 1, a: [1, 2] }, { $push: { a: { $each: [3], $slice: -2 } } }, { _id: 1, a: [2, 3] }],
  [{ _id: 1, a: [1, 2] }, { $push: { a: { $each: [3], $slice: 0 } } }, { _id: 1, a: [] }],
  [{ _id: 1, a: [3, 1] }, { $push: { a: { $each: [2], $sort: 1 } } }, { _id: 1, a: [1, 2, 3] }],
  [
    { _id: 1, a: [{ x: 1 }, { x: 3 }] },
    { $push: { a: { $each: [{ x: 2 }], $sort: { x: -1 }, $slice: 2 } } },
    { _id: 1, a: [{ x: 3 }, { x: 2 }] },
  ],
  [{ _id: 1, a: [1] }, { $addToSet: { a: { $each: [1, 2, 2] } } }, { _id: 1, a: [1, 2] }],
  [{ _id: 1, a: [1] }, { $addToSet: { a: Long.fromNumber(1) } }, { _id: 1, a: [1] }],
  [
    { _id: 1, a: [{ x: 1, y: 2 }] },
    { $addToSet: { a: { y: 2, x: 1 } } },
    {
      _id: 1,
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    },
  ],
  [{ _id: 1, a: [1, 2, 3] }, { $pop: { a: 1 } }, { _id: 1, a: [1, 2] }],
  [{ _id: 1, a: [1, 2, 3] }, { $pop: { a: -1 } }, { _id: 1, a: [2, 3] }],
  [{ _id: 1 }, { $pop: { a: 1 } }, { _id: 1 }],
  [{ _id: 1, a: [1, 2, 1] }, { $pull: { a: 1 } }, { _id: 1, a: [2] }],
  [{ _id: 1, a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { _id: 1, a: [1] }],
  [{ _id: 1, a: ['x', 'y'] }, { $pull: { a: { $in: ['x'] } } }, { _id: 1, a: ['y'] }],
  [{ _id: 1, a: [{ x: 1, y: 1 }, { x: 2 }] }, { $pull: { a: { x: 1 } } }, { _id: 1, a: [{ x: 2 }] }],
  [
    { _id: 1, a: [{ x: 1 }, { x: 2 }, { x: 3 }] },
    { $pull: { a: { $or: [{ x: 1 }, { x: 3 }] } } },
    { _id: 1, a: [{ x: 2 }] },
  ],
  [
    { _id: 1, a: [{ x: [{ q: 1 }] }, { x: [] }] },
    { $pull: { a: { x: { $elemMatch: { q: 1 } } } } },
    { _id: 1, a: [{ x: [] }] },
  ],
  [{ _id: 1, a: ['ab', 'b'] }, { $pull: { a: /^a/ } }, { _id: 1, a: ['b'] }],
  [{ _id: 1, a: [1, 2, 1, 3] }, { $pullAll: { a: [1, 3] } }, { _id: 1, a: [2] }],
  [{ _id: 1, a: [[1], [2], 1] }, { $pull: { a: { $in: [[1]] } } }, { _id: 1, a: [[2], 1] }],
  [{ _id: 1, a: [[5], 5] }, { $pull: { a: { $gte: 5 } } }, { _id: 1, a: [[5]] }],
  [{ _id: 1 }, { $push: { a: { $b: 1 } } }, { _id: 1, a: [{ $b: 1 }] }],
  [{ _id: 1 }, { $pull: { a: 1 } }, { _id: 1 }],
]);

table('positional operators', [
  [{ _id: 1, a: [1, 2] }, { $set: { 'a.$': 9 } }, { _id: 1, a: [1, 9] }, { filter: { a: 2 } }],
  [
    { _id: 1, a: [{ x: 1 }, { x: 2 }] },
    { $set: { 'a.$.y': 1, 'a.$.z': 2 } },
    { _id: 1, a: [{ x: 1 }, { x: 2, y: 1, z: 2 }] },
    { filter: { 'a.x': 2 } },
  ],
  [{ _id: 1, a: [1, 2] }, { $inc: { 'a.$[]': 1 } }, { _id: 1, a: [2, 3] }],
  [
    { _id: 1, a: [{ n: 1 }, { n: 5 }] },
    { $set: { 'a.$[e].big': true, 'a.$[e].n': 6 } },
    { _id: 1, a: [{ n: 1 }, { n: 6, big: true }] },
    { arrayFilters: [{ 'e.n': { $gte: 5 } }] },
  ],
  [
    { _id: 1, a: [{ q: [1, 8] }, { q: [9] }] },
    { $inc: { 'a.$[].q.$[s]': 10 } },
    { _id: 1, a: [{ q: [1, 18] }, { q: [19] }] },
    { arrayFilters: [{ s: { $gte: 8 } }] },
  ],
  [{ _id: 1, a: [] }, { $set: { 'a.$[]': 1 } }, { _id: 1, a: [] }],
  [
    { _id: 1, a: [1, 100] },
    { $set: { 'a.$[e]': 0 } },
    { _id: 1, a: [1, 0] },
    { arrayFilters: [{ $or: [{ e: { $gt: 50 } }, { e: { $lt: 0 } }] }] },
  ],
  [{ _id: 1, a: [{ b: [1] }] }, { $push: { 'a.$.b': 2 } }, { _id: 1, a: [{ b: [1, 2] }] }, { filter: { 'a.b': 1 } }],
]);

table('replacements and pipelines', [
  [{ _id: 1, a: 1 }, { b: 2 }, { _id: 1, b: 2 }],
  [
    { _id: 1, a: 1 },
    { b: 2, _id: 1 },
    { _id: 1, b: 2 },
  ],
  [{ _id: 1, a: 1 }, { a: 1 }, { _id: 1, a: 1 }],
  [{ _id: 1, a: 1 }, {}, { _id: 1 }],
  [{ _id: 1, a: 1 }, [{ $set: { b: '$a' } }, { $unset: 'a' }], { _id: 1, b: 1 }],
  [{ _id: 1, a: { x: 1 } }, [{ $replaceWith: '$a' }], { _id: 1, x: 1 }],
  [{ _id: 1, a: 1 }, [{ $set: { 'c.d': 5 } }], { _id: 1, a: 1, c: { d: 5 } }],
  [{ _id: 1, a: 1, b: 2 }, [{ $project: { b: 1 } }], { _id: 1, b: 2 }],
]);

describe('$currentDate', () => {
  it('sets a date or a timestamp', () => {
    const now = new Date(1_700_000_000_000);
    const attempt = { now };
    expectUpdated({ _id: 1 }, { $currentDate: { a: true } }, { _id: 1, a: now }, attempt);
    expectUpdated(
      { _id: 1 },
      { $currentDate: { a: { $type: 'timestamp' } } },
      { _id: 1, a: new Timestamp({ t: 1_700_000_000, i: 1 }) },
      attempt,
    );
  });
});

describe('invalid updates', () => {
  const rows: [object, object, number, RegExp, Attempt?][] = [
    [
      { _id: 1 },
      { $foo: { a: 1 } },
      9,
      /^Unknown modifier: \$foo\. Expected a valid update modifier or pipeline-style/,
    ],
    [{ _id: 1 }, { $pushAll: { a: [1] } }, 9, /^Unknown modifier: \$pushAll/],
    [{ _id: 1 }, { $set: { a: 1 }, b: 1 }, 9, /^Unknown modifier: b/],
    [{ _id: 1 }, { $set: 5 }, 9, /^Modifiers operate on fields/],
    [{ _id: 1 }, { a: 1, $set: { b: 1 } }, 52, /\$set/],
    [{ _id: 1 }, { $set: { _id: 2 } }, 66, /immutable field '_id'/],
    [{ _id: 1 }, { $unset: { _id: '' } }, 66, /immutable field '_id'/],
    [{ _id: 1 }, { _id: 2, a: 1 }, 66, /\(immutable\) field '_id' was found to have been altered/],
    [{ _id: 1 }, [{ $set: { _id: 2 } }], 66, /immutable/],
    [{ _id: 1 }, { $set: { a: 1, 'a.b': 2 } }, 40, /^Updating the path 'a\.b' would create a conflict at 'a'$/],
    [{ _id: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40, /^Updating the path 'a' would create a conflict at 'a'$/],
    [{ _id: 1 }, { $set: { 'a.b': 1, 'a.b.c': 2 } }, 40, /conflict/],
    [{ _id: 1 }, { $rename: { a: 'b' }, $set: { b: 1 } }, 40, /conflict/],
    [{ _id: 1, a: [1] }, { $set: { 'a.$[]': 1, 'a.0': 2 } }, 40, /conflict/],
    [{ _id: 1, a: 5 }, { $set: { 'a.b': 1 } }, 28, /^Cannot create field 'b' in element \{a: 5\}$/],
    [{ _id: 1, a: null }, { $set: { 'a.b': 1 } }, 28, /^Cannot create field 'b' in element \{a: null\}$/],
    [{ _id: 1, a: [1] }, { $set: { 'a.b': 1 } }, 28, /^Cannot create field 'b' in element/],
    [
      { _id: 1, a: 'x' },
      { $inc: { a: 1 } },
      14,
      /^Cannot apply \$inc to a value of non-numeric type\. \{_id: 1\} has the field 'a' of non-numeric type string$/,
    ],
    [{ _id: 1 }, { $inc: { a: 'x' } }, 14, /^Cannot increment with non-numeric argument: \{a: "x"\}$/],
    [{ _id: 1, a: Long.MAX_VALUE }, { $inc: { a: 1 } }, 2, /^Failed to apply \$inc operations to current value/],
    [{ _id: 1, a: null }, { $inc: { a: 1 } }, 14, /non-numeric type null/],
    [
      { _id: 1, a: 1 },
      { $push: { a: 1 } },
      2,
      /^The field 'a' must be an array but is of type int in document \{_id: 1\}$/,
    ],
    [
      { _id: 1 },
      { $push: { a: { $each: 5 } } },
      2,
      /^The argument to \$each in \$push must be an array but it was of type: int$/,
    ],
    [{ _id: 1 }, { $push: { a: { $each: [1], $foo: 1 } } }, 2, /^Unrecognized clause in \$push: \$foo$/],
    [{ _id: 1, a: 1 }, { $addToSet: { a: 1 } }, 2, /^Cannot apply \$addToSet to non-array field/],
    [{ _id: 1, a: 1 }, { $pull: { a: 1 } }, 2, /^Cannot apply \$pull to a non-array value$/],
    [{ _id: 1, a: 1 }, { $pop: { a: 1 } }, 14, /^Path 'a' contains an element of non-array type 'int'$/],
    [{ _id: 1 }, { $pop: { a: 2 } }, 9, /^\$pop expects 1 or -1, found: 2$/],
    [{ _id: 1 }, { $pullAll: { a: 1 } }, 2, /^\$pullAll requires an array argument but was given a int$/],
    [{ _id: 1, a: 1.5 }, { $bit: { a: { or: 1 } } }, 2, /^Cannot apply \$bit/],
    [
      { _id: 1, a: [1] },
      { $set: { 'a.$': 1 } },
      2,
      /^The positional operator did not find the match needed from the query\.$/,
    ],
    [
      { _id: 1, a: [1] },
      { $set: { 'a.$[e]': 1 } },
      2,
      /^No array filter found for identifier 'e' in path 'a\.\$\[e\]'$/,
    ],
    [
      { _id: 1, a: [1] },
      { $set: { b: 1 } },
      9,
      /^The array filter for identifier 'e' was not used/,
      { arrayFilters: [{ e: 1 }] },
    ],
    [{ _id: 1 }, { $set: { 'a.$[]': 1 } }, 2, /^The path 'a' must exist in the document/],
    [{ _id: 1, a: 5 }, { $set: { 'a.$[]': 1 } }, 2, /^Cannot apply array updates to non-array element a: 5$/],
    [{ _id: 1 }, { $set: { 'a..b': 1 } }, 56, /empty field name/],
    [{ _id: 1 }, { $set: { $b: 1 } }, 52, /dollar/],
    [{ _id: 1 }, { $set: { '$b.c': 1 } }, 52, /dollar/],
    [{ _id: 1 }, { $rename: { a: 'a' } }, 2, /must differ/],
    [{ _id: 1, a: [{ x: 1 }] }, { $rename: { 'a.0': 'b' } }, 2, /cannot be an array element/],
    [{ _id: 1 }, { $currentDate: { a: 'x' } }, 2, /not valid type for \$currentDate/],
    [{ _id: 1 }, [{ $match: {} }], 72, /not allowed to be used within an update/],
    [{ _id: 1, a: [1] }, { $set: { 'a.2000000': 1 } }, 2, /backfill/],
  ];
  it.each(rows)('%j by %j: %i', (document, update, code, message, attempt = {}) => {
    expectRefused(document, update, code, message, attempt);
  });
});

describe('upserts', () => {
  const inserted = (filter: object, update: object) => compile(update, {}).insert(parseFilter(wire(filter)));

  it.each([
    [{ a: 1, b: { $gt: 5 } }, { $set: { c: 2 } }, { a: 1, c: 2 }],
    [{ 'a.b': 1 }, { $inc: { n: 1 } }, { a: { b: 1 }, n: 1 }],
    [{ a: 1 }, { $set: { $b: 2 } }, { a: 1, $b: 2 }],
    [{ $and: [{ a: { $eq: 1 } }, { b: { $in: [2] } }] }, { $set: { c: 3 } }, { a: 1, b: 2, c: 3 }],
    [{ a: { $all: [7] } }, { $setOnInsert: { b: 1 } }, { a: 7, b: 1 }],
    [{ $or: [{ a: 1 }, { a: 2 }] }, { $set: { c: 3 } }, { c: 3 }],
    [{ a: 1 }, { b: 2 }, { b: 2 }],
    [{ a: 1 }, [{ $set: { b: '$a' } }], { a: 1, b: 1 }],
  ])('of %j by %j: %j', (filter, update, expected) => {
    const document = inserted(filter, update);
    const { _id, ...rest } = document;
    expect(_id).toBeInstanceOf(ObjectId);
    expect(fieldNames(document)[0]).toBe('_id');
    expect(rest).toEqual(wire(expected));
  });

  it('read _id from the filter or the update, and put it first', () => {
    expect(inserted({ a: 1, _id: 5 }, { $set: { b: 1 } })).toEqual(wire({ _id: 5, a: 1, b: 1 }));
    expect(fieldNames(inserted({ a: 1, _id: 5 }, { $set: { b: 1 } }))).toEqual(['_id', 'a', 'b']);
    expect(inserted({ _id: 5 }, { b: 1 })).toEqual(wire({ _id: 5, b: 1 }));
    expect(inserted({ a: 1 }, { $setOnInsert: { _id: 7 } })).toEqual(wire({ _id: 7, a: 1 }));
  });

  it('refuse another _id than the filter has, and paths named twice', () => {
    expect(() => inserted({ _id: 5 }, { $set: { _id: 6 } })).toThrow(expect.objectContaining({ code: 66 }));
    expect(() => inserted({ _id: 5 }, { _id: 6 })).toThrow(expect.objectContaining({ code: 66 }));
    expect(() => inserted({ a: 1, 'a.b': 2 }, { $set: { c: 1 } })).toThrow(expect.objectContaining({ code: 54 }));
    expect(() => inserted({ _id: [1] }, { $set: { c: 1 } })).toThrow(expect.objectContaining({ code: 53 }));
  });
});

describe('the update that Mongoose sends for a saved document', () => {
  it('sets, pushes and increments the version together', () => {
    const update = {
      $set: { title: 'new', updatedAt: new Date(5), 'meta.views': 3 },
      $push: { tags: { $each: ['b'] } },
      $inc: { __v: 1 },
      $unset: { draft: 1 },
    };
    const before = { _id: 1, title: 'old', tags: ['a'], meta: { views: 2 }, draft: true, __v: new Int32(0) };
    expectUpdated(before, update, {
      _id: 1,
      title: 'new',
      tags: ['a', 'b'],
      meta: { views: 3 },
      __v: 1,
      updatedAt: new Date(5),
    });
  });
});
