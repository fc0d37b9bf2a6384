import { GrepOutput } from './parse-grep';

const output = Buffer.from(
  [
    'a.txt\x001-one\n',
    'a.txt\x002:two NEEDLE\n',
    'a.txt\x003-three\n',
    '--\n',
    'a.txt\x009:needle again: 10-4\n',
    '--\n',
    'we\nird:1-name\x001:needle\n',
    '--\n',
    'caf\u00e9/b.txt\x0012:needle\n',
  ].join(''),
);
const expected = [
  { path: 'a.txt', startLine: 1, text: 'one\ntwo NEEDLE\nthree\n' },
  { path: 'a.txt', startLine: 9, text: 'needle again: 10-4\n' },
  { path: 'we\nird:1-name', startLine: 1, text: 'needle\n' },
  { path: 'café/b.txt', startLine: 12, text: 'needle\n' },
];

it.each([1, 2, 7, 1000])('reads matches in chunks of %i bytes', (size) => {
  const parsed = new GrepOutput(10);
  for (let at = 0; at < output.length; at += size) parsed.take(output.subarray(at, at + size));
  expect(parsed.finish()).toEqual(expected);
  expect(parsed.isFull).toBe(false);
});

it('is full with one more than wanted', () => {
  const parsed = new GrepOutput(2);
  parsed.take(output);
  expect(parsed.isFull).toBe(true);
  expect(parsed.finish()).toEqual(expected.slice(0, 2));
});

it('separates two files that follow one another without a separator', () => {
  const parsed = new GrepOutput(2);
  parsed.take(Buffer.from('a\x001:x\nb\x001:x\n'));
  expect(parsed.finish().map(({ path }) => path)).toEqual(['a', 'b']);
});

it('shows a match in an endless line with its beginning, and other text than UTF-8 as Latin-1', () => {
  const parsed = new GrepOutput(2);
  parsed.take(Buffer.concat([Buffer.from('a\x001:'), Buffer.alloc(100_000, 'y'), Buffer.from('\n')]));
  parsed.take(Buffer.from([0x61, 0, 0x32, 0x3a, 0xe9, 0x0a]));
  const [{ text } = { text: '' }] = parsed.finish();
  expect(text).toBe(`${'y'.repeat(8192)}\n`);
});

it('ignores invalid matches', () => {
  const parsed = new GrepOutput(2);
  parsed.take(Buffer.from('Binary file x matches\nand more'));
  expect(parsed.finish()).toEqual([]);
});
