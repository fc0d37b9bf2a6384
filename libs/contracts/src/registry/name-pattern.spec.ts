import { namePattern } from './name-pattern';

describe('patterns for names of tags', () => {
  it.each([
    '.*',
    'v\\d{1,3}\\.\\d+',
    '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    '[0-9a-f]{64}',
    '(a|b){2,1000}',
    '{',
  ])('list the names they match: %s', (pattern) => expect(namePattern(1000).parse(pattern)).toBe(pattern));

  it.each(['.{0,1000}'.repeat(100), `(${'ab'.repeat(400)}){1000}`, `(${'a'.repeat(900)}){90,}`])(
    'are matched in linear time: %.20s',
    (pattern) =>
      expect(namePattern(1000).safeParse(pattern).error?.issues).toMatchObject([{ message: 'repeats too much' }]),
  );
});
