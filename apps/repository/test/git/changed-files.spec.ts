import fc from 'fast-check';
import { GitRunner } from '../../src/git/process/run-git';
import { decodeName } from '../../src/git/process/text';
import { git, gitText, importSample, startSample } from './build-repository';

const { engine, source } = startSample();

/** Paths of a commit by status, as git lists them. */
function changesOfGit(path: string, id: string) {
  const [parent] = gitText(path, ['rev-list', '--parents', '-1', id]).split(' ').slice(1);
  const trees = parent === undefined ? ['--root', '--no-commit-id', id] : [parent, id];
  const words = git(path, ['diff-tree', '-r', '-z', '--name-status', '--no-renames', ...trees])
    .toString('latin1')
    .split('\0');
  const named = (...statuses: string[]) =>
    words.flatMap((word, at) =>
      at % 2 === 1 && statuses.includes(words[at - 1]!) ? decodeName(Buffer.from(word, 'latin1')) : [],
    );
  return { added: named('A'), modified: named('M', 'T'), removed: named('D') };
}

async function expectChangesOfGit(path: string, ids: readonly string[]): Promise<void> {
  const changes = await engine.changedFiles.list(path, await engine.commits.list(path, ids));
  expect([...changes.keys()]).toEqual(ids);
  for (const id of ids) expect(changes.get(id)).toEqual(changesOfGit(path, id));
}

let made = 0;

/** A repository with one commit for each set of files. @returns it and the ids in order */
async function build(commits: readonly (readonly { path: string; mode: string; content: string }[])[]) {
  const path = await engine.storage.create(`changes-${++made}`, { defaultBranch: 'main' });
  const input = commits.flatMap((files, index) => [
    'commit refs/heads/main',
    `committer A <a@example.com> ${1_300_000_000 + index} +0000`,
    'data 1\nx',
    'deleteall',
    ...files.map((file) => `M ${file.mode} inline ${file.path}\ndata ${file.content.length}\n${file.content}`),
    '',
  ]);
  git(path, ['fast-import', '--quiet'], { input: input.join('\n') });
  return { path, ids: gitText(path, ['rev-list', '--reverse', 'main']).split('\n') };
}

const oneFile = (path: string, content = 'x') => ({ path, mode: '100644', content });

describe('the files that commits change', () => {
  it('are those of git, with names that are not UTF-8, links, submodules and merges', async () => {
    const path = await importSample(engine, source);
    const started = jest.spyOn(GitRunner.prototype, 'run');
    await expectChangesOfGit(path, gitText(path, ['rev-list', '--all']).split('\n'));
    expect(started).not.toHaveBeenCalled();
    started.mockRestore();
  });

  it('are those of git, for any files and folders', async () => {
    const names = ['a', 'a-b', 'a.b', 'a/b', 'a/b/c', 'a/ü', 'b', 'ü/a', '😀', '\uffee'];
    const anyFile = fc.record({
      path: fc.constantFrom(...names),
      mode: fc.constantFrom('100644', '100755', '120000'),
      content: fc.constantFrom('x', 'y'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyFile, { maxLength: 8 }), { minLength: 1, maxLength: 6 }),
        async (commits) => {
          const { path, ids } = await build(commits);
          await expectChangesOfGit(path, ids);
        },
      ),
      { numRuns: 30 },
    );
  });

  it.each([
    ['files', Array.from({ length: 1100 }, (_, at) => oneFile(`f${at}`))],
    ['folders', Array.from({ length: 70 }, (_, at) => oneFile(`f${at}/x`))],
    ['bytes of a folder', Array.from({ length: 960 }, (_, at) => oneFile(`${'n'.repeat(250)}${at}`))],
    ['characters of paths', Array.from({ length: 600 }, (_, at) => oneFile(`${`${'n'.repeat(250)}/`.repeat(9)}${at}`))],
  ])('are listed by one git process if there are too many %s', async (_, files) => {
    const { path, ids } = await build([files, [...files.slice(1), oneFile('new')]]);
    const started = jest.spyOn(GitRunner.prototype, 'run');
    await expectChangesOfGit(path, ids);
    expect(started).toHaveBeenCalledTimes(1);
    started.mockRestore();
  });
});
