import { SecretBox } from './secret-box';

describe('SecretBox', () => {
  const box = new SecretBox('a passphrase');

  it.each(['', 'hunter2', 'pässwörd 🔑', 'x'.repeat(100_000)])('opens what it sealed', (plain) => {
    expect(box.open(box.seal(plain))).toBe(plain);
  });

  it('seals the same text differently each time', () => {
    expect(box.seal('same')).not.toBe(box.seal('same'));
  });

  it('refuses what was altered', () => {
    const bytes = Buffer.from(box.seal('hunter2'), 'base64');
    bytes[bytes.length - 1]! ^= 1;
    expect(() => box.open(bytes.toString('base64'))).toThrow();
  });

  it('refuses another key, and what is no seal', () => {
    expect(() => new SecretBox('another').open(box.seal('hunter2'))).toThrow();
    expect(() => box.open('')).toThrow();
  });
});
