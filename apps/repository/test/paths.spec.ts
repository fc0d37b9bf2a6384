import { contentErrors, createTag, findPath, repositoryLanguages } from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { type ProjectUnderTest, startRepositoryService } from './repository-under-test';

const service = shareBetweenTests(() => startRepositoryService());

const find = ({ context }: ProjectUnderTest, ref_and_path: string) =>
  service.client.call(findPath, { id: 'x', ref_and_path }, context);

describe('an address of a file', () => {
  let made: ProjectUnderTest;
  let sha: string;
  beforeAll(async () => {
    made = await service.newProject();
    sha = await made.commit('main', 'docs/deep/a.txt', '12345');
    await made.branch('feature/deep');
    await service.client.call(createTag, { id: 'x', tag_name: 'feature/deep/v1', ref: 'main' }, made.context);
  });

  it.each([
    ['', 'main', '', 'tree'],
    ['main', 'main', '', 'tree'],
    ['main/docs/deep/a.txt', 'main', 'docs/deep/a.txt', 'blob'],
    ['/main//docs/', 'main', 'docs', 'tree'],
    ['feature/deep', 'feature/deep', '', 'tree'],
    ['feature/deep/docs/deep', 'feature/deep', 'docs/deep', 'tree'],
    ['feature/deep/v1/docs', 'feature/deep/v1', 'docs', 'tree'],
    ['refs/heads/main/docs', 'refs/heads/main', 'docs', 'tree'],
    ['HEAD/docs', 'HEAD', 'docs', 'tree'],
    ['main~0/docs', 'main~0', 'docs', 'tree'],
  ])('%j is of the longest ref: %s and %j', async (asked, ref, path, type) => {
    expect(await find(made, asked)).toMatchObject({ ref, path, type, commit_id: sha });
  });

  it('may begin with an id, also a short one', async () => {
    expect(await find(made, `${sha}/docs`)).toMatchObject({ ref: sha, path: 'docs' });
    expect(await find(made, `${sha.slice(0, 8)}/docs`)).toMatchObject({ ref: sha.slice(0, 8), commit_id: sha });
  });

  it('has the size of a file, in bytes', async () => {
    expect(await find(made, 'main/docs/deep/a.txt')).toMatchObject({ size: 5, mode: '100644' });
    expect(await find(made, 'main/docs')).toMatchObject({ size: null });
  });

  it.each(['none', 'feature', 'main..HEAD', '-', 'a b'])('without a ref is not found: %j', async (asked) => {
    await expect(find(made, asked)).rejects.toMatchObject({ code: contentErrors.treeNotFound.code });
  });

  it('that is long without a ref is not found', async () => {
    for (const asked of ['a'.repeat(8000), 'x/'.repeat(4000)])
      await expect(find(made, asked)).rejects.toMatchObject({ code: contentErrors.treeNotFound.code });
  });

  it.each(['main/none', 'main/docs/deep/a.txt/x', 'main/../docs', 'feature/deep/v2'])(
    'without a file there is not found: %j',
    async (asked) => {
      await expect(find(made, asked)).rejects.toMatchObject({ code: contentErrors.fileNotFound.code });
    },
  );
});

it('the languages of a project are those of its last commit', async () => {
  const made = await service.newProject();
  const languages = () => service.client.call(repositoryLanguages, { project_id: made.project.id }, made.context);
  await made.commit('main', 'a.ts', '12345');
  expect([await languages(), await languages()]).toEqual([{ TypeScript: 100 }, { TypeScript: 100 }]);
  await made.commit('main', 'a.go', '12345');
  expect(await languages()).toEqual({ TypeScript: 50, Go: 50 });
});
