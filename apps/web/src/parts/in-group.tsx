import { type Group, getGroup, listGroupMilestones } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Content, Moved } from '../page/page';
import type { Visit } from '../visit/visits';

/** The group of an address, which may begin with `groups/`. @returns undefined unless the visitor sees it */
export async function findGroup(visit: Visit, fullPath: string): Promise<Group | Moved | undefined> {
  const id = fullPath.replace(/^groups\//, '');
  const group = await visit.askIfSeen(getGroup, { id, with_projects: false });
  if (!group) return undefined;
  return group.full_path === id ? group : { movedTo: fullPath.slice(0, -id.length) + group.full_path };
}

/** A page of a group, with links to the group and its parts. */
export async function inGroup(visit: Visit, group: Group, content: Content): Promise<Content> {
  const hasMilestones = await visit.may(listGroupMilestones, { id: String(group.id) });
  return {
    width: 'wide',
    heading: content.title,
    ...content,
    title: `${content.title} · ${group.full_name}`,
    navigation: (
      <nav class="parts" aria-label="Group">
        <a href={`/groups/${group.full_path}`}>
          <Named>{group.full_name}</Named>
        </a>
        {hasMilestones && <a href={`/groups/${group.full_path}/-/milestones`}>Milestones</a>}
      </nav>
    ),
  };
}
