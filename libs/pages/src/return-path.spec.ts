import { finalTarget, fitsReturn, returnPath, withReturn } from './return-path';

describe('returnPath', () => {
  it.each(['/', '/oauth/authorize?client_id=1&redirect_uri=https%3A%2F%2Fx', '/a/b#c'])('accepts %s', (path) =>
    expect(returnPath(path)).toBe(path),
  );

  it.each([
    undefined,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/a\nb',
    `/${'a'.repeat(20_000)}`,
    `/${'ä'.repeat(3_000)}`,
  ])('returns the start page instead of %.80j', (text) => expect(returnPath(text)).toBe('/'));
});

describe('withReturn', () => {
  it('has the way back in the address', () =>
    expect(withReturn('/users/sign_in', '/a?b=ä')).toBe('/users/sign_in?return_to=%2Fa%3Fb%3D%C3%A4'));

  it('omits the return path if it is longer than a header may be', () => {
    for (const text of [`/${'a'.repeat(20_000)}`, `/${'ä'.repeat(3_000)}`, `/${'%'.repeat(5_000)}`]) {
      expect(fitsReturn(text)).toBe(false);
      expect(withReturn('/users/sign_in', text)).toBe('/users/sign_in');
    }
  });
});

describe('finalTarget', () => {
  const authorize = (uri: string) => `/oauth/authorize?${new URLSearchParams({ redirect_uri: uri })}`;

  it('is the place of the application that an authorization leads to', () => {
    expect(finalTarget(authorize('https://ci.example:8443/cb?x'))).toBe('https://ci.example:8443');
    expect(finalTarget(authorize('com.example.app:/cb'))).toBe('com.example.app:');
  });

  it('is no other address', () => {
    expect(finalTarget('/-/profile')).toBeUndefined();
    expect(finalTarget(authorize('not a uri'))).toBeUndefined();
    expect(finalTarget(authorize('javascript:alert(1)'))).toBeUndefined();
    // Characters that a host may contain, and that would extend the policy.
    for (const host of ['a;sandbox', "a,'none'", '*'])
      expect(finalTarget(authorize(`https://${host}/cb`))).toBeUndefined();
  });
});
