import { readWebAddress } from './web-address';

it.each([
  ['http://example.com', 'http://example.com/'],
  ['HTTPS://Example.com:8443/a?b=c#d', 'https://example.com:8443/a?b=c#d'],
  ['http://ada:secret@[::1]:80/{name}', 'http://ada:secret@[::1]/%7Bname%7D'],
  ['http://bücher.example/ключ', 'http://xn--bcher-kva.example/%D0%BA%D0%BB%D1%8E%D1%87'],
])('%s is an address', (text, href) => {
  expect(readWebAddress(text)?.href).toBe(href);
});

it.each([
  'http:///x',
  'http:x',
  'http:/x',
  'http:\\\\x',
  'http://x\\y',
  'http://',
  'http://?a',
  'http://#a',
  ' http://x',
  'http://x ',
  'http://x/a b',
  'http://x/a\tb',
  'http://x/\u0000',
  'http://x:99999',
  'http://[x]',
  'ftp://x',
  'javascript://x',
  '//x',
  'x',
  '',
])('%j is refused', (text) => {
  expect(readWebAddress(text)).toBeUndefined();
});

it('accepts other schemes if they are named', () => {
  expect(readWebAddress('ftp://x/y', ['http', 'ftp'])?.href).toBe('ftp://x/y');
});
