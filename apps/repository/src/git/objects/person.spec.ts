import { formatSignature, personNamed } from './person';

it.each([
  ['Ada Lovelace', 'ada@example.com', 'Ada Lovelace <ada@example.com>'],
  ['Ada <the "first">\n', 'ada@example.com', 'Ada the "first" <ada@example.com>'],
  ['<>', 'ada@example.com', 'ada <ada@example.com>'],
  [' \u0001\u0000', '', 'Unknown <>'],
  ['Zoë 🦉', '<zoe@example.com>', 'Zoë 🦉 <zoe@example.com>'],
])('%j with %j becomes %j', (name, email, expected) => {
  expect(formatSignature({ ...personNamed(name, email), date: new Date(0) })).toBe(`${expected} 0 +0000`);
});

it.each(['', ' ', 'a<b', 'a>b', 'a\nb', 'a\u0000'])('an author that a caller names %j is refused', (name) => {
  expect(() => formatSignature({ name, email: 'ada@example.com' })).toThrow('author_invalid');
});
