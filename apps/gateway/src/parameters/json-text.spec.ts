import { readJson } from './json-text';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

it.each([
  ['', {}],
  ['{"a":"[[["}', { a: '[[[' }],
  [`{"a":"\\"${'['.repeat(200)}"}`, { a: `"${'['.repeat(200)}` }],
  [`{"a":"\\\\","b":[1]}`, { a: '\\', b: [1] }],
  [nested(100), JSON.parse(nested(100))],
])('reads %j', (text, value) => {
  expect(readJson(text)).toEqual(value);
});

it.each([nested(101), `{"a\\\\":${nested(200_000)}}`, '['.repeat(20_000_000)])(
  'refuses endless nesting, immediately',
  (text) => {
    expect(() => readJson(text)).toThrow('common.bad_request');
  },
);

it.each(['{', '"', '"\\"', 'nonsense', ']'.repeat(200)])('refuses %j', (text) => {
  expect(() => readJson(text)).toThrow('common.invalid_parameters');
});

it('reads strings full of escapes in their time', () => {
  const text = JSON.stringify({ a: '"\\'.repeat(2_000_000) });
  expect(readJson(text)).toEqual({ a: '"\\'.repeat(2_000_000) });
});

it.each(['[],', '{},', '1,', '"",'])('refuses millions of values, immediately: %j', (value) => {
  const text = `[${value.repeat(2_000_000)}1]`;
  expect(() => readJson(text)).toThrow('common.bad_request');
});
