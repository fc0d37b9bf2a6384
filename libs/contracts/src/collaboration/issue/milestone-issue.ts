import { z } from 'zod';
import { get, id, ofGroups, ofProjects, operation, type Parent, type ParentRule, page, time } from '../../operation';
import { Issue } from './issue-view';

/** A change of an issue of the milestone, for burndown charts. See docs/api/milestones.md#4. */
export const BurndownEvent = z.object({
  created_at: time,
  weight: z.int().nullable(),
  action: z.enum(['created', 'closed', 'reopened']),
});
export type BurndownEvent = z.infer<typeof BurndownEvent>;

/** Issues of milestones, which projects and groups have alike. */
function milestoneIssuesOf<R extends ParentRule>({ kind, path, ref, on }: Parent<R>) {
  const milestone = { ...ref, milestone_id: id };
  return {
    listIssues: operation({
      name: `collaboration.${kind}-milestones.list-issues`,
      description: 'For a group, of all its projects that the caller reads.',
      http: get(`${path}/milestones/:milestone_id/issues`),
      access: on({ anonymous: true, feature: 'issues' }),
      summary: 'Issues of a milestone',
      input: z.object(milestone),
      output: page(Issue),
    }),
    listBurndownEvents: operation({
      name: `collaboration.${kind}-milestones.list-burndown-events`,
      http: get(`${path}/milestones/:milestone_id/burndown_events`),
      access: on({ anonymous: true, feature: 'issues' }),
      tier: 'enterprise',
      summary: 'When issues of a milestone came, were closed and reopened',
      input: z.object(milestone),
      output: page(BurndownEvent),
    }),
  };
}

export const { listIssues: listProjectMilestoneIssues, listBurndownEvents: listProjectBurndownEvents } =
  milestoneIssuesOf(ofProjects);

export const { listIssues: listGroupMilestoneIssues, listBurndownEvents: listGroupBurndownEvents } =
  milestoneIssuesOf(ofGroups);
