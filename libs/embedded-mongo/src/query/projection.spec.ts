import { Long, serialize } from 'bson';
import { fieldCopier } from '../bson/copy-fields';
import { decodeDocument, decodeFields } from '../bson/decode';
import { encodeDocument } from '../bson/encode';
import type { Document } from '../bson/value';
import { compileFilter } from './compile-filter';
import { parseFilter } from './parse-filter';
import { compileProjection } from './projection';

const wire = (document: object): Document => decodeDocument(serialize(document));

function projected(document: object, spec: object, filter: object = {}): Document {
  const bytes = serialize(document);
  const projection = compileProjection(wire(spec));
  if (!projection) return wire(document);
  const position = compileFilter(parseFilter(wire(filter))).matchedPosition(wire(document));
  const result = projection.apply(decodeDocument(bytes), position);
  if (projection.neededFields) {
    expect(projection.apply(decodeFields(bytes, projection.neededFields), position)).toEqual(result);
  }
  if (projection.wholeFields) {
    const { names, keeps } = projection.wholeFields;
    expect(fieldCopier(names, keeps)(Buffer.from(bytes)).equals(encodeDocument(result))).toBe(true);
  }
  return result;
}

describe('projections', () => {
  const rows: [document: object, spec: object, expected: object, filter?: object][] = [
    [{ _id: 1, a: 1, b: 2 }, {}, { _id: 1, a: 1, b: 2 }],
    [{ _id: 1, a: 1, b: 2 }, { a: 1 }, { _id: 1, a: 1 }],
    [{ _id: 1, a: 1, b: 2 }, { a: Long.fromNumber(1) }, { _id: 1, a: 1 }],
    [
      { _id: 1, a: 1, b: 2 },
      { b: true, a: 1.5 },
      { _id: 1, a: 1, b: 2 },
    ],
    [{ _id: 1, a: 1, b: 2 }, { a: 1, _id: 0 }, { a: 1 }],
    [{ _id: 1, a: 1, b: 2 }, { a: 0 }, { _id: 1, b: 2 }],
    [{ _id: 1, a: 1 }, { _id: 1 }, { _id: 1 }],
    [{ _id: 1, a: 1 }, { _id: 0 }, { a: 1 }],
    [
      { _id: 1, a: 1, b: 2 },
      { _id: 1, a: 0 },
      { _id: 1, b: 2 },
    ],
    [{ _id: 1, a: { b: 1, c: 2 } }, { 'a.b': 1 }, { _id: 1, a: { b: 1 } }],
    [{ _id: 1, a: { b: 1, c: 2 } }, { a: { b: 1 } }, { _id: 1, a: { b: 1 } }],
    [{ _id: 1, a: { b: 1, c: 2 } }, { 'a.b': 0 }, { _id: 1, a: { c: 2 } }],
    [{ _id: 1, a: [1, { b: 1, c: 2 }, [{ b: 3 }]] }, { 'a.b': 1 }, { _id: 1, a: [{ b: 1 }, [{ b: 3 }]] }],
    [{ _id: 1, a: [1, { b: 1, c: 2 }] }, { 'a.b': 0 }, { _id: 1, a: [1, { c: 2 }] }],
    [{ _id: 1, a: 5 }, { 'a.b': 1 }, { _id: 1 }],
    [{ _id: 1, a: [1, 2, 3], b: 1 }, { a: { $slice: 2 } }, { _id: 1, a: [1, 2], b: 1 }],
    [{ _id: 1, a: [1, 2, 3] }, { a: { $slice: -1 } }, { _id: 1, a: [3] }],
    [{ _id: 1, a: [1, 2, 3], b: 1 }, { a: { $slice: [1, 1] } }, { _id: 1, a: [2], b: 1 }],
    [
      { _id: 1, a: [1, 2, 3], b: 1, c: 2 },
      { a: { $slice: [-2, 1] }, b: 1 },
      { _id: 1, a: [2], b: 1 },
    ],
    [{ _id: 1, a: [{ x: 1 }, { x: 2 }], b: 1 }, { a: { $elemMatch: { x: 2 } } }, { _id: 1, a: [{ x: 2 }] }],
    [{ _id: 1, a: [{ x: 1 }] }, { a: { $elemMatch: { x: 2 } } }, { _id: 1 }],
    [{ _id: 1, a: [1, 5, 9] }, { a: { $elemMatch: { $gt: 4 } } }, { _id: 1, a: [5] }],
    [{ _id: 1, a: [1, 5], b: 2 }, { 'a.$': 1 }, { _id: 1, a: [5] }, { a: 5 }],
    [{ _id: 1, a: [{ x: 1 }, { x: 2 }] }, { 'a.$': 1 }, { _id: 1, a: [{ x: 2 }] }, { 'a.x': 2 }],
    [
      { _id: 1, a: 1, b: 2 },
      { b: 1, sum: '$a' },
      { _id: 1, b: 2, sum: 1 },
    ],
    [
      { _id: 1, a: { b: 1 } },
      { 'a.c': { $literal: 5 }, 'a.b': 1 },
      { _id: 1, a: { b: 1, c: 5 } },
    ],
  ];
  it.each(rows)('%j by %j: %j', (document, spec, expected, filter = {}) => {
    expect(encodeDocument(projected(document, spec, filter)).equals(serialize(expected))).toBe(true);
  });

  it.each([
    [{ a: 1, b: 0 }, 31254],
    [{ a: 0, b: 1 }, 31253],
    [{ a: 1, 'a.b': 1 }, 31249],
    [{ 'a.b': 1, a: 1 }, 31250],
    [{ 'a.$': 1, 'b.$': 1 }, 31276],
    [{ '': 1 }, 40352],
    [{ a: {} }, 51270],
    [{ a: { $foo: 1 } }, 168],
  ])('%j is refused with %i', (spec, code) => {
    expect(() => projected({ _id: 1 }, spec)).toThrow(expect.objectContaining({ code }));
  });

  it('refuse $ without a match', () => {
    expect(() => projected({ _id: 1, a: [1] }, { 'a.$': 1 })).toThrow(expect.objectContaining({ code: 51246 }));
  });
});
