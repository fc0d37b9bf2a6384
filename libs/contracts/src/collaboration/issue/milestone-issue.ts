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

/** A day on which issues of the milestone came, were closed or reopened. */
export const BurndownDay = z.object({
  day: z.iso.date(),
  open: z.int().describe('Number of open issues after it'),
});
export type BurndownDay = z.infer<typeof BurndownDay>;

/** Limit of days in a burndown. */
export const mostBurndownDays = 100;
/** Limit of issues that are counted. */
export const mostBurndownIssues = 2000;

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
    readBurndown: operation({
      name: `collaboration.${kind}-milestones.read-burndown`,
      onPages: true,
      access: on({ anonymous: true, feature: 'issues' }),
      tier: 'enterprise',
      isRead: true,
      input: z.object(milestone),
      output: z
        .array(BurndownDay)
        .nullable()
        .describe(
          'Oldest first; of more than the limit, some between first and last. Null if there are too many issues',
        ),
    }),
  };
}

export const {
  listIssues: listProjectMilestoneIssues,
  listBurndownEvents: listProjectBurndownEvents,
  readBurndown: readProjectBurndown,
} = milestoneIssuesOf(ofProjects);

export const {
  listIssues: listGroupMilestoneIssues,
  listBurndownEvents: listGroupBurndownEvents,
  readBurndown: readGroupBurndown,
} = milestoneIssuesOf(ofGroups);
