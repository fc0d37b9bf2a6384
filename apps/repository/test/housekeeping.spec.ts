import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { maintainRepository, repositoryLocation } from '@moothall/contracts';
import { eventually, itWithoutFaults } from '@moothall/testing';
import { type RepositoryUnderTest, startRepositoryService } from './repository-under-test';

let repository: RepositoryUnderTest;
beforeAll(async () => {
  repository = await startRepositoryService();
});
afterAll(() => repository?.stop());

// Objects of failed attempts belong to no commit, and are not packed.
itWithoutFaults('a repository is in its folder, and packed if maintenance was requested', async () => {
  const { project, context, commit } = await repository.newProject();
  for (const name of ['a', 'b', 'c']) await commit('main', `${name}.txt`, name);
  const { disk_path } = await repository.client.call(repositoryLocation, { project_id: project.id }, context);
  expect(disk_path).toMatch(/^@hashed\/..\/..\/[0-9a-f]{64}$/);
  const folder = path.join(repository.folder, 'default', `${disk_path}.git`);
  expect(existsSync(path.join(folder, 'HEAD'))).toBe(true);
  const objects = () => readdirSync(path.join(folder, 'objects'), { recursive: true, encoding: 'utf8' });
  const loose = () => objects().filter((name) => /^[0-9a-f]{2}.[0-9a-f]{38}$/.test(name)).length;
  const packs = () => readdirSync(path.join(folder, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length;
  expect(loose()).toBeGreaterThan(3);
  await repository.client.call(maintainRepository, { project_id: project.id }, context);
  await eventually(() => packs() > 0 && loose() === 0, 'the pack');
});
