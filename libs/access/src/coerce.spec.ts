import { commaList, date, id } from '@moothall/contracts';
import { z } from 'zod';
import { coercerOf } from './coerce';

const coerce = (schema: z.ZodType, value: unknown) => coercerOf(schema)(value);

describe('coercerOf', () => {
  it.each([
    [z.int(), '5', 5],
    [z.int(), 5, 5],
    [z.int(), 'five', 'five'],
    [z.int().optional(), '-1', -1],
    [z.int().nullable(), '', null],
    [date.nullable(), '', null],
    [z.string().nullable(), '', ''],
    [z.string(), 42, '42'],
    [z.boolean(), 'TRUE', true],
    [z.boolean().default(false), '0', false],
    [z.boolean(), 1, true],
    [z.boolean(), 'maybe', 'maybe'],
    [z.array(id), '7', [7]],
    [z.array(id), ['1', '2'], [1, 2]],
    [commaList(id), '1, 2,3', [1, 2, 3]],
    [commaList(id), ['1', '2,3', 4], [1, 2, 3, 4]],
    [commaList(z.string()), ['a, b', 'c'], ['a', 'b', 'c']],
    [commaList(z.string()), '', []],
    [z.union([z.int(), z.enum(['None', 'Any'])]), '3', 3],
    [z.union([z.int(), z.enum(['None', 'Any'])]), 'None', 'None'],
    [z.literal(10).or(z.literal(20)), '20', 20],
    [z.record(z.string(), z.string()), { a: 1 }, { a: '1' }],
    // Null and empty text count as absent, unless they have a meaning.
    [z.object({ a: z.int().optional() }), { a: null }, {}],
    [z.object({ a: z.int().optional() }), { a: '' }, {}],
    [z.object({ a: z.int() }), { a: null }, {}],
    [z.object({ a: z.int().nullable().optional() }), { a: '' }, { a: null }],
    [z.object({ a: z.boolean().default(true) }), { a: '' }, {}],
    [z.object({ a: z.enum(['x']).optional() }), { a: '' }, {}],
    [z.object({ a: date.optional() }), { a: '' }, {}],
    [z.object({ a: z.string().optional() }), { a: '' }, { a: '' }],
    [z.object({ a: z.array(id).optional() }), { a: [null, '', '1'] }, { a: [1] }],
    [z.object({ a: z.array(z.string()).optional() }), { a: ['', null] }, { a: [''] }],
    [z.object({ a: z.array(z.object({ b: z.int().optional() })) }), { a: [{ b: null }] }, { a: [{}] }],
    [z.array(z.object({ a: z.int() })), { 0: { a: '1' }, 7: { a: '2' } }, [{ a: 1 }, { a: 2 }]],
    // A value that cannot be converted to text stays unchanged.
    [z.boolean(), { toString: 1 }, { toString: 1 }],
    [z.literal(10).or(z.literal(20)), { toString: 1 }, { toString: 1 }],
    [z.object({ a: z.int() }), { a: '1', unknown: 'x' }, { a: 1 }],
    [z.array(z.object({ a: z.boolean() })), [{ a: 't' }], [{ a: true }]],
  ])('%#: converts the value to the declared type', (schema, value, expected) => {
    expect(coerce(schema as z.ZodType, value)).toEqual(expected);
  });
});
