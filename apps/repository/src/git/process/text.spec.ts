import fc from 'fast-check';
import { decodeName, decodeText, unquoteName } from './text';

it('shows bytes that are not UTF-8 as git quotes them', () => {
  expect(decodeName(Buffer.from('caf\xe9 \xc3\xa9', 'latin1'))).toBe('caf\\351 é');
});

it('gives different texts to different invalid names', () => {
  expect(decodeName(Buffer.from([0xff]))).not.toBe(decodeName(Buffer.from([0xfe])));
});

it('does not change valid names', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => decodeName(Buffer.from(name)) === name));
});

it('reads quoted names', () => {
  expect(unquoteName('plain')).toEqual(Buffer.from('plain'));
  expect(unquoteName('"a\\tb\\"c\\\\d\\303\\251"')).toEqual(Buffer.from('a\tb"c\\dé'));
});

it('decodes text by its announced encoding, else UTF-8, else Latin-1', () => {
  expect(decodeText(Buffer.from([0xe9]), 'ISO-8859-1')).toBe('é');
  expect(decodeText(Buffer.from('é'), 'no-such-encoding')).toBe('é');
  expect(decodeText(Buffer.from([0xe9]))).toBe('é');
});
