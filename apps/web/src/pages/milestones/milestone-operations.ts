import {
  listGroupMilestoneIssues,
  listGroupMilestoneMergeRequests,
  listGroupMilestones,
  listProjectMilestoneIssues,
  listProjectMilestoneMergeRequests,
  listProjectMilestones,
  readGroupBurndown,
  readProjectBurndown,
} from '@moothall/contracts';

/** Whose milestones a page shows: the operations on them have the same parameters for projects and groups. */
export const ofProject = {
  list: listProjectMilestones,
  listIssues: listProjectMilestoneIssues,
  listMergeRequests: listProjectMilestoneMergeRequests,
  readBurndown: readProjectBurndown,
};

export const ofGroup = {
  list: listGroupMilestones,
  listIssues: listGroupMilestoneIssues,
  listMergeRequests: listGroupMilestoneMergeRequests,
  readBurndown: readGroupBurndown,
};

export type MilestoneOperations = typeof ofProject | typeof ofGroup;
