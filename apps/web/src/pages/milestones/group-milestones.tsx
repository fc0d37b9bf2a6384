import type { GroupPage } from '../../page/page';
import { inGroup } from '../../parts/in-group';
import { readTexts } from '../../parts/texts';
import { findMilestone, showMilestone } from './milestone';
import { ofGroup } from './milestone-operations';
import { listMilestones } from './milestones';

/** The milestones of a group, and of the groups above it. */
export const groupMilestonesPage: GroupPage = {
  at: '/milestones',
  async show(visit, group, address) {
    return inGroup(visit, group, await listMilestones(visit, ofGroup, group, address));
  },
};

/** A milestone of a group. */
export const groupMilestonePage: GroupPage = {
  at: '/milestones/:iid',
  async show(visit, group, address) {
    const milestone = await findMilestone(visit, ofGroup, group, address);
    const [description] = await readTexts(visit, undefined, [milestone.description ?? '']);
    return inGroup(
      visit,
      group,
      await showMilestone(visit, ofGroup, { parent: group, milestone, description, address }),
    );
  },
};
