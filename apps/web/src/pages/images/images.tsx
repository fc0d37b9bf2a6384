import {
  getProject,
  isError,
  listProjectRegistryRepositories,
  type ProjectRef,
  registryErrors,
} from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address, ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { Day } from '../../parts/time';
import type { Visit } from '../../visit/visits';

/** The repositories of container images of a project. */
export const imagesPage: ProjectPage = {
  at: '/container_registry',
  async show(visit, project, address) {
    const repositories = await repositoriesOf(visit, project, address);
    return inProject(visit, project, {
      title: 'Container images',
      body: repositories ? (
        <>
          {repositories.length === 0 && (await FirstImage({ visit, project }))}
          <ul class="list">
            {repositories.map(({ id, path, location, tags_count, created_at, status }) => (
              <li key={id}>
                <p>
                  <a href={below(project, `container_registry/${id}`)}>
                    <Named>{path}</Named>
                  </a>
                  {status === 'delete_scheduled' && <span class="tag after">being deleted</span>}
                </p>
                <p class="dim">
                  <code>{location}</code>, {tags_count === 1 ? '1 tag' : `${tags_count} tags`}, <Day at={created_at} />
                </p>
              </li>
            ))}
          </ul>
          <Paging address={address} shown={repositories.length} />
        </>
      ) : (
        <p>This server has no container registry.</p>
      ),
    });
  },
};

/** How an image gets into an empty registry. */
async function FirstImage({ visit, project }: { visit: Visit; project: ProjectRef }) {
  const { container_registry_image_prefix } = await visit.ask(getProject, { id: String(project.id) });
  return (
    <>
      <p class="dim">There are no images. To push one:</p>
      <code>docker push {container_registry_image_prefix}:latest</code>
    </>
  );
}

/** @returns undefined if the server has no registry */
async function repositoriesOf(visit: Visit, project: ProjectRef, address: Address) {
  const asked = { id: String(project.id), tags_count: true, page: pageOf(address), per_page: perPage };
  try {
    return (await visit.ask(listProjectRegistryRepositories, asked)).items;
  } catch (error) {
    if (isError(error, registryErrors.notSetUp)) return undefined;
    throw error;
  }
}
