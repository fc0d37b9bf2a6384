import { ask, newUser, root } from '../server/connection';
import { newWorld, type World } from './world';

/* Suggestions on merge requests, by v4 clients. */

interface Suggestion {
  id: number;
  applied: boolean;
  appliable: boolean;
}

let world: World;
let iid: number;

beforeAll(async () => {
  world = await newWorld();
  const { Commits, MergeRequests } = world.member.client;
  const file = [{ action: 'create' as const, filePath: 'poem.txt', content: 'roses\nviolets\nsugar\n' }];
  await Commits.create(world.projectId, 'poem', 'Write', file, { startBranch: 'main' });
  ({ iid } = await MergeRequests.create(world.projectId, 'poem', 'main', 'A poem'));
});

async function suggest(line: number, body: string): Promise<Suggestion> {
  const { client } = world.member;
  const { diff_refs } = await client.MergeRequests.show(world.projectId, iid);
  const refs = diff_refs as { base_sha: string; start_sha: string; head_sha: string };
  const { notes } = await client.MergeRequestDiscussions.create(world.projectId, iid, body, {
    position: {
      ...{ baseSha: refs.base_sha, startSha: refs.start_sha, headSha: refs.head_sha, positionType: 'text' },
      ...{ oldPath: 'poem.txt', newPath: 'poem.txt', newLine: String(line) },
    },
  });
  return (notes as unknown as { suggestions: Suggestion[] }[])[0]!.suggestions[0]!;
}

const block = (text: string, reach = '') => [`\`\`\`suggestion${reach}`, text, '```'].join('\n');

const poem = () => root.RepositoryFiles.showRaw(world.projectId, 'poem.txt', 'poem');

const listed = async (): Promise<Suggestion[]> => {
  const notes = await world.member.client.MergeRequestNotes.all(world.projectId, iid);
  return (notes as unknown as { suggestions?: Suggestion[] }[]).flatMap(({ suggestions = [] }) => suggestions);
};

it('are committed to the source branch by callers who may push to it', async () => {
  const { Suggestions, Commits } = world.member.client;
  const suggestion = await suggest(1, block('Roses are red'));
  expect(suggestion).toMatchObject({
    ...{ from_line: 1, to_line: 1, appliable: true, applied: false },
    ...{ from_content: 'roses\n', to_content: 'Roses are red\n' },
  });
  const [outsider, path] = [await newUser('outsider'), `/api/v4/suggestions/${suggestion.id}/apply`];
  expect((await ask(path, { method: 'PUT', token: outsider.token })).status).toBe(403);
  expect((await ask(path, { method: 'PUT' })).status).toBe(401);
  expect(await Suggestions.edit(suggestion.id, { commitMessage: 'As was said' })).toMatchObject({ applied: true });
  expect(await poem()).toBe('Roses are red\nviolets\nsugar\n');
  const [commit] = await Commits.all(world.projectId, { refName: 'poem' });
  expect(commit).toMatchObject({ title: 'As was said', author_name: expect.any(String) });
  await expect(Suggestions.edit(suggestion.id)).rejects.toThrow("Can't apply this suggestion.");
});

it('create one commit for several suggestions, and are refused after the lines changed', async () => {
  const { Suggestions, RepositoryFiles } = world.member.client;
  const [one, other] = [await suggest(2, block('Violets are blue')), await suggest(3, block('Sugar is sweet'))];
  const late = await suggest(3, block('Sugar is late', ':-1+0'));
  await expect(Suggestions.editBatch([one.id, late.id])).rejects.toThrow('lines cannot overlap');
  expect(await Suggestions.editBatch([one.id, other.id])).toMatchObject([{ applied: true }, { applied: true }]);
  expect(await poem()).toBe('Roses are red\nViolets are blue\nSugar is sweet\n');
  await expect(Suggestions.edit(late.id)).rejects.toThrow('were changed in a more recent version');
  await expect(Suggestions.editBatch([one.id, 999_999_999])).rejects.toThrow('were not found');
  await RepositoryFiles.edit(world.projectId, 'poem.txt', 'poem', 'Gone\n', 'Replace');
  const states = async () => (await listed()).map(({ applied, appliable }) => [applied, appliable]);
  expect(await states()).toEqual(expect.arrayContaining([[true, false]]));
  expect((await listed()).find(({ id }) => id === late.id)).toMatchObject({ applied: false, appliable: false });
});

it('are applied once under two concurrent requests', async () => {
  const { RepositoryFiles } = world.member.client;
  await RepositoryFiles.edit(world.projectId, 'poem.txt', 'poem', 'a\nb\n', 'Anew');
  const { id } = await suggest(1, block('a\nand'));
  const apply = () => ask(`/api/v4/suggestions/${id}/apply`, { method: 'PUT', token: world.member.token });
  const answers = await Promise.all([apply(), apply(), apply()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect(await poem()).toBe('a\nand\nb\n');
});
