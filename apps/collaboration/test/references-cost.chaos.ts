import { referencesIn } from '../src/cross-reference/references';

describe('references in a text', () => {
  it.each([
    ['a'.repeat(1_000_000), '#1'],
    ['a/'.repeat(500_000), '#1'],
    ['`'.repeat(1_000_000), '#1'],
    ['#'.repeat(1_000_000), '1'],
    ['a#'.repeat(500_000), '1'],
  ])('take no longer for hostile text', (text, end) => {
    const started = process.cpuUsage();
    referencesIn(text + end);
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });
});
