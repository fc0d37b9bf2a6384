import type { Milestone } from '@moothall/contracts';
import { ownerParts } from '../parent/owner';
import { today } from './days';
import type { MilestoneDocument } from './milestone.schema';

/** @param ownerUrl URL of the project, or of the group as `/groups/path` */
export function viewMilestone(milestone: MilestoneDocument, ownerUrl: string): Milestone {
  const { kind, id } = ownerParts(milestone.owner);
  return {
    id: milestone._id,
    iid: milestone.iid,
    ...(kind === 'project' ? { project_id: id } : { group_id: id }),
    title: milestone.title,
    description: milestone.description,
    state: milestone.state,
    created_at: milestone.createdAt.toISOString(),
    updated_at: milestone.updatedAt.toISOString(),
    due_date: milestone.dueDate,
    start_date: milestone.startDate,
    expired: milestone.dueDate !== null && milestone.dueDate < today(),
    web_url: `${ownerUrl}/-/milestones/${milestone.iid}`,
  };
}
