import {
  type GroupRef,
  listAllGroupMembers,
  listEpics,
  listGroupBoards,
  listGroupIssues,
  listGroupIterations,
  listGroupMergeRequests,
  listGroupMilestones,
  listGroupPackages,
  searchGroupUsers,
} from '@moothall/contracts';
import type { Content } from '../page/page';
import type { Visit } from '../visit/visits';
import { belowGroup } from './code-address';
import { Navigation, openParts, type Part, withSettings } from './navigation';
import { groupSettingsParts } from './settings-parts';

/** The parts of a group that have pages. */
const parts: readonly Part<GroupRef>[] = [
  { name: 'Issues', path: (group) => belowGroup(group, 'issues'), needs: listGroupIssues },
  {
    name: 'Merge requests',
    path: (group) => belowGroup(group, 'merge_requests'),
    needs: listGroupMergeRequests,
  },
  { name: 'Epics', path: (group) => belowGroup(group, 'epics'), needs: listEpics },
  { name: 'Boards', path: (group) => belowGroup(group, 'boards'), needs: listGroupBoards },
  { name: 'Milestones', path: (group) => belowGroup(group, 'milestones'), needs: listGroupMilestones },
  { name: 'Iterations', path: (group) => belowGroup(group, 'iterations'), needs: listGroupIterations },
  { name: 'Packages', path: (group) => belowGroup(group, 'packages'), needs: listGroupPackages },
  { name: 'Members', path: (group) => belowGroup(group, 'group_members'), needs: listAllGroupMembers },
  { name: 'Search', path: ({ id }) => `/search?group_id=${id}`, needs: searchGroupUsers },
];

/** A page of a group, with links to the group and its parts. */
export async function inGroup(visit: Visit, group: GroupRef, content: Content): Promise<Content> {
  const [shown, settings] = await Promise.all([
    openParts(visit, group, parts),
    openParts(visit, group, groupSettingsParts),
  ]);
  return {
    width: 'wide',
    heading: content.title,
    ...content,
    title: `${content.title} · ${group.fullName}`,
    navigation: (
      <Navigation
        label="Group"
        name={group.fullName}
        path={`/groups/${group.fullPath}`}
        parts={withSettings(shown, settings)}
      />
    ),
  };
}
