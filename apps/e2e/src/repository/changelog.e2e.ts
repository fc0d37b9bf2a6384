import { newUser } from '../server/connection';

/* Changelogs, as release tools request them. */

it('is written into a file of the branch, from trailers of commits', async () => {
  const user = await newUser('releaser');
  const { Commits, Projects, Repositories, RepositoryFiles, Tags } = user.client;
  const { id, path_with_namespace: path } = await Projects.create({ name: 'Changes', initializeWithReadme: true });
  await Tags.create(id, 'v1.0.0', 'main');
  const file = [{ action: 'create' as const, filePath: 'crane.txt', content: 'up\n' }];
  const made = await Commits.create(id, 'main', 'Build a crane\n\nChangelog: feature', file);
  const section = `## 1.1.0 (2026-11-25)\n\n### feature (1 change)\n\n- [Build a crane](${path}@${made.id})\n`;
  const { notes } = await Repositories.showChangelog(id, '1.1.0', { date: '2026-11-25' });
  expect(notes).toBe(section);
  await Repositories.editChangelog(id, '1.1.0', { date: '2026-11-25', message: 'Tell of it' });
  expect(String(await RepositoryFiles.showRaw(id, 'CHANGELOG.md', 'main'))).toBe(section);
  expect(await Commits.show(id, 'main')).toMatchObject({ title: 'Tell of it', author_name: `The ${user.username}` });
  await expect(Repositories.showChangelog(id, 'none')).rejects.toThrow(/version is invalid/);
  await expect(Repositories.showChangelog(id, '0.1.0')).rejects.toThrow(/no previous tag could be found/);
});
