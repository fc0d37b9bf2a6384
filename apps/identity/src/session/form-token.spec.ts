import { createHmac } from 'node:crypto';
import { isFormToken, maskedFormToken } from './form-token';

const [key, cookie] = ['a key that is long enough', 'x'.repeat(43)];
const unmasked = createHmac('sha256', key).update(`form:${cookie}`).digest('base64url');

it('differs each time, and each one belongs to the browser', () => {
  const tokens = Array.from({ length: 100 }, () => maskedFormToken(key, cookie));
  expect(new Set(tokens).size).toBe(100);
  expect(tokens.every((token) => isFormToken(token, key, cookie))).toBe(true);
});

it('shares no part of its text with another one', () => {
  const [one, other] = [maskedFormToken(key, cookie), maskedFormToken(key, cookie)];
  const parts = Array.from({ length: one.length - 7 }, (_, at) => one.slice(at, at + 8));
  expect(parts.filter((part) => other.includes(part) || unmasked.includes(part))).toEqual([]);
});

it('is accepted without a mask, as earlier versions showed it', () => {
  expect(isFormToken(unmasked, key, cookie)).toBe(true);
});

it('belongs to no other browser, and to no other key', () => {
  for (const token of [maskedFormToken(key, cookie), unmasked]) {
    expect(isFormToken(token, key, 'y'.repeat(43))).toBe(false);
    expect(isFormToken(token, 'another key', cookie)).toBe(false);
  }
});

describe('what is no token is refused', () => {
  const token = maskedFormToken(key, cookie);

  it.each([
    ['an empty text', ''],
    ['a part of a token', token.slice(0, -1)],
    ['a token and more', `${token}A`],
    ['a token and a line end', `${token}\n`],
    ['a token with padding', `${token}==`],
    ['two tokens', token + token],
    ['a long text', 'A'.repeat(1_000_000)],
    ['a text that is no base64', '!'.repeat(token.length)],
    ['a token with a character that is no base64', `!${token.slice(1)}`],
    ['letters outside of ASCII', 'ä'.repeat(token.length)],
    ['zeros', Buffer.alloc(64).toString('base64url')],
    ['the unmasked token as its own mask', Buffer.from(unmasked + unmasked).toString('base64url')],
    ['a mask alone', token.slice(0, 43)],
  ])('%s', (_what, sent) => {
    expect(isFormToken(sent, key, cookie)).toBe(false);
  });

  it('a token with one changed bit', () => {
    const bytes = Buffer.from(token, 'base64url');
    for (const at of [0, 31, 32, 63]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(isFormToken(changed.toString('base64url'), key, cookie)).toBe(false);
    }
  });
});
