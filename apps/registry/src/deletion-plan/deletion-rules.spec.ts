import { OperationError } from '@moothall/contracts';
import * as fc from 'fast-check';
import { readDeletionRules } from './deletion-rules';

function refusalOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (error instanceof OperationError) return error.value;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('patterns', () => {
  it('match names from end to end', () => {
    const { deletes, keeps } = readDeletionRules({ name_regex_delete: 'v1|v1-rc', name_regex_keep: 'v' });
    expect(['v1', 'v1-rc'].every(deletes)).toBe(true);
    expect(['v', 'v1-', 'xv1', 'v1-rc2', 'v1\n'].some(deletes)).toBe(false);
    expect(['v', 'v1', 'vv'].map(keeps)).toEqual([true, false, false]);
  });

  it('match nothing if they are empty or missing', () => {
    const { deletes, keeps } = readDeletionRules({ name_regex_delete: '' });
    expect(['', 'v1'].some((name) => deletes(name) || keeps(name))).toBe(false);
  });

  it('may have the older name, which the newer one overrides', () => {
    expect(readDeletionRules({ name_regex: 'old' }).deletes('old')).toBe(true);
    const both = readDeletionRules({ name_regex: 'old', name_regex_delete: 'new' });
    expect([both.deletes('old'), both.deletes('new')]).toEqual([false, true]);
    // A given empty value matches nothing, and the older parameter is not used instead.
    expect(readDeletionRules({ name_regex: 'old', name_regex_delete: '' }).deletes('old')).toBe(false);
  });

  it('that repeat too much are refused before they delay others', () => {
    const read = () => readDeletionRules({ name_regex_delete: '((a{10}){10}){10}'.repeat(6) });
    expect(refusalOf(read).message).toBe('name_regex_delete repeats too much');
  });

  it('may repeat as names do', () => {
    const { deletes } = readDeletionRules({ name_regex_delete: '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' });
    expect(deletes('01234567-89ab-cdef-0123-456789abcdef')).toBe(true);
  });

  const parts = fc.constantFrom('a', 'b', 'ab', '.', '1', '-', '.*', 'a+', '(a|ab)', '[ab1]', 'b?', '(b|-)*');
  it('have RE2 semantics', async () => {
    await fc.assert(
      fc.property(
        fc.array(parts, { minLength: 1, maxLength: 6 }),
        fc.stringMatching(/^[ab1.-]{0,8}$/),
        (some, name) => {
          const pattern = some.join('');
          const expected = new RegExp(`^(?:${pattern})$`).test(name);
          expect(readDeletionRules({ name_regex_delete: pattern }).deletes(name)).toBe(expected);
        },
      ),
    );
  });

  it('take linear time where a backtracking engine would not end', () => {
    const { deletes } = readDeletionRules({ name_regex_delete: '(a+)+(a|aa)*(a*)*b' });
    expect(deletes('a'.repeat(128))).toBe(false);
    expect(deletes(`${'a'.repeat(127)}b`)).toBe(true);
  });

  it.each(['(', '*', '[z-a]', 'a{1001}', '((a{1000}){1000}){1000}', '(?=a)', '(?<!a)b', '\\1', '\\'])(
    'that are invalid are refused with a reason: %s',
    (pattern) => {
      for (const parameter of ['name_regex_delete', 'name_regex', 'name_regex_keep']) {
        expect(refusalOf(() => readDeletionRules({ [parameter]: pattern }))).toEqual({
          code: 'common.invalid_parameters',
          message: `${parameter} is an invalid regexp`,
          details: { error_description: expect.stringContaining('error parsing regexp') },
        });
      }
    },
  );
});

it('has no keep_n and no older_than by default', () => {
  const rules = readDeletionRules({ name_regex_delete: '.*' });
  expect(rules.keptCount).toBe(0);
  expect(rules).not.toHaveProperty('olderThanMs');
  expect(readDeletionRules({ name_regex_delete: '.*', keep_n: 3, older_than: '1d' })).toMatchObject({
    keptCount: 3,
    olderThanMs: 86_400_000,
  });
});

it.each(['', 'soon', '-1d', '0h'])('refuses an age of %j', (older_than) => {
  expect(refusalOf(() => readDeletionRules({ name_regex_delete: '.*', older_than }))).toEqual({
    code: 'common.invalid_parameters',
    message: 'older_than is invalid',
  });
});
