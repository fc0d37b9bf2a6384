import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { ImageClient } from '../registry/image-client';
import { connection, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import type { Answers } from './answers';

/** Image repositories and their tags. */
export async function askRegistry(answers: Answers): Promise<void> {
  const { id, path_with_namespace } = await root.Projects.create({ name: uniqueName('images') });
  const folder = temporaryFolder('images');
  try {
    const images = new ImageClient(connection.registry_url!, folder);
    await images.signIn(connection.username, connection.password);
    await images.push(`${path_with_namespace}:v1`, new Date());
  } finally {
    await removeTemporaryFolder(folder);
  }
  // The registry notifies of a push after its answer.
  await until(
    'the repository',
    async () => (await root.ContainerRegistry.allRepositories({ projectId: id }))[0],
    60_000,
  );
  const repositories = `/projects/${id}/registry/repositories`;
  const [repository] = await answers.take<[{ id: number }]>(
    'registry/repositories.json',
    `${repositories}?tags=true&tags_count=true`,
  );
  await answers.take('registry/repository.json', `/registry/repositories/${repository.id}`);
  await answers.take('registry/tags.json', `${repositories}/${repository.id}/tags`);
  await answers.take('registry/tag.json', `${repositories}/${repository.id}/tags/v1`);
}
