import {
  Access,
  type Group,
  type GroupRef,
  getGroup,
  listGroupProjects,
  listSubgroups,
  reaches,
} from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { GroupPage } from '../page/page';
import { Heading } from '../parts/heading';
import { inGroup } from '../parts/in-group';
import { NamespaceProjects, projectsAt } from '../parts/namespace-projects';
import type { Visit } from '../visit/visits';

/** Number of subgroups on the page, which has pages of projects only. */
const mostSubgroups = 100;

/** A group, its subgroups and its projects. */
export const groupPage: GroupPage = {
  at: '',
  async show(visit, ref, address) {
    const id = String(ref.id);
    const [group, subgroups, projects] = await Promise.all([
      visit.ask(getGroup, { id, with_projects: false }),
      visit.ask(listSubgroups, { id, per_page: mostSubgroups, all_available: true }),
      visit.ask(listGroupProjects, { id, ...projectsAt(address) }),
    ]);
    const creates = createsProjects(visit, ref, group);
    const nests = reaches(ref, group.subgroup_creation_level === 'owner' ? Access.Owner : Access.Maintainer);
    return inGroup(visit, ref, {
      title: group.name,
      heading: <Heading of={group} name={group.full_name} />,
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
          {(creates || nests) && (
            <div class="parts">
              {creates && <a href={`/projects/new?namespace_id=${id}`}>New project</a>}
              {nests && <a href={`/groups/new?parent_id=${id}`}>New subgroup</a>}
            </div>
          )}
          {subgroups.items.length > 0 && <Subgroups groups={subgroups.items} />}
          <NamespaceProjects projects={projects.items} address={address} />
        </>
      ),
    });
  },
};

function createsProjects(visit: Visit, ref: GroupRef, { project_creation_level: least }: Group): boolean {
  if (least === 'noone') return visit.caller?.isAdmin === true;
  return reaches(ref, least === 'maintainer' ? Access.Maintainer : Access.Developer);
}

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
    {groups.length === mostSubgroups && <p class="dim">These are the first {mostSubgroups} subgroups.</p>}
  </>
);
