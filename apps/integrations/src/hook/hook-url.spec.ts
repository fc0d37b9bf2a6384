import { hookErrors } from '@moothall/contracts';
import { isMoved, maskedUrl, parseHookUrl, unmaskedUrl, withVariables } from './hook-url';

it.each(['ftp://a.example/', 'javascript:alert(1)', 'nowhere', '', 'http://', 'http:///x', 'http:x'])(
  'refuses %j',
  (url) => expect(() => parseHookUrl(url)).toThrow(hookErrors.schemeBlocked()),
);

it.each([
  ['https://ada:secret@a.example/{path}?x=1', 'https://*****:*****@a.example/{path}?x=1'],
  ['https://ada@a.example/', 'https://*****@a.example/'],
  ['https://ada:se@cret@a.example/', 'https://*****:*****@a.example/'],
  ['http://a.example/hook@home', 'http://a.example/hook@home'],
  ['http://a.example?to=ada:x@b', 'http://a.example?to=ada:x@b'],
])('shows %s as %s', (url, shown) => expect(maskedUrl(url)).toBe(shown));

it('accepts the masked address for the stored one', () => {
  const kept = 'https://ada:secret@a.example/hook';
  expect(unmaskedUrl(maskedUrl(kept), kept)).toBe(kept);
  expect(unmaskedUrl('https://b.example/', kept)).toBe('https://b.example/');
  expect(unmaskedUrl('https://*****@a.example/', 'https://ada@a.example/')).toBe('https://ada@a.example/');
});

it.each([
  'https://*****:*****@a.example/other',
  'https://*****:*****@b.example/hook',
  'https://*****@a.example/hook',
  'https://ada:*****@a.example/hook',
  'https://*****:secret@a.example/hook',
])('refuses %s, whose mask does not stand for the stored URL', (url) => {
  expect(() => unmaskedUrl(url, 'https://ada:secret@a.example/hook')).toThrow(hookErrors.maskedCredentials());
  expect(() => unmaskedUrl(url)).toThrow(hookErrors.maskedCredentials());
});

it.each(['https://a.example/*****@b', 'https://ada:**@a.example/', 'https://******@a.example/'])(
  'accepts asterisks that are no mask: %s',
  (url) => expect(unmaskedUrl(url)).toBe(url),
);

it.each([
  ['https://a.example/one', 'https://a.example/two?x=1', false],
  ['https://a.example/', 'https://ada:secret@a.example:443/', false],
  ['https://a.example/', 'https://a.example:8443/', true],
  ['https://a.example/', 'http://a.example/', true],
  ['https://a.example/', 'https://b.example/', true],
  ['https://a.example/', 'https://{host}/', true],
])('from %s to %s is another server: %s', (before, after, moved) => expect(isMoved(before, after)).toBe(moved));

it('replaces variables by their raw values, and keeps unknown ones', () => {
  const variables = new Map([
    ['host', 'a.example'],
    ['path', '{host}'],
  ]);
  expect(withVariables('https://{host}/{path}/{other}', variables)).toBe('https://a.example/{host}/{other}');
});
