import { shareBetweenTests } from '@moothall/testing';
import { sastReport } from './reports';
import { startSecurityService } from './security-under-test';

describe('reports of scanners', () => {
  const security = shareBetweenTests(startSecurityService);

  it('of a million findings are refused, and do not delay others', async () => {
    const { bed } = security;
    const project = bed.project();
    const [finding] = sastReport([{ file: 'a.js', line: 1 }]).vulnerabilities;
    const minimal = JSON.stringify({ identifiers: finding!.identifiers.slice(0, 1), location: { file: 'a' } });
    const head = '{"version":"15.0.0","scan":{"type":"sast"},"vulnerabilities":[';
    const many = Buffer.from(`${head}${new Array(600_000).fill(minimal).join(',')}]}`);
    const longestWait = async (): Promise<number> => {
      const refusal = expect(bed.upload(project, many)).rejects.toMatchObject({
        value: { message: expect.stringContaining('a list of more than 100000') },
      });
      const begun = Date.now();
      let longest = 0;
      for (let asked = 0; asked < 20; asked++) {
        const before = Date.now();
        await bed.list(project);
        longest = Math.max(longest, Date.now() - before);
      }
      await refusal;
      expect(Date.now() - begun).toBeLessThan(60_000);
      return longest;
    };
    // The machine itself may pause for other work.
    let longest = await longestWait();
    for (let tries = 1; tries < 4 && longest >= 2_000; tries++) longest = await longestWait();
    expect(longest).toBeLessThan(2_000);
  });
});
