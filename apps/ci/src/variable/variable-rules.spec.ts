import { keyProblems, maskProblems, withoutValues } from './variable-rules';

it.each([
  ['KEY_1', 0],
  ['', 1],
  ['a-b', 1],
  [`${'a'.repeat(256)}`, 1],
  [`${'-'.repeat(256)}`, 2],
])('finds with the key %s so many problems: %d', (key, count) => {
  expect(keyProblems(key)).toHaveLength(count);
});

it.each([
  ['seven-7', true, false, false],
  ['eight-88', true, false, true],
  ['eight 888', true, false, false],
  ['eight$888', true, false, false],
  ['eight$888', true, true, true],
  ['eight 888', true, true, false],
  ['two\nlines-of-it', true, true, false],
  ['short', false, false, true],
])('accepts the value %j, masked %s, raw %s: %s', (value, masked, raw, isTaken) => {
  expect(maskProblems({ value, masked, raw }).length === 0).toBe(isTaken);
});

it('masks the longest match first', () => {
  expect(withoutValues('see long-value-more, long-value', ['long-value', 'long-value-more'])).toBe(
    'see [MASKED], [MASKED]',
  );
});
