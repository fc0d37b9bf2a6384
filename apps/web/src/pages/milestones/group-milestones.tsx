import type { GroupPage } from '../../page/page';
import { longestText, readTexts } from '../../parts/texts';
import { findMilestone } from './find-milestone';
import { showMilestone } from './milestone';
import { MilestoneActions, milestoneForms } from './milestone-actions';
import { ofGroup } from './milestone-operations';
import { listMilestones } from './milestones';

const { operations, pathIn, within } = ofGroup;

/** The milestones of a group, and of the groups above it. */
export const groupMilestonesPage: GroupPage = {
  at: '/milestones',
  async show(visit, group, address) {
    return within(visit, group, await listMilestones(visit, ofGroup, group, address));
  },
};

/** A milestone of a group. */
export const groupMilestonePage: GroupPage = {
  at: '/milestones/:iid',
  async show(visit, group, address) {
    const milestone = await findMilestone(visit, operations, group, address, longestText);
    const [[description], changes] = await Promise.all([
      readTexts(visit, undefined, [milestone.description ?? '']),
      visit.may(operations.update, group),
    ]);
    const path = `${pathIn(group)}/${milestone.iid}`;
    const actions = changes && <MilestoneActions visit={visit} address={address} milestone={milestone} path={path} />;
    return within(
      visit,
      group,
      await showMilestone(visit, operations, { parent: group, milestone, description, actions, address }),
    );
  },
  forms: milestoneForms(ofGroup),
};
