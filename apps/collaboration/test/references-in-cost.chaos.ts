import { referencesIn } from '../src/markdown/references-in';

it.each(['a', 'a/', '#', '@', '~', 'a1', '~"', '@a.'])('take no longer for %s', (part) => {
  const started = process.cpuUsage();
  referencesIn(part.repeat(300_000));
  expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
});
