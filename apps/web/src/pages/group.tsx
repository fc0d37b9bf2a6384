import { type Group, getGroup, listGroupProjects, listSubgroups } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { NamespacePage } from '../page/page';
import { Avatar } from '../parts/avatar';
import { Paging, pageOf, perPage } from '../parts/paging';
import { ProjectList } from '../parts/project-list';

/** Subgroups are not paged: the API lists all of them. */
const mostSubgroups = 100;

/** A group, its subgroups and its projects; also at `/groups/<full path>`. */
export const groupPage: NamespacePage = async (visit, fullPath, address) => {
  const id = fullPath.replace(/^groups\//, '');
  const group = await visit.askIfSeen(getGroup, { id, with_projects: false });
  if (!group) return undefined;
  const [subgroups, projects] = await Promise.all([
    visit.ask(listSubgroups, { id: String(group.id), per_page: mostSubgroups, all_available: true }),
    visit.ask(listGroupProjects, {
      id: String(group.id),
      order_by: 'last_activity_at',
      simple: true,
      page: pageOf(address),
      per_page: perPage,
    }),
  ]);
  return {
    title: group.full_name,
    heading: (
      <>
        <Avatar of={group} size={48} />
        <Named>{group.full_name}</Named>
      </>
    ),
    width: 'wide',
    body: (
      <>
        <ul class="facts">
          <li class="tag">{group.visibility}</li>
        </ul>
        {group.description && (
          <p>
            <Named>{group.description}</Named>
          </p>
        )}
        {subgroups.items.length > 0 && <Subgroups groups={subgroups.items} />}
        <h2>Projects</h2>
        <ProjectList projects={projects.items} none="There are no projects to see." />
        <Paging address={address} shown={projects.items.length} />
      </>
    ),
  };
};

const Subgroups = ({ groups }: { groups: readonly Group[] }) => (
  <>
    <h2>Subgroups</h2>
    <ul class="list">
      {groups.map(({ id, full_path, name }) => (
        <li key={id}>
          <a href={`/${full_path}`}>
            <Named>{name}</Named>
          </a>
        </li>
      ))}
    </ul>
  </>
);
