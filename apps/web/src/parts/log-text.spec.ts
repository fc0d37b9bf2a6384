import { logText } from './log-text';

it.each([
  ['plain\ntext\n', 'plain\ntext\n'],
  ['\u001b[0KRunning\u001b[31;1m red\u001b[0;m\r\n', 'Running red\n'],
  ['10 %\r50 %\r100 %\nnext', '100 %\nnext'],
  ['section_start:1700000000:build\r\u001b[0K\u001b[36;1mBuild\u001b[0m\n', 'Build\n'],
  ['a\nsection_end:1700000000:build\r\u001b[0Ksection_start:1:x[collapsed=true]\r\u001b[0Ky', 'a\ny'],
  ['\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007', 'link'],
  ['bell\u0007 back\u0008 tab\t end\u009b', 'bell back tab\t end'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
])('of %j is %j', (log, text) => {
  expect(logText(log)).toBe(text);
});

// A pattern that tries all ways to match would exceed the time of a test.
it.each(['\u001b[', '\u001b[0;', '\u001b]', '\u009b0;1', 'section_start:1:', '\r', '[', 'section_start:1:a['])(
  'ends for many %j',
  (piece) => {
    const log = piece.repeat((128 * 1024) / piece.length);
    expect(logText(log).length).toBeLessThanOrEqual(log.length);
  },
);
