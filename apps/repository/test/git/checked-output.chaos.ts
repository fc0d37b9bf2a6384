import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { checkedOutput } from '../../src/git/process/checked-output';

describe('checkedOutput', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'output-'));
    await mkdir(join(folder, 'there'));
    await writeFile(join(folder, 'there', 'HEAD'), '');
  });

  afterAll(() => rm(folder, { recursive: true }));

  const run = (script: string) => spawn('sh', ['-c', script]);

  it('does not end as if it were complete if git was killed', async () => {
    const child = run('echo half; exec sleep 60');
    const output = checkedOutput(child, join(folder, 'there'), 'test');
    output.once('data', () => child.kill('SIGKILL'));
    await expect(text(output)).rejects.toMatchObject({ reason: 'git_failed' });
  });

  it('stops git if nobody reads the output', async () => {
    // It writes nothing more, so only the test ends it.
    const child = run('echo begun; exec sleep 60');
    const output = checkedOutput(child, folder, 'test');
    await once(output, 'readable');
    output.destroy();
    const [, signal] = await once(child, 'close');
    expect(signal).toBe('SIGKILL');
  });
});
