import {
  Access,
  addChangelog,
  createCommit,
  createTag,
  getBlob,
  getChangelog,
  getRawBlob,
  type InputOf,
  listCommits,
  listTree,
  type OperationContext,
} from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { startRepositoryService } from './repository-under-test';

const under = shareBetweenTests(() => startRepositoryService());

/** A project with release 1.0.0, followed by two commits with a trailer, and one without. */
async function released() {
  const made = await under.newProject();
  const { context, project } = made;
  const commit = async (message: string, file: string, content = message) => {
    const actions = [{ action: 'create' as const, file_path: file, content }];
    return under.client.call(createCommit, { id: 'x', branch: 'main', commit_message: message, actions }, context);
  };
  const before = await commit('Old\n\nChangelog: old', 'old');
  await under.client.call(createTag, { id: 'x', tag_name: 'v1.0.0', ref: 'main' }, context);
  await under.client.call(createTag, { id: 'x', tag_name: 'v1.1.0-rc1', ref: 'main' }, context);
  const feature = await commit('Build a crane\n\nChangelog: feature\n', 'crane');
  const fix = await commit('Oil it\n\nChangelog: fixed', 'oil');
  await commit('Say nothing', 'nothing');
  const notes = async (input: Partial<InputOf<typeof getChangelog>> = {}, as: OperationContext = context) =>
    (await under.client.call(getChangelog, { id: 'x', version: '1.1.0', date: '2026-11-25', ...input }, as)).notes;
  const add = (input: Partial<InputOf<typeof addChangelog>> = {}, as: OperationContext = context) =>
    under.client.call(addChangelog, { id: 'x', version: '1.1.0', date: '2026-11-25', ...input }, as);
  const read = async (path: string) => {
    const { items } = await under.client.call(listTree, { id: 'x' }, context);
    const { id } = items.find((entry) => entry.path === path)!;
    const { content } = await under.client.call(getBlob, { id: 'x', sha: id }, context);
    return Buffer.from(content, 'base64').toString();
  };
  return { ...made, project, before, feature, fix, commit, notes, add, read };
}

it('lists the changes since the last release, by category', async () => {
  const { notes, project, feature, fix, before } = await released();
  const line = (title: string, { id }: { id: string }) => `- [${title}](${project.fullPath}@${id})\n`;
  const section = `## 1.1.0 (2026-11-25)\n\n### fixed (1 change)\n\n${line('Oil it', fix)}\n### feature (1 change)\n\n${line('Build a crane', feature)}`;
  expect(await notes()).toBe(section);
  expect(await notes({ version: 'v1.1.0', from: before.id })).toBe(section);
  expect(await notes({ to: feature.id })).not.toContain('Oil it');
  expect(await notes({ trailer: 'Kind' })).toContain('No changes.');
});

it('writes it into a file, above the version before, and once', async () => {
  const { add, read, notes, context } = await released();
  await add({ version: '1.0.0', from: 'main' });
  await add();
  await add({ message: 'Again' });
  const [{ title } = { title: '' }] = (await under.client.call(listCommits, { id: 'x' }, context)).items;
  expect(title).toBe('Again');
  expect(await read('CHANGELOG.md')).toBe(`${await notes()}\n## 1.0.0 (2026-11-25)\n\nNo changes.\n`);
});

it('obeys the configuration of the project', async () => {
  const { commit, notes } = await released();
  await commit('Configure', '.gitlab/changelog_config.yml', "categories: {feature: New}\ndate_format: '%d.%m.%Y'\n");
  expect(await notes()).toMatch(/^## 1.1.0 \(25.11.2026\)\n\n### fixed[^#]*### New \(1 change\)/s);
  await commit('Configure else', 'else.yml', 'template: "{% end %}"');
  await expect(notes({ config_file: 'else.yml' })).rejects.toMatchObject({ code: 'changelog.failed' });
});

it.each<[what: string, input: object, code: string]>([
  ['no release before', { version: '0.9.0' }, 'changelog.failed'],
  ['no such end', { to: 'nope' }, 'repository_content.commit_not_found'],
  ['no such beginning', { from: 'nope' }, 'repository_content.commit_not_found'],
])('refuses %s', async (_what, input, code) => {
  const { notes, add } = await released();
  await expect(notes(input)).rejects.toMatchObject({ code });
  await expect(add(input)).rejects.toMatchObject({ code });
});

it.each([{ version: 'one' }, { version: '' }, { trailer: 'a b' }, { trailer: '--x' }])('refuses %j', async (input) => {
  const { notes } = await released();
  await expect(notes(input)).rejects.toThrow();
});

it('writes nothing if the caller may not push', async () => {
  const { add, context, project } = await released();
  const archived = { ...context, project: { ...project, isArchived: true } };
  await expect(add({}, archived as OperationContext)).rejects.toMatchObject({ code: 'repository_content.read_only' });
  const reporter = { ...context, project: { ...project, accessLevel: Access.Reporter } };
  await expect(add({}, reporter as OperationContext)).rejects.toMatchObject({ code: 'protection.push_refused' });
  await expect(add({ branch: 'none' })).rejects.toMatchObject({ code: 'repository_content.commit_not_found' });
});

it('shows trailers in lists on request', async () => {
  const { context } = await released();
  const { items } = await under.client.call(listCommits, { id: 'x', trailers: true, per_page: 3 }, context);
  expect(items.map(({ trailers }) => trailers)).toEqual([{}, { Changelog: 'fixed' }, { Changelog: 'feature' }]);
  expect(items[1]!.extended_trailers).toEqual({ Changelog: ['fixed'] });
});

it('finds blobs by an abbreviated id', async () => {
  const { context } = await released();
  const { items } = await under.client.call(listTree, { id: 'x' }, context);
  const { id } = items.find(({ path }) => path === 'crane')!;
  expect(await under.client.call(getBlob, { id: 'x', sha: id.slice(0, 8) }, context)).toMatchObject({ sha: id });
  await under.client.call(getRawBlob, { id: 'x', sha: id.slice(0, 8) }, context);
  const { items: commits } = await under.client.call(listCommits, { id: 'x' }, context);
  for (const sha of [id.slice(0, 6), 'main', commits[0]!.id, `${id.slice(0, 8)}^0`, `${id}:x`])
    await expect(under.client.call(getBlob, { id: 'x', sha }, context)).rejects.toMatchObject({
      code: 'repository_content.blob_not_found',
    });
});
