import {
  commonErrors,
  deleteRegistryRepository,
  deleteRegistryTag,
  getRegistryRepository,
  listRegistryTags,
} from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { inProject } from '../../parts/in-project';
import { numberIn } from '../../parts/number-in';
import { Paging, pageOf, perPage } from '../../parts/paging';

/** A repository of container images, with its tags. */
export const imagePage: ProjectPage = {
  at: '/container_registry/:id',
  async show(visit, project, address) {
    const repository_id = numberIn(address, 'id');
    const asked = { id: String(project.id), repository_id };
    const [repository, tags, deletesTags, deletes] = await Promise.all([
      visit.ask(getRegistryRepository, { repository_id }),
      visit.ask(listRegistryTags, { ...asked, page: pageOf(address), per_page: perPage }),
      visit.may(deleteRegistryTag, project),
      visit.may(deleteRegistryRepository, project),
    ]);
    if (repository.project_id !== project.id) throw commonErrors.notFound();
    return inProject(visit, project, {
      title: repository.path,
      heading: <Named>{repository.path}</Named>,
      body: (
        <>
          {repository.status === 'delete_scheduled' && <p>The repository is being deleted.</p>}
          <p>
            <code>docker pull {repository.location}</code>
          </p>
          {deletes && repository.status !== 'delete_scheduled' && (
            <ConfirmedAction
              {...{ visit, address }}
              name="delete"
              word="Delete repository"
              consequence="All its images are deleted."
            />
          )}
          <h2>Tags</h2>
          {tags.items.length === 0 && <p class="dim">There are no tags.</p>}
          <ul class="list">
            {tags.items.map(({ name, location }) => (
              <li key={name}>
                <Named>{name}</Named> <code>{location}</code>
                {deletesTags && (
                  <ConfirmedAction
                    {...{ visit, address }}
                    name="delete-tag"
                    of={name}
                    word="Delete tag"
                    consequence="Other tags of the same image stay."
                  />
                )}
              </li>
            ))}
          </ul>
          <Paging address={address} shown={tags.items.length} />
        </>
      ),
    });
  },
  forms: {
    async delete(visit, project, address) {
      const asked = { id: String(project.id), repository_id: numberIn(address, 'id') };
      await visit.ask(deleteRegistryRepository, asked);
      return below(project, 'container_registry');
    },
    async 'delete-tag'(visit, project, address, sent) {
      const repository_id = numberIn(address, 'id');
      await visit.submit(deleteRegistryTag, { id: String(project.id), repository_id, tag_name: sent.text('of') });
      return below(project, `container_registry/${repository_id}`);
    },
  },
};
