import { readFileSync } from 'node:fs';
import path from 'node:path';
import { clientFor, uniqueName } from '../server/connection';
import { OwnServer } from '../server/own-server';
import { until } from '../server/until';
import { day, describeImages, tagMany } from './image-client';

/** Time limit of follow-up work after a push or an answer. */
const patienceMs = 60_000;
jest.setTimeout(240_000);

describeImages((clientOf) => {
  it('are deleted in bulk by the rules, though the services and the registry are killed in the middle', async () => {
    const server = new OwnServer();
    await server.start();
    try {
      const { registry_url, username, password } = JSON.parse(
        readFileSync(path.join(server.dataFolder, 'connection.json'), 'utf8'),
      );
      const { Projects, ContainerRegistry } = clientFor(server.token, server.url);
      const { id, path_with_namespace } = await Projects.create({ name: uniqueName('many') });
      const name = String(path_with_namespace);
      const images = clientOf(registry_url);
      await images.signIn(username, password);
      await images.push(`${name}:latest`, day(1));
      const builds = Array.from({ length: 250 }, (_, index) => `build-${index}`);
      await tagMany({ url: server.url, registryUrl: registry_url }, { username, password }, name, 'latest', builds);
      const first = async () => (await ContainerRegistry.allRepositories({ projectId: id }))[0];
      const repository = await until('the repository', first, patienceMs);
      await ContainerRegistry.removeTags(id, repository.id, 'build-.*', { nameRegexKeep: '.*3' });
      await until('the first part', async () => (await images.tags(name)).length < 230, 240_000, 50);
      // Including the registry, which may leave incomplete tags.
      server.killAll('services', 'registry');
      // No service issues tokens while the services restart.
      const left = () => images.tags(name).catch(() => builds);
      const stay = ['latest', ...builds.filter((tag) => tag.endsWith('3'))].sort();
      await until('the end', async () => (await left()).length <= stay.length, 240_000, 200);
      expect((await images.tags(name)).sort()).toEqual(stay);
      const counted = async () =>
        (await ContainerRegistry.showRepository(repository.id, { tagsCount: true })).tags_count;
      await until('the count', async () => (await counted().catch(() => -1)) === stay.length, 120_000);
    } finally {
      await server.stop();
    }
  }, 700_000);
});
