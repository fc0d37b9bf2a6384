import { expand, expandUpTo } from './expand';

/** The form of authors and of generated templates. */
const braced = ['$', '{A}'].join('');
const known = { A: '1', LONG: 'x'.repeat(1_000_000) };

it('resolves variables; unknown ones are empty', () => {
  expect(expand(`$A-${braced}-$B-$toString`, known)).toBe('1-1--');
  expect(expandUpTo(100, `a$A-${braced}-$B-`, known)).toBe('a1-1--');
});

it('stops if a text is as long as it may be', () => {
  expect(expandUpTo(3, '$A$A$A$A', known)).toBe('111');
  expect(expandUpTo(2, 'abc', known)).toBe('ab');
  // Also if a value reaches or exceeds the limit.
  expect([expandUpTo(2, 'a$A', known), expandUpTo(3, 'ab$LONG', known)]).toEqual(['a1', 'abx']);
  // Fully resolved, it would be a terabyte.
  expect(expandUpTo(10_000, '$LONG'.repeat(1_000_000), known)).toHaveLength(10_000);
});
