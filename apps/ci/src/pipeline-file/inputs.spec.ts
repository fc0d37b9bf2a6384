import { Budget, usualLimits } from './file-limits';
import { withInputs } from './inputs';
import { parseYaml } from './read-yaml';

const read = (text: string, given?: Record<string, unknown>, limits = usualLimits) => {
  const { body, header } = parseYaml(text);
  return withInputs(body, header, { given, known: { CI_COMMIT_BRANCH: 'main' }, budget: new Budget(limits) });
};
const file = (inputs: string, body: string) => `spec:\n  inputs: ${inputs}\n---\n${body}`;

it('are inserted in keys and values, with their type if nothing else is there', () => {
  const text = file(
    '{ stage: { default: test }, count: { type: number }, fast: { type: boolean, default: false }, list: { type: array } }',
    `"$[[ inputs.stage ]]-job":
  stage: $[[ inputs.stage ]]
  parallel: $[[inputs.count]]
  interruptible: $[[ inputs.fast ]]
  script: $[[ inputs.list ]]
  tags: ["$[[ inputs.stage ]] of $[[ inputs.count ]]", "$[[ inputs.list ]] and more"]`,
  );
  expect(read(text, { count: 3, list: ['a', 'b'] })).toEqual({
    'test-job': {
      ...{ stage: 'test', parallel: 3, interruptible: false, script: ['a', 'b'] },
      tags: ['test of 3', '["a","b"] and more'],
    },
  });
});

it('pass through functions, one after the other', () => {
  const text = file(
    '{ ref: { default: "$CI_COMMIT_BRANCH branch" } }',
    'a: $[[ inputs.ref | expand_vars ]]\nb: $[[ inputs.ref | expand_vars | truncate(0, 4) ]]\nc: $[[ inputs.ref | posix_escape ]]',
  );
  expect(read(text)).toEqual({ a: 'main branch', b: 'main', c: '\\$CI_COMMIT_BRANCH\\ branch' });
});

it('stay unchanged in a file that declares no inputs', () => {
  expect(read('a: $[[ inputs.b ]]')).toEqual({ a: '$[[ inputs.b ]]' });
  expect(read('spec:\n---\na: b')).toEqual({ a: 'b' });
});

it.each<[string, string, Record<string, unknown> | undefined, string]>([
  ['one that nobody gives', '{ a: }', undefined, '`a` input: required value has not been provided'],
  ['one that is not declared', '{ a: { default: x } }', { b: 1 }, 'unknown input arguments: b'],
  ['one of another type', '{ a: { type: number } }', { a: '1' }, '`a` input: provided value is not a number'],
  ['a default of another type', '{ a: { type: array, default: x } }', {}, '`a` input: provided value is not an array'],
  [
    'one that is no option',
    '{ a: { options: [x, y] } }',
    { a: 'z' },
    '`z` cannot be used because it is not in the list',
  ],
  ['one beside the pattern', '{ a: { regex: ^v\\d$ } }', { a: 'w1' }, 'does not match required RegEx pattern'],
  ['one beside a pattern in slashes', '{ a: { regex: /^V\\d$/i } }', { a: 'w1' }, 'does not match required RegEx'],
  ['a pattern that is none', '{ a: { regex: "(" } }', { a: 'w1' }, 'invalid pattern'],
  ['an unknown keyword', '{ a: { colour: red } }', {}, 'header:spec:inputs:a config contains unknown keys: colour'],
  ['an unknown type', '{ a: { type: date } }', {}, 'header:spec:inputs:a:type config is invalid'],
])('refuses %s', (_what, inputs, given, problem) => {
  expect(() => read(file(inputs, 'job: x'), given)).toThrow(problem);
});

it.each([
  ['$[[ inputs.b ]]', 'unknown interpolation key: `inputs.b`'],
  ['$[[ constructor ]]', 'unknown interpolation key: `constructor`'],
  ['$[[ $[[ inputs.a ]]', 'unknown interpolation key: `$[[ inputs.a`'],
  ['$[[ inputs.a | shout ]]', 'no function matching `shout`'],
  ['$[[ inputs.a | truncate(1) ]]', 'no function matching `truncate(1)`'],
  ['$[[ inputs.n | truncate(0, 1) ]]', 'takes a string alone'],
])('refuses %s', (text, problem) => {
  expect(() => read(file('{ a: { default: x }, n: { type: number, default: 1 } }', `job: ${text}`))).toThrow(problem);
});

it('refuses inputs for a file that declares none', () => {
  expect(() => read('job: x', { a: 1 })).toThrow('declares none');
});

it('accept patterns with and without slashes', () => {
  expect(read(file('{ a: { regex: ^v\\d$ } }', 'job: $[[ inputs.a ]]'), { a: 'v1' })).toEqual({ job: 'v1' });
  expect(read(file('{ a: { regex: /^V\\d$/i } }', 'job: $[[ inputs.a ]]'), { a: 'v1' })).toEqual({ job: 'v1' });
});

it.each([
  ['begins again and again', '$[['.repeat(500_000), '$[['.repeat(500_000)],
  ['is not closed', 'a $[[ inputs.a', 'a $[[ inputs.a'],
  ['is one of a parallel job', '$[[ matrix.OS ]] $[[ inputs.a ]]', '$[[ matrix.OS ]] x'],
  ['stands beside another', '$[[ inputs.a ]]$[[ inputs.a ]]', 'xx'],
])('are put into a text in which a block %s', (_what, text, expected) => {
  expect(read(file('{ a: { default: x } }', JSON.stringify({ job: text })))).toEqual({ job: expected });
});

it('produce no more text than a file may have', () => {
  const text = file('{ a: }', `job: [${Array(100).fill('"x$[[ inputs.a ]]"').join(', ')}]`);
  const limits = { ...usualLimits, sizeBytes: 10_000 };
  expect(() => read(text, { a: 'x'.repeat(1000) }, limits)).toThrow('The parsed YAML is too big');
  expect(read(text, { a: 'x'.repeat(100) }, limits).job).toHaveLength(100);
});

it('are read from at most two documents', () => {
  expect(() => parseYaml('a: b\n---\nc: d')).toThrow('Invalid configuration format');
  expect(() => parseYaml('spec:\n---\nc: d\n---\ne: f')).toThrow('Invalid configuration format');
  expect(() => parseYaml('spec:\n---\n- c')).toThrow('Invalid configuration format');
});
