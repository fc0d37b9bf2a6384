import { Access, createCommit, deleteBranch, getFile, readLines, replaceLines } from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { type ProjectUnderTest, startRepositoryService } from './repository-under-test';

const service = shareBetweenTests(() => startRepositoryService());

const place = (path: string, first: number, last = first) => ({ path, first, last });

async function withFile(content: string): Promise<ProjectUnderTest & { sha: string }> {
  const made = await service.newProject();
  return { ...made, sha: await made.commit('main', 'a.txt', content) };
}

const read = ({ context }: ProjectUnderTest, ranges: ({ revision: string } & ReturnType<typeof place>)[], max = 1000) =>
  service.client.call(readLines, { ranges, max_bytes: max }, context);

const textOf = async ({ context }: ProjectUnderTest, path = 'a.txt') => {
  const { content } = await service.client.call(getFile, { id: 'x', file_path: path, ref: 'main' }, context);
  return Buffer.from(content, 'base64').toString();
};

const replace = (
  { context }: Pick<ProjectUnderTest, 'context'>,
  replacements: (ReturnType<typeof place> & { before: string; after: string })[],
  branch = 'main',
) => service.client.call(replaceLines, { branch, message: 'Replace', replacements }, context);

it('reads the lines of text files, and nothing of binary, too large or missing ones', async () => {
  const made = await withFile('one\r\ntwo\nthree');
  await made.commit('main', 'picture', '\0\uFFFD');
  await service.client.call(
    createCommit,
    {
      ...{ id: 'x', branch: 'main', commit_message: 'bytes' },
      actions: [
        {
          action: 'create',
          file_path: 'bytes',
          content: Buffer.from([0xff, 0x0a]).toString('base64'),
          encoding: 'base64',
        },
      ],
    },
    made.context,
  );
  const at = (revision: string, ...of: Parameters<typeof place>) => ({ revision, ...place(...of) });
  const ranges = [
    at(made.sha, 'a.txt', 1),
    at('refs/heads/main', 'a.txt', 2, 9),
    at(made.sha, 'a.txt', 4),
    at('main', 'bytes', 1),
    at('main', 'none', 1),
    at('none', 'a.txt', 1),
  ];
  expect(await read(made, ranges)).toEqual(['one\r\n', 'two\nthree', null, null, null, null]);
  expect(await read(made, ranges.slice(0, 2), 5)).toEqual(['one\r\n', null]);
});

it('replaces lines of several files in one commit', async () => {
  const made = await withFile('1\n2\n3\n');
  await made.commit('main', 'b.txt', 'b\n');
  const done = await replace(made, [
    { ...place('a.txt', 3), before: '3\n', after: '' },
    { ...place('a.txt', 1), before: '1\n', after: 'one\nand\n' },
    { ...place('b.txt', 1), before: 'b\n', after: 'B\n' },
  ]);
  expect(done).toEqual({ sha: expect.stringMatching(/^[0-9a-f]{40}$/) });
  expect([await textOf(made), await textOf(made, 'b.txt')]).toEqual(['one\nand\n2\n', 'B\n']);
});

it('does nothing if the lines or the branch have changed', async () => {
  const made = await withFile('1\n2\n');
  const other = { ...place('a.txt', 2), before: '3\n', after: 'three\n' };
  expect(await replace(made, [{ ...place('a.txt', 1), before: '1\n', after: 'one\n' }, other])).toBeNull();
  expect(await replace(made, [{ ...place('none', 1), before: '1\n', after: 'one\n' }])).toBeNull();
  expect(await textOf(made)).toBe('1\n2\n');
  await made.branch('gone');
  await service.client.call(deleteBranch, { id: 'x', branch: 'gone' }, made.context);
  expect(await replace(made, [{ ...place('a.txt', 1), before: '1\n', after: 'one\n' }], 'gone')).toBeNull();
});

it('stores the changes of all concurrent writers', async () => {
  const made = await withFile('1\n2\n3\n4\n');
  const all = await Promise.all(
    [1, 2, 3].map((line) => replace(made, [{ ...place('a.txt', line), before: `${line}\n`, after: `line ${line}\n` }])),
  );
  expect(all.every((one) => one !== null)).toBe(true);
  expect(await textOf(made)).toBe('line 1\nline 2\nline 3\n4\n');
});

// The default branch is protected from the start.
it('obeys the protection of branches', async () => {
  const made = await withFile('1\n');
  const change = [{ ...place('a.txt', 1), before: '1\n', after: 'one\n' }];
  const context = { ...made.context, project: { ...made.project, accessLevel: Access.Developer } };
  await expect(replace({ context }, change)).rejects.toMatchObject({ code: 'protection.push_refused' });
  expect(await replace(made, change)).not.toBeNull();
});
