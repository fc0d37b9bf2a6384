import { LineLimit } from './line-limit';

it('writes a limited number of lines a second, and counts the others in the next', () => {
  const lines: string[] = [];
  const limit = new LineLimit(2, (line) => lines.push(line));
  for (const at of [5_000, 5_100, 5_200, 5_999]) limit.line(`at ${at}`, at);
  expect(lines).toEqual(['at 5000', 'at 5100']);
  limit.line('at 6000', 6_000);
  limit.line('at 6001', 6_001);
  expect(lines.slice(2)).toEqual(['at 6000; 2 more were slow and are not told of', 'at 6001']);
});
