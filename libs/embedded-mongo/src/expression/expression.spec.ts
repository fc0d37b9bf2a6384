// biome-ignore-all lint/suspicious/noThenProperty: an argument of $cond and $switch has that name
import { Binary, Decimal128, Double, Int32, Long, ObjectId, serialize } from 'bson';
import { decodeDocument } from '../bson/decode';
import { encodeDocument } from '../bson/encode';
import type { Document, Value } from '../bson/value';
import { compileExpression, rootScope } from './expression';

const wire = (document: object): Document => decodeDocument(serialize(document));

function evaluate(expression: unknown, document: object = {}, variables: Record<string, Value> = {}): Value {
  const { e } = wire({ e: expression });
  return compileExpression(e, Object.keys(variables))(wire(document), rootScope({ variables, now: new Date(5) }));
}

type Row = [expression: unknown, expected: unknown, document?: object];

/** Equal on the wire: types count. A missing value is written as no field. */
function table(name: string, rows: Row[]): void {
  describe(name, () => {
    it.each(rows)('%j evaluates to %j', (expression, expected, document = {}) => {
      const result = evaluate(expression, document);
      const written = decodeDocument(encodeDocument(result === undefined ? {} : { result }));
      expect(written).toEqual(wire(expected === undefined ? {} : { result: expected }));
    });
  });
}

const long = (value: number): Long => Long.fromNumber(value);
const decimal = (text: string): Decimal128 => Decimal128.fromString(text);
const double = (value: number): Double => new Double(value);
const date = new Date('2024-03-10T12:34:56.789Z');

table('paths and variables', [
  ['$a.b', 1, { a: { b: 1 } }],
  ['$a.b', undefined, { a: 1 }],
  ['$a.b', [1, 2], { a: [{ b: 1 }, { c: 1 }, { b: 2 }, 5] }],
  ['$a.0', [], { a: [1] }],
  ['$$ROOT', { a: 1 }, { a: 1 }],
  ['$$CURRENT.a', 1, { a: 1 }],
  ['$$NOW', new Date(5)],
  ['$$REMOVE', undefined],
  [['$a', '$b'], [1, null], { a: 1 }],
  [{ x: '$a', y: '$b' }, { x: 1 }, { a: 1 }],
  [{ $literal: '$a' }, '$a', { a: 1 }],
  [{ $let: { vars: { x: 2, y: '$a' }, in: { $add: ['$$x', '$$y'] } } }, 3, { a: 1 }],
  ['$constructor', undefined],
]);

table('arithmetic', [
  [{ $add: [1, 2] }, 3],
  [{ $add: [1, long(2)] }, long(3)],
  [{ $add: [1, double(2)] }, double(3)],
  [{ $add: [double(0.1), decimal('0.2')] }, decimal('0.300000000000000')],
  [{ $add: [2147483647, 1] }, long(2147483648)],
  [{ $add: [Long.MAX_VALUE, 1] }, double(2 ** 63)],
  [{ $add: [date, 1000] }, new Date(date.getTime() + 1000)],
  [{ $add: ['$nothing', 1] }, null],
  [{ $subtract: [date, new Date(0)] }, long(date.getTime())],
  [{ $subtract: [5, long(7)] }, long(-2)],
  [{ $multiply: [3, '$a'] }, 12, { a: 4 }],
  [{ $divide: [1, 2] }, double(0.5)],
  [{ $divide: [4, 2] }, double(2)],
  [{ $divide: [decimal('1'), 3] }, decimal('0.3333333333333333333333333333333333')],
  [{ $mod: [-7, 3] }, -1],
  [{ $mod: [7.5, 2] }, 1.5],
  [{ $abs: long(-3) }, long(3)],
  [{ $ceil: 1.2 }, double(2)],
  [{ $floor: -1.2 }, double(-2)],
  [{ $floor: decimal('-1.2') }, decimal('-2')],
  [{ $round: [2.5] }, double(2)],
  [{ $round: [19.25, 1] }, 19.2],
  [{ $round: [1250, -2] }, 1200],
  [{ $trunc: [-1.7] }, double(-1)],
  [{ $pow: [2, 10] }, 1024],
  [{ $pow: [2, 40] }, long(2 ** 40)],
  [{ $pow: [2, -1] }, 0.5],
  [{ $sqrt: 16 }, double(4)],
  [{ $log: [8, 2] }, double(3)],
  [{ $log10: 1000 }, double(3)],
  [{ $bitAnd: [6, 3] }, 2],
  [{ $sum: [1, long(2)] }, long(3)],
  [{ $sum: '$a' }, 6, { a: [1, 2, 3, 'x'] }],
  [{ $avg: '$a' }, double(2), { a: [1, 2, 3] }],
  [{ $max: ['$a', 5, null] }, 5, { a: 3 }],
  [{ $min: '$a' }, 1, { a: [3, 1] }],
]);

table('comparison and logic', [
  [{ $eq: [long(1), double(1)] }, true],
  [{ $eq: ['$nothing', null] }, false],
  [{ $gt: ['$nothing', null] }, false],
  [{ $lt: ['$nothing', null] }, true],
  [{ $cmp: [1, 2] }, -1],
  [{ $gt: ['a', 5] }, true],
  [{ $and: [1, 'x'] }, true],
  [{ $and: [] }, true],
  [{ $or: [0, null] }, false],
  [{ $not: [0] }, true],
  [{ $cond: [{ $gt: ['$a', 1] }, 'yes', 'no'] }, 'yes', { a: 2 }],
  [{ $cond: { if: false, then: 1, else: 2 } }, 2],
  [{ $ifNull: ['$x', '$y', 5] }, 5],
  [
    {
      $switch: {
        branches: [
          { case: false, then: 1 },
          { case: true, then: 2 },
        ],
        default: 3,
      },
    },
    2,
  ],
]);

table('arrays and sets', [
  [{ $arrayElemAt: [[1, 2, 3], -1] }, 3],
  [{ $arrayElemAt: [[1], 5] }, undefined],
  [{ $first: '$a' }, 1, { a: [1, 2] }],
  [{ $size: [[1, 2]] }, 2],
  [{ $slice: [[1, 2, 3], 2] }, [1, 2]],
  [{ $slice: [[1, 2, 3], -2, 1] }, [2]],
  [{ $concatArrays: [[1], [2, 3]] }, [1, 2, 3]],
  [{ $filter: { input: '$a', as: 'n', cond: { $gt: ['$$n', 1] } } }, [2, 3], { a: [1, 2, 3] }],
  [{ $filter: { input: '$a', cond: { $gt: ['$$this', 1] }, limit: 1 } }, [2], { a: [1, 2, 3] }],
  [{ $map: { input: '$a', as: 'n', in: { $multiply: ['$$n', 2] } } }, [2, 4], { a: [1, 2] }],
  [{ $reduce: { input: ['a', 'b'], initialValue: '', in: { $concat: ['$$value', '$$this'] } } }, 'ab'],
  [{ $in: [2, '$a'] }, true, { a: [1, 2] }],
  [{ $indexOfArray: [['a', 'b'], 'b'] }, 1],
  [{ $isArray: ['$a'] }, true, { a: [] }],
  [{ $range: [0, 10, 3] }, [0, 3, 6, 9]],
  [{ $reverseArray: [[1, 2]] }, [2, 1]],
  [
    { $zip: { inputs: [[1, 2], ['a']], useLongestLength: true } },
    [
      [1, 'a'],
      [2, null],
    ],
  ],
  [{ $sortArray: { input: [3, 1, 2], sortBy: -1 } }, [3, 2, 1]],
  [{ $sortArray: { input: [{ x: 2 }, { x: 1 }], sortBy: { x: 1 } } }, [{ x: 1 }, { x: 2 }]],
  [{ $maxN: { input: [1, 5, 3], n: 2 } }, [5, 3]],
  [
    {
      $setUnion: [
        [1, 2],
        [double(2), 3],
      ],
    },
    [1, 2, 3],
  ],
  [
    {
      $setIntersection: [
        [1, 2],
        [2, 3],
      ],
    },
    [2],
  ],
  [{ $setDifference: [[1, 2], [2]] }, [1]],
  [
    {
      $setEquals: [
        [1, 2, 2],
        [2, 1],
      ],
    },
    true,
  ],
  [{ $setIsSubset: [[1], [1, 2]] }, true],
  [{ $anyElementTrue: [[0, 1]] }, true],
  [{ $arrayToObject: [[{ k: 'a', v: 1 }]] }, { a: 1 }],
  [{ $objectToArray: { a: 1 } }, [{ k: 'a', v: 1 }]],
]);

table('text', [
  [{ $concat: ['a', '$b'] }, 'ax', { b: 'x' }],
  [{ $concat: ['a', null] }, null],
  [{ $substrBytes: ['hello', 1, 3] }, 'ell'],
  [{ $substrCP: ['h\u{1f600}llo', 1, 2] }, '\u{1f600}l'],
  [{ $substrCP: ['h\u{1f600}llo', 2, 9] }, 'llo'],
  [{ $substrCP: ['\u{1f600}', 1, 1] }, ''],
  [{ $substrCP: ['', 0, 1] }, ''],
  [{ $toUpper: 'äbc' }, 'äBC'],
  [{ $strLenBytes: 'ä' }, 2],
  [{ $strLenCP: '\u{1f600}' }, 1],
  [{ $split: ['a-b', '-'] }, ['a', 'b']],
  [{ $trim: { input: '  a ' } }, 'a'],
  [{ $ltrim: { input: 'xxa', chars: 'x' } }, 'a'],
  [{ $indexOfBytes: ['äb', 'b'] }, 2],
  [{ $indexOfCP: ['äb', 'b'] }, 1],
  [{ $replaceAll: { input: 'a$a', find: 'a', replacement: { $literal: '$&' } } }, '$&$$&'],
  [{ $replaceOne: { input: 'aa', find: 'a', replacement: { $literal: '$&' } } }, '$&a'],
  [{ $regexMatch: { input: 'Abc', regex: /^a/i } }, true],
  [{ $regexFind: { input: 'äab12', regex: '([a-z])(\\d)?' } }, { match: 'a', idx: 1, captures: ['a', null] }],
  [
    { $regexFindAll: { input: 'a1b2', regex: '\\d' } },
    [
      { match: '1', idx: 1, captures: [] },
      { match: '2', idx: 3, captures: [] },
    ],
  ],
  [{ $strcasecmp: ['ab', 'AB'] }, 0],
]);

table('types and conversion', [
  [{ $type: '$a' }, 'missing'],
  [{ $type: '$a' }, 'long', { a: long(1) }],
  [{ $toString: 5 }, '5'],
  [{ $toString: date }, '2024-03-10T12:34:56.789Z'],
  [{ $toString: new ObjectId('0'.repeat(24)) }, '0'.repeat(24)],
  [{ $toInt: '12' }, 12],
  [{ $toInt: double(5.9) }, 5],
  [{ $toLong: '9007199254740993' }, Long.fromString('9007199254740993')],
  [{ $toDouble: '1.5' }, 1.5],
  [{ $toDecimal: '1.10' }, decimal('1.10')],
  [{ $toBool: 0 }, false],
  [{ $toBool: 'false' }, true],
  [{ $toDate: '2024-03-10' }, new Date('2024-03-10')],
  [{ $toDate: long(5) }, new Date(5)],
  [{ $toObjectId: '0'.repeat(24) }, new ObjectId('0'.repeat(24))],
  [{ $convert: { input: 'x', to: 'int', onError: -1 } }, -1],
  [{ $convert: { input: null, to: 'int', onNull: 0 } }, 0],
  [{ $isNumber: decimal('1') }, true],
  [{ $binarySize: new Binary(Buffer.from([1, 2])) }, 2],
  [{ $bsonSize: { a: new Int32(1) } }, 12],
]);

table('documents', [
  [{ $mergeObjects: ['$a', { y: 2 }, null] }, { x: 1, y: 2 }, { a: { x: 1 } }],
  [{ $getField: 'a.b' }, 5, { 'a.b': 5 }],
  [{ $getField: { field: 'x', input: '$a' } }, 1, { a: { x: 1 } }],
  [{ $setField: { field: { $literal: '$x' }, input: '$$ROOT', value: 1 } }, { $x: 1 }],
  [{ $unsetField: { field: 'a', input: '$$ROOT' } }, { b: 1 }, { a: 1, b: 1 }],
]);

table('dates', [
  [{ $year: date }, 2024],
  [{ $dayOfWeek: date }, 1],
  [{ $week: date }, 10],
  [{ $isoWeek: new Date('2021-01-01T00:00:00Z') }, 53],
  [{ $isoWeekYear: new Date('2021-01-01T00:00:00Z') }, long(2020)],
  [{ $hour: { date, timezone: '+05:30' } }, 18],
  [{ $hour: { date, timezone: 'America/New_York' } }, 8],
  [{ $hour: { date: new Date('2024-03-09T12:00:00Z'), timezone: 'America/New_York' } }, 7],
  [{ $year: '$nothing' }, null],
  [{ $dateToString: { date, format: '%Y-%m-%d %j %u %V %z %%' } }, '2024-03-10 070 7 10 +0000 %'],
  [{ $dateToString: { date } }, '2024-03-10T12:34:56.789Z'],
  [{ $dateToString: { date: null, onNull: 'none' } }, 'none'],
  [
    { $dateAdd: { startDate: new Date('2024-01-31T00:00:00Z'), unit: 'month', amount: 1 } },
    new Date('2024-02-29T00:00:00Z'),
  ],
  [
    { $dateAdd: { startDate: new Date('2024-03-09T17:00:00Z'), unit: 'day', amount: 1, timezone: 'America/New_York' } },
    new Date('2024-03-10T16:00:00Z'),
  ],
  [{ $dateSubtract: { startDate: date, unit: 'hour', amount: 2 } }, new Date('2024-03-10T10:34:56.789Z')],
  [
    {
      $dateDiff: {
        startDate: new Date('2023-12-31T23:00:00Z'),
        endDate: new Date('2024-01-01T01:00:00Z'),
        unit: 'year',
      },
    },
    long(1),
  ],
  [
    {
      $dateDiff: {
        startDate: new Date('2024-01-06T23:00:00Z'),
        endDate: new Date('2024-01-07T01:00:00Z'),
        unit: 'week',
      },
    },
    long(1),
  ],
  [{ $dateTrunc: { date, unit: 'month' } }, new Date('2024-03-01T00:00:00Z')],
  [{ $dateTrunc: { date, unit: 'week', startOfWeek: 'monday' } }, new Date('2024-03-04T00:00:00Z')],
  [{ $dateTrunc: { date, unit: 'hour', binSize: 2 } }, new Date('2024-03-10T12:00:00Z')],
  [{ $dateTrunc: { date, unit: 'day', timezone: '+05:30' } }, new Date('2024-03-09T18:30:00Z')],
  [{ $dateFromParts: { year: 2024, month: 14, day: 1 } }, new Date('2025-02-01T00:00:00Z')],
  [{ $dateFromParts: { isoWeekYear: 2017, isoWeek: 6, isoDayOfWeek: 4, hour: 12 } }, new Date('2017-02-09T12:00:00Z')],
  [{ $dateToParts: { date } }, { year: 2024, month: 3, day: 10, hour: 12, minute: 34, second: 56, millisecond: 789 }],
  [{ $dateFromString: { dateString: '2017-02-08T12:10:40.787' } }, new Date('2017-02-08T12:10:40.787Z')],
  [{ $dateFromString: { dateString: '2017-02-08T12:10:40+02:00' } }, new Date('2017-02-08T10:10:40Z')],
  [{ $dateFromString: { dateString: '06-15-2018', format: '%m-%d-%Y' } }, new Date('2018-06-15T00:00:00Z')],
  [{ $dateFromString: { dateString: 'xx', onError: 'bad' } }, 'bad'],
]);

describe('invalid expressions', () => {
  const rows: [unknown, number, RegExp][] = [
    [{ $foo: 1 }, 168, /^Unrecognized expression '\$foo'$/],
    [{ $add: 1, $subtract: 2 }, 15983, /exactly one field/],
    [{ $eq: [1] }, 16020, /^Expression \$eq takes exactly 2 arguments\. 1 were passed in\.$/],
    ['$$x', 17276, /^Use of undefined variable: x$/],
    ['$', 16872, /not a valid FieldPath/],
    [{ $divide: [1, 0] }, 2, /^can't \$divide by zero$/],
    [{ $add: ['x', 1] }, 14, /^\$add only supports numeric or date types, not string$/],
    [{ $size: 5 }, 17124, /^The argument to \$size must be an array, but was of type: int$/],
    [{ $toInt: 'x' }, 241, /^Failed to parse number 'x' in \$convert with no onError value$/],
    [{ $toInt: '3000000000' }, 241, /overflow/],
    [{ $filter: { input: [] } }, 9, /^Missing 'cond' parameter to \$filter$/],
    [{ $function: { body: '1', args: [], lang: 'js' } }, 115, /not supported/],
    [{ $dateToString: { date, format: '%Q' } }, 18536, /Invalid format character/],
    [{ $year: { date, timezone: 'Nowhere/Land' } }, 40485, /unrecognized time zone/],
    [{ $switch: { branches: [{ case: false, then: 1 }] } }, 40066, /no default/],
  ];
  it.each(rows)('%j: %i', (expression, code, message) => {
    expect(() => evaluate(expression)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});

it('sees the variables of let', () => {
  expect(evaluate({ $add: ['$$x', 1] }, {}, { x: new Int32(4) })).toEqual(new Int32(5));
});
