import { match } from 'path-to-regexp';
import type { NamespacePage } from '../../page/page';
import { findGroup, inGroup } from '../../parts/in-group';
import { readGroupText } from '../../parts/texts';
import { findMilestone, showMilestone } from './milestone';
import { ofGroup } from './milestone-operations';
import { listMilestones } from './milestones';

// Numbers need no decoding.
const paramsOf = match<{ iid?: string }>('/milestones{/:iid}', { decode: false });

/** The milestones of a group, and one of them: at `/groups/<full path>/-/milestones`. */
export const groupMilestonesPage: NamespacePage = async (visit, fullPath, address) => {
  const [, below = ''] = /\/-(\/[^?]*)/.exec(address.path) ?? [];
  const found = paramsOf(below);
  const group = found && (await findGroup(visit, fullPath));
  if (!group || 'movedTo' in group) return group || undefined;
  const { iid } = found.params;
  if (iid === undefined) return inGroup(visit, group, await listMilestones(visit, ofGroup, group, address));
  const milestone = await findMilestone(visit, ofGroup, group, iid);
  const description = await readGroupText(visit, milestone.description ?? '');
  return inGroup(visit, group, await showMilestone(visit, ofGroup, { parent: group, milestone, description, address }));
};
