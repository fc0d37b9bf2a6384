import { fitsTextArea, withLineEndsOf } from './text-area';

describe('a text area', () => {
  it.each(['', 'a\nb', 'a\r\nb\r\n', '\u0007\ufeff'])('returns %j as it is', (text) => {
    expect(fitsTextArea(text)).toBe(true);
  });

  it.each(['a\0', 'a\rb', 'a\r', '\r\r\n'])('does not return %j as it is', (text) => {
    expect(fitsTextArea(text)).toBe(false);
  });

  it('returns line ends that are replaced with those of the earlier text', () => {
    expect(withLineEndsOf('a\r\nb', 'a\nc\n')).toBe('a\r\nc\r\n');
    expect(withLineEndsOf('a\nb', 'a\nc\n')).toBe('a\nc\n');
  });
});
