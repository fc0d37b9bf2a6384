import { serialize } from 'bson';
import { copyFields } from './copy-fields';

const document = { _id: 1, text: 'é'.repeat(1000), list: [1, { a: 'b' }], nothing: null, when: new Date(0), last: 'z' };
const bytes = Buffer.from(serialize(document));

test.each([
  [['_id', 'text'], true, { _id: 1, text: document.text }],
  [['last', '_id', 'unknown'], true, { _id: 1, last: 'z' }],
  [['text', 'list'], false, { _id: 1, nothing: null, when: new Date(0), last: 'z' }],
  [[], false, document],
  [[], true, {}],
])('%j, kept: %j', (names, keeps, expected) => {
  expect(copyFields(bytes, new Set(names), keeps).equals(serialize(expected))).toBe(true);
});

test('bytes that end too early are refused', () => {
  expect(() => copyFields(bytes.subarray(0, bytes.length - 1), new Set(), false)).toThrow('invalid BSON');
});
