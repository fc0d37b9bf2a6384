import {
  createGroupMilestone,
  createProjectMilestone,
  deleteGroupMilestone,
  deleteProjectMilestone,
  type GroupRef,
  listGroupMilestoneIssues,
  listGroupMilestoneMergeRequests,
  listGroupMilestones,
  listProjectMilestoneIssues,
  listProjectMilestoneMergeRequests,
  listProjectMilestones,
  type ProjectRef,
  readGroupBurndown,
  readProjectBurndown,
  updateGroupMilestone,
  updateProjectMilestone,
} from '@moothall/contracts';
import type { Content } from '../../page/page';
import { below, belowGroup } from '../../parts/code-address';
import { inGroup } from '../../parts/in-group';
import { inProject } from '../../parts/in-project';
import type { Visit } from '../../visit/visits';

const projectOperations = {
  list: listProjectMilestones,
  create: createProjectMilestone,
  update: updateProjectMilestone,
  remove: deleteProjectMilestone,
  listIssues: listProjectMilestoneIssues,
  listMergeRequests: listProjectMilestoneMergeRequests,
  readBurndown: readProjectBurndown,
};

const groupOperations = {
  list: listGroupMilestones,
  create: createGroupMilestone,
  update: updateGroupMilestone,
  remove: deleteGroupMilestone,
  listIssues: listGroupMilestoneIssues,
  listMergeRequests: listGroupMilestoneMergeRequests,
  readBurndown: readGroupBurndown,
};

/** The operations on milestones have the same parameters for projects and groups. */
export type MilestoneOperations = typeof projectOperations | typeof groupOperations;

/** Milestones of a project or a group. */
export interface MilestonesOf<T> {
  operations: MilestoneOperations;
  /** The path of their list. */
  pathIn(parent: T): string;
  /** A page of the project or the group. */
  within(visit: Visit, parent: T, content: Content): Promise<Content>;
}

export const ofProject: MilestonesOf<ProjectRef> = {
  operations: projectOperations,
  pathIn: (project) => below(project, 'milestones'),
  within: inProject,
};

export const ofGroup: MilestonesOf<GroupRef> = {
  operations: groupOperations,
  pathIn: (group) => belowGroup(group, 'milestones'),
  within: inGroup,
};
