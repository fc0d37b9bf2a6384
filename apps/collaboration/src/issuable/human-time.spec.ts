import { humanTime, parseTime } from './human-time';

describe('working time', () => {
  it.each([
    ['1mo 2w 3d 4h 5m', 576_000 + 288_000 + 86_400 + 14_400 + 300],
    ['3h30m', 12_600],
    ['-1h', -3600],
    ['1.5h', 5400],
    ['90s', 90],
  ])('reads %s', (text, seconds) => expect(parseTime(text)).toBe(seconds));

  it.each(['', 'soon', '3', '1h soon', '1y', `${'9'.repeat(200)}h`, `${'9'.repeat(400)}h`, '9999999999s'])(
    'finds nothing in %p',
    (text) => expect(parseTime(text)).toBeUndefined(),
  );

  // A million blanks blocked all services.
  it.each(['\t'.repeat(1_000_000), `1h${' '.repeat(1_000_000)}x`, '0'.repeat(1_000_000)])(
    'is parsed in linear time',
    (text) => expect(parseTime(text)).toBeUndefined(),
  );

  it.each([
    [0, null],
    [3600, '1h'],
    [28_800, '1d'],
    [144_000 + 3 * 28_800, '1w 3d'],
    [-5400, '-1h 30m'],
  ])('prints %d', (seconds, text) => expect(humanTime(seconds)).toBe(text));
});
