import { findLines, linesOf, replaceIn } from './lines';

describe('lines of a text', () => {
  it('keep their line endings, and the last one may have none', () => {
    expect(linesOf('a\r\nb\n\nc')).toEqual(['a\r\n', 'b\n', '\n', 'c']);
    expect(linesOf('a\n')).toEqual(['a\n']);
    expect(linesOf('')).toEqual([]);
  });

  it('are found as far as there are any', () => {
    expect(findLines(linesOf('a\nb\nc'), { first: 2, last: 9 })).toBe('b\nc');
    expect(findLines(linesOf('a\nb\n'), { first: 3, last: 3 })).toBeUndefined();
  });

  it('are replaced in several places at once', () => {
    const text = 'a\nb\nc\nd\n';
    const [one, other] = [
      { first: 1, last: 1, before: 'a\n', after: 'A\nAA\n' },
      { first: 3, last: 4, before: 'c\nd\n', after: '' },
    ];
    expect(replaceIn(text, [one, other])).toBe('A\nAA\nb\n');
    expect(replaceIn(text, [other, one])).toBe('A\nAA\nb\n');
  });

  it('do not change if one differs from the expected text', () => {
    expect(replaceIn('a\nb\n', [{ first: 1, last: 1, before: 'b\n', after: '' }])).toBeUndefined();
    expect(replaceIn('a\n', [{ first: 1, last: 2, before: 'a\nb\n', after: '' }])).toBeUndefined();
  });
});
