import {
  anyone,
  atLeastOneOf,
  get,
  mutuallyExclusive,
  nothing,
  type OperationError,
  operation,
  page,
  put,
  someChangeOf,
  text,
} from '@moothall/contracts';
import { z } from 'zod';
import { validatorOf } from './validate';

function problemsOf(input: z.ZodType<Record<string, unknown>>, raw: Record<string, unknown>): unknown {
  const validate = validatorOf(
    operation({ name: 'test.x.y', http: get('/x'), access: anyone(), input, output: nothing() }),
  );
  try {
    validate(raw);
  } catch (error) {
    return (error as OperationError).value.message;
  }
  throw new Error('nothing was refused');
}

describe('validatorOf', () => {
  it('names every problem in the order of declaration', () => {
    const input = z.object({ title: z.string(), content: text, count: z.int(), sort: z.enum(['asc', 'desc']) });
    expect(problemsOf(input, { content: '', count: 'x', sort: 'up' })).toBe(
      'title is missing, content is empty, count is invalid, sort does not have a valid value',
    );
  });

  it.each([
    [z.object({ a: z.object({ b: z.int() }).array() }), { a: [{ b: 'x' }] }, 'a[0][b] is invalid'],
    // An error of a plain item has the name of its list.
    [z.object({ iids: z.array(z.int()) }), { iids: ['x'] }, 'iids is invalid'],
    [z.object({ key: z.string().max(255) }), { key: 'x'.repeat(256) }, 'key is too long (maximum is 255)'],
    [z.object({ flag: z.boolean() }), { flag: 'maybe' }, 'flag is invalid'],
    [z.object({ kind: z.enum(['a']) }), {}, 'kind is missing'],
    [
      z.object({ a: z.string().optional(), b: z.string().optional() }).refine(...atLeastOneOf('a', 'b')),
      {},
      'a, b are missing, at least one parameter must be provided',
    ],
    [
      z.object({ a: z.string().optional(), b: z.string().optional() }).refine(...mutuallyExclusive('a', 'b')),
      { a: '1', b: '2' },
      'a, b are mutually exclusive',
    ],
  ])('%#: describes a problem as v4 clients expect it', (input, raw, wording) => {
    expect(problemsOf(input as never, raw)).toBe(wording);
  });

  it('fills in page and per_page of lists', () => {
    const list = operation({
      name: 'test.x.z',
      http: get('/z'),
      access: anyone(),
      input: z.object({}),
      output: page(z.int()),
    });
    expect(validatorOf(list)({ per_page: '50' })).toEqual({ page: 1, per_page: 50 });
  });

  it('accepts an update with fields of other servers, and refuses an empty one', () => {
    const input = z.object({ a: z.string().optional(), b: z.int().default(1) }).refine(...someChangeOf('a'));
    const update = operation({ name: 'test.x.v', http: put('/v'), access: anyone(), input, output: nothing() });
    expect(validatorOf(update)({ packages_enabled: true })).toEqual({ b: 1 });
    expect(problemsOf(input, { private_token: 'x' })).toBe('a are missing, at least one parameter must be provided');
  });

  it('ignores parameters that are not declared', () => {
    const open = operation({
      name: 'test.x.w',
      http: get('/w'),
      access: anyone(),
      input: z.object({}),
      output: nothing(),
    });
    expect(validatorOf(open)({ unknown: '1' })).toEqual({});
  });
});
