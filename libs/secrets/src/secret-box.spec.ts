import { SecretBox } from './secret-box';

describe('SecretBox', () => {
  const box = new SecretBox('a passphrase');

  it.each(['', 'hunter2', 'pässwörd 🔑', 'x'.repeat(100_000)])('decrypts what it encrypted', (plain) => {
    expect(box.open(box.seal(plain))).toBe(plain);
  });

  it('seals the same text differently each time', () => {
    expect(box.seal('same')).not.toBe(box.seal('same'));
  });

  it('refuses changed values', () => {
    const bytes = Buffer.from(box.seal('hunter2'), 'base64');
    bytes[bytes.length - 1]! ^= 1;
    expect(() => box.open(bytes.toString('base64'))).toThrow();
  });

  it('refuses another key, and other values', () => {
    expect(() => new SecretBox('another').open(box.seal('hunter2'))).toThrow();
    expect(() => box.open('')).toThrow();
  });

  describe('with two keys', () => {
    const after = new SecretBox('the next one', 'a passphrase');

    it('decrypts values of both keys, and encrypts with the first', () => {
      expect(after.open(box.seal('hunter2'))).toBe('hunter2');
      expect(new SecretBox('the next one').open(after.seal('hunter2'))).toBe('hunter2');
      expect(() => box.open(after.seal('hunter2'))).toThrow();
    });

    it('encrypts values of the second key again, and no others', () => {
      const resealed = after.reseal(box.seal('hunter2'));
      expect(new SecretBox('the next one').open(resealed!)).toBe('hunter2');
      expect(after.reseal(resealed!)).toBeUndefined();
      expect(() => after.reseal(new SecretBox('a third').seal('hunter2'))).toThrow();
    });

    it('names the first alike in every process', () => {
      expect(after.keyName).toBe(new SecretBox('the next one').keyName);
      expect(after.keyName).not.toBe(box.keyName);
    });
  });
});
