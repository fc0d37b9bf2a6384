import { z } from 'zod';
import { firstProblem } from './first-problem';
import { present } from './present';

const schema = z.object({ runs: z.array(z.object({ tool: z.string() })) });
const problemOf = (value: unknown) => firstProblem(present(schema.safeParse(value).error, 'an error'));

describe('firstProblem', () => {
  it('names the place in the value', () => {
    expect(problemOf({ runs: [{ tool: 'a' }, { tool: 1 }] })).toBe(
      'runs[1].tool Invalid input: expected string, received number',
    );
  });

  it('names no place for a problem of the whole value', () => {
    expect(problemOf('text')).toBe('Invalid input: expected object, received string');
  });

  it('is bounded', () => {
    const wide = z.strictObject({}).safeParse({ ['x'.repeat(10_000)]: 1 });
    expect(firstProblem(present(wide.error, 'an error'))).toHaveLength(300);
  });
});
