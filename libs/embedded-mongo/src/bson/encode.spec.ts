import { deserialize } from 'bson';
import { encodeDocument } from './encode';

test.each([10, 5000, 20_000, 100_000, 2_000_000])('a text of %d characters is written whole', (length) => {
  // The buffer grows at the text; the bytes before it must be in the new one too.
  const document = { _id: 'first', inner: { text: 'x'.repeat(length) }, after: true };
  expect(deserialize(encodeDocument(document))).toEqual(document);
});
