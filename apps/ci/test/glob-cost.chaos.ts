import { matcherOf } from '../src/pipeline-file/glob';

describe('a pattern of files', () => {
  it('matches in linear time: any pattern', () => {
    const isMeant = matcherOf(`${'*a'.repeat(200)}{${'{'.repeat(100)}${'*'.repeat(100)}`);
    const begun = performance.now();
    expect(isMeant('a'.repeat(4000))).toBe(false);
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
