import { parsePipelineFile } from './parse-pipeline-file';

/* Files of the largest allowed size, in a separate file because they take long. */

describe('a large pipeline file', () => {
  it('may have as many rules as it may have values', () => {
    const rules = Array(190_000).fill('{}').join(',');
    expect(parsePipelineFile(`a: { script: x, rules: [${rules}] }`).jobs[0]!.rules).toHaveLength(190_000);
  });

  it('may have parallel jobs that need all copies of other parallel jobs', () => {
    const needs = (n: number) => Array.from({ length: n }, (_, at) => `j${at}`);
    const jobs = Array.from({ length: 25 }, (_, n) => [`j${n}`, { script: 'x', parallel: 200, needs: needs(n) }]);
    const file = parsePipelineFile(JSON.stringify(Object.fromEntries(jobs)));
    expect(file.jobs).toHaveLength(5000);
    expect(file.jobs.at(-1)!.needs).toHaveLength(24);
  });

  it('may have a long chain of needs', () => {
    const jobs = Array.from({ length: 5000 }, (_, n) => [
      `j${n}`,
      { script: 'x', needs: n < 4999 ? [`j${n + 1}`] : [] },
    ]);
    expect(parsePipelineFile(JSON.stringify(Object.fromEntries(jobs))).jobs).toHaveLength(5000);
  });
});
