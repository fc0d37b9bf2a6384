import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { checkedOutput } from './checked-output';

describe('checkedOutput', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'output-'));
    await mkdir(join(folder, 'there'));
    await writeFile(join(folder, 'there', 'HEAD'), '');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = (script: string) => spawn('sh', ['-c', script]);

  it('is the output of the process', async () => {
    expect(await text(checkedOutput(run('echo all'), folder, 'test'))).toBe('all\n');
  });

  it.each([
    ['there', 'git_failed'],
    ['deleted', 'repository_not_found'],
  ])('does not end as if it were complete if git failed: %s', async (repository, reason) => {
    const output = checkedOutput(run('echo half; echo why >&2; exit 3'), join(folder, repository), 'test');
    await expect(text(output)).rejects.toMatchObject({ reason, detail: 'git test: why\n' });
  });
});
