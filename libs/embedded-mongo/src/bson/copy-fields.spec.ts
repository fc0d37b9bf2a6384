import { serialize } from 'bson';
import { fieldCopier } from './copy-fields';

const document = { _id: 1, text: 'é'.repeat(1000), list: [1, { a: 'b' }], nothing: null, when: new Date(0), last: 'z' };
const bytes = Buffer.from(serialize(document));

test.each([
  [['_id', 'text'], true, { _id: 1, text: document.text }],
  [['last', '_id', 'unknown'], true, { _id: 1, last: 'z' }],
  [['text', 'list'], false, { _id: 1, nothing: null, when: new Date(0), last: 'z' }],
  [[], false, document],
  [[], true, {}],
])('%j with kept fields %j', (names, keeps, expected) => {
  expect(fieldCopier(new Set(names), keeps)(bytes).equals(serialize(expected))).toBe(true);
});

test('truncated bytes are refused', () => {
  expect(() => fieldCopier(new Set(), false)(bytes.subarray(0, bytes.length - 1))).toThrow('invalid BSON');
});

test('documents with other fields, or with the same in another order, follow each other', () => {
  const copy = fieldCopier(new Set(['a', 'ab']), true);
  for (const [given, expected] of [
    [
      { a: 1, b: 2, ab: 3 },
      { a: 1, ab: 3 },
    ],
    [
      { ab: 3, a: 1, b: 2 },
      { ab: 3, a: 1 },
    ],
    [{}, {}],
    [{ abc: 1, é: 2 }, {}],
    [
      { a: 'x', b: 'y', ab: 'z', c: 'w' },
      { a: 'x', ab: 'z' },
    ],
    [
      { a: 1, b: 2, ab: 3 },
      { a: 1, ab: 3 },
    ],
  ]) {
    expect(copy(Buffer.from(serialize(given!))).equals(serialize(expected!))).toBe(true);
  }
});
