import { holds } from '../src/pipeline-file/expression';

describe('evaluate', () => {
  it('needs no longer for a hostile pattern', () => {
    const started = process.cpuUsage();
    expect(holds('$A =~ /^(a+)+$/', { A: `${'a'.repeat(5000)}!` })).toBe(false);
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  });
});
