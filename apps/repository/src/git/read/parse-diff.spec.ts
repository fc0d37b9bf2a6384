import { DiffParser } from './parse-diff';

const LIMITS = { files: 10, lines: 100, totalBytes: 10_000, patchBytes: 1000 };
const RAW = (letter: string, names: string, modes = '100644 100644') =>
  `:${modes} ${'a'.repeat(40)} ${'b'.repeat(40)} ${letter}\t${names}\n`;

function parse(text: string, limits = LIMITS, piece = 7) {
  const parser = new DiffParser(limits);
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += piece) parser.push(bytes.subarray(at, at + piece));
  return { diffs: parser.finish(), isFull: parser.isFull };
}

it('reads files and texts in chunks of any size', () => {
  const text = `${RAW('M', 'x')}${RAW('R090', '"o\\303\\251"\tn')}\ndiff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/o b/n\nsimilarity index 90%\n`;
  for (const piece of [1, 2, 50, 10_000]) {
    expect(parse(text, LIMITS, piece).diffs).toMatchObject([
      { old_path: 'x', new_path: 'x', diff: '@@ -1 +1 @@\n-a\n+b\n', renamed_file: false },
      { old_path: 'oé', new_path: 'n', diff: '', renamed_file: true },
    ]);
  }
});

it('is not misled by contents that look like headers', () => {
  const text = `${RAW('M', 'x')}\ndiff --git a/x b/x\n@@ -1 +1 @@\n-diff --git a/y b/y\n+Binary files a b\n`;
  expect(parse(text).diffs).toMatchObject([{ diff: '@@ -1 +1 @@\n-diff --git a/y b/y\n+Binary files a b\n' }]);
});

it('drops one long patch, and everything once the sum is over', () => {
  const patch = (name: string, lines: number) =>
    `diff --git a/${name} b/${name}\n@@ -1 +1 @@\n${'+line\n'.repeat(lines)}`;
  const text = `${['a', 'b', 'c'].map((name) => RAW('M', name)).join('')}\n${patch('a', 2)}${patch('b', 500)}${patch('c', 2)}`;
  expect(parse(text).diffs.map((diff) => diff.diff !== '')).toEqual([true, false, true]);
  for (const piece of [1, 100, 5000, 100_000]) {
    expect(parse(text, LIMITS, piece).diffs.map((diff) => diff.diff !== '')).toEqual([true, false, true]);
  }
  const tight = parse(text, { ...LIMITS, lines: 4 });
  expect([tight.isFull, ...tight.diffs.map((diff) => diff.diff !== '')]).toEqual([true, true, false, false]);
});

it('reads past a line of a hundred megabytes in linear time', () => {
  const parser = new DiffParser(LIMITS);
  parser.push(Buffer.from(`${RAW('M', 'a')}${RAW('M', 'b')}\ndiff --git a/a b/a\n@@ -1 +1 @@\n+`));
  const piece = Buffer.alloc(64 * 1024, 'x');
  for (let at = 0; at < 1600; at++) parser.push(piece);
  parser.push(Buffer.from('\ndiff --git a/b b/b\n@@ -1 +1 @@\n+b\n'));
  expect(parser.finish().map(({ diff }) => diff)).toEqual(['', '@@ -1 +1 @@\n+b\n']);
});
