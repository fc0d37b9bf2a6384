import { decodeToken, encodeToken } from './page-token';

describe('a token of a keyset page', () => {
  it.each([0, 1, 1_602_741_600_000, -1])('brings back a position at %p', (time) => {
    const position = { at: new Date(time), id: 42 };
    expect(decodeToken(encodeToken(position))).toEqual(position);
  });

  it.each(['', 'x', 'MS4', Buffer.from('1.2.3').toString('base64url'), Buffer.from('1.x').toString('base64url')])(
    'is refused if it is not valid: %p',
    (token) => expect(() => decodeToken(token)).toThrow(/page_token is invalid/),
  );
});
