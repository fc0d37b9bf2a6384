import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  deserialize,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson';
import { decodeDocument, decodeFields } from './decode';
import { fieldNames, removeField, setField } from './document';
import { encodeDocument } from './encode';

const everything = {
  double: new Double(1),
  negativeZero: new Double(-0),
  text: 'grüße \u{1f600}',
  long_text: 'x'.repeat(300),
  document: { a: { b: new Int32(1) } },
  array: [new Int32(1), ['x'], { y: null }],
  binary: new Binary(Buffer.from([1, 2, 3]), 4),
  oldBinary: new Binary(Buffer.from([1, 2, 3]), 2),
  id: new ObjectId(),
  yes: true,
  date: new Date(-1),
  nothing: null,
  pattern: new BSONRegExp('^a', 'im'),
  code: new Code('return 1'),
  scoped: new Code('return x', { x: new Int32(1) }),
  symbol: new BSONSymbol('s'),
  int: new Int32(-5),
  timestamp: new Timestamp({ t: 4_000_000_000, i: 7 }),
  long: Long.fromString('-9223372036854775808'),
  decimal: Decimal128.fromString('1.10'),
  min: new MinKey(),
  max: new MaxKey(),
};

describe('documents in memory', () => {
  it('are encoded to the same bytes, for any types', () => {
    const bytes = serialize(everything);
    expect(encodeDocument(decodeDocument(bytes)).equals(bytes)).toBe(true);
  });

  it('decode to the values of the bson package', () => {
    const { scoped: _, ...rest } = everything;
    const bytes = serialize(rest);
    const expected = deserialize(bytes, { promoteValues: false, bsonRegExp: true });
    expect(decodeDocument(bytes)).toEqual(expected);
  });

  it('keep the order of names that look like array indexes', () => {
    const bytes = serialize(
      new Map<string, unknown>([
        ['b', 1],
        ['1', 2],
        [
          '0',
          new Map([
            ['z', 1],
            ['7', 2],
          ]),
        ],
      ]),
    );
    const document = decodeDocument(bytes);
    expect(fieldNames(document)).toEqual(['b', '1', '0']);
    expect(encodeDocument(document).equals(bytes)).toBe(true);
    removeField(document, '1');
    setField(document, 'a', 1);
    setField(document, '1', 2);
    expect(fieldNames(document)).toEqual(['b', '0', 'a', '1']);
  });

  it('keep dates outside the range of JavaScript', () => {
    const bytes = serialize({ far: Long.MAX_VALUE, past: Long.MIN_VALUE });
    // Two longs become two dates: their type bytes are at the beginning of each element.
    for (const name of ['far', 'past']) bytes[Buffer.from(bytes).indexOf(name) - 1] = 0x09;
    const document = decodeDocument(bytes);
    expect(document.far).toBeInstanceOf(Date);
    expect(encodeDocument(document).equals(bytes)).toBe(true);
  });

  it('have no inherited fields', () => {
    const document = decodeDocument(serialize(JSON.parse('{"__proto__": {"polluted": 1}, "x": 1}')));
    expect(fieldNames(document)).toEqual(['__proto__', 'x']);
    expect(document.constructor).toBeUndefined();
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('keep DBRefs as documents', () => {
    const bytes = serialize({
      ref: new Map<string, unknown>([
        ['x', 1],
        ['$ref', 'c'],
        ['$id', 5],
      ]),
    });
    expect(encodeDocument(decodeDocument(bytes)).equals(bytes)).toBe(true);
  });

  it('can be read in part', () => {
    expect(decodeFields(serialize(everything), new Set(['int', 'max', 'none']))).toEqual({
      int: new Int32(-5),
      max: new MaxKey(),
    });
  });

  it('are refused when a byte is cut off, whichever it is', () => {
    const bytes = serialize(everything);
    for (let length = 0; length < bytes.length; length += 7) {
      expect(() => decodeDocument(bytes.subarray(0, length))).toThrow(expect.objectContaining({ code: 22 }));
    }
  });

  it('are refused beyond 200 levels', () => {
    let nested: object = {};
    for (let level = 0; level < 201; level++) nested = { a: nested };
    expect(() => decodeDocument(serialize(nested))).toThrow(expect.objectContaining({ code: 15 }));
  });

  it('are refused with strings that are no UTF-8', () => {
    const bytes = serialize({ a: 'xx' });
    bytes[bytes.length - 3] = 0xff;
    expect(() => decodeDocument(bytes)).toThrow(expect.objectContaining({ code: 22 }));
    expect(decodeDocument(serialize({ a: '\ufffd' }))).toEqual({ a: '\ufffd' });
  });
});
