import { z } from 'zod';
import {
  Access,
  atLeastOneOf,
  commaList,
  date,
  del,
  errors,
  get,
  groupRef,
  id,
  nothing,
  onGroup,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  time,
  timestamp,
} from '../operation';
import { Issue } from './issue-view';
import { Milestone } from './milestone-view';
import { descriptionLimit, prose, titleLimit, writtenProse } from './prose';

export const milestoneErrors = errors('milestone', {
  notFound: { status: 404, message: '404 Milestone Not Found', means: 'No such milestone here.' },
  titleTaken: {
    status: 400,
    message: 'Failed to create milestone {:title=>["already being used for another group or project milestone."]}',
    means: 'The project, or a group above it, has a milestone of that title.',
  },
  noGroup: {
    status: 400,
    message: 'Project does not belong to a group.',
    means: 'Only milestones of projects in a group can become milestones of the group.',
  },
});

/** A change of an issue of the milestone, for burndown charts. Source: clarifications B.9. */
export const BurndownEvent = z.object({
  created_at: time,
  weight: z.int().nullable(),
  action: z.enum(['created', 'closed', 'reopened']),
});
export type BurndownEvent = z.infer<typeof BurndownEvent>;

const list = {
  iids: commaList(z.int()).optional(),
  state: z.enum(['active', 'closed', 'all']).default('all'),
  title: z.string().optional().describe('Exact'),
  search: z.string().optional().describe('Part of title or description, in any case'),
  include_parent_milestones: z.boolean().default(false),
  updated_before: timestamp.optional(),
  updated_after: timestamp.optional(),
};

/** The day that people mean by `2020-10-15`, `2020/10/15`, `Oct 15, 2020` or a point in time; undefined for none. */
function dayIn(text: string): string | undefined {
  const plain = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/.exec(text);
  const at = Date.parse(`${text} UTC`);
  if (!plain) return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);
  const [, year, month, dayOfMonth] = plain;
  const day = `${year}-${month!.padStart(2, '0')}-${dayOfMonth!.padStart(2, '0')}`;
  return date.safeParse(day).success ? day : undefined;
}

/** Read as leniently as clients write them. Source: clarifications A.9. */
const day = z
  .string()
  .refine((text) => dayIn(text) !== undefined, 'is invalid')
  .overwrite((text) => dayIn(text) ?? text)
  .meta({ format: 'date' })
  .nullable();

const description = prose(descriptionLimit).nullable().optional();
const creation = {
  title: writtenProse(titleLimit),
  description,
  due_date: day.optional(),
  start_date: day.optional(),
};
const change = {
  title: writtenProse(titleLimit).optional(),
  description,
  start_date: day.optional(),
  due_date: day.optional(),
  state_event: z.enum(['close', 'activate']).optional(),
};
const anyChange = atLeastOneOf('title', 'description', 'start_date', 'due_date', 'state_event');
const ofProject = { ...projectRef, milestone_id: id };
const ofGroup = { ...groupRef, milestone_id: id };

export const listProjectMilestones = operation({
  name: 'collaboration.project-milestones.list',
  http: get('/projects/:id/milestones'),
  access: onProject({ anonymous: true }),
  summary: 'Milestones of a project, next due first',
  input: z.object({ ...projectRef, ...list }),
  output: page(Milestone),
});

export const getProjectMilestone = operation({
  name: 'collaboration.project-milestones.get',
  http: get('/projects/:id/milestones/:milestone_id'),
  access: onProject({ anonymous: true }),
  summary: 'One milestone',
  input: z.object(ofProject),
  output: Milestone,
});

/** @throws milestone.title_taken; common.invalid_record when it is due before it starts */
export const createProjectMilestone = operation({
  name: 'collaboration.project-milestones.create',
  http: post('/projects/:id/milestones'),
  access: onProject({ level: Access.Developer }),
  summary: 'Makes a milestone',
  input: z.object({ ...projectRef, ...creation }),
  output: Milestone,
});

/** @throws common.not_found; milestone.title_taken; common.invalid_record */
export const updateProjectMilestone = operation({
  name: 'collaboration.project-milestones.update',
  http: put('/projects/:id/milestones/:milestone_id'),
  access: onProject({ level: Access.Developer }),
  summary: 'Changes, closes or reopens a milestone',
  input: z.object({ ...ofProject, ...change }).refine(...anyChange),
  output: Milestone,
});

export const deleteProjectMilestone = operation({
  name: 'collaboration.project-milestones.delete',
  http: del('/projects/:id/milestones/:milestone_id'),
  access: onProject({ level: Access.Developer }),
  summary: 'Removes a milestone; its issues keep nothing of it',
  input: z.object(ofProject),
  output: nothing(),
});

export const listProjectMilestoneIssues = operation({
  name: 'collaboration.project-milestones.list-issues',
  http: get('/projects/:id/milestones/:milestone_id/issues'),
  access: onProject({ anonymous: true }),
  summary: 'Issues of a milestone',
  input: z.object(ofProject),
  output: page(Issue),
});

export const listProjectBurndownEvents = operation({
  name: 'collaboration.project-milestones.list-burndown-events',
  http: get('/projects/:id/milestones/:milestone_id/burndown_events'),
  access: onProject({ anonymous: true }),
  tier: 'enterprise',
  summary: 'When issues of a milestone came, were closed and reopened',
  input: z.object(ofProject),
  output: page(BurndownEvent),
});

/**
 * Makes it a milestone of the group; those of the same title in all projects of the group become it.
 * @throws milestone.no_group; milestone.title_taken; common.forbidden without Developer in the group
 */
export const promoteMilestone = operation({
  name: 'collaboration.project-milestones.promote',
  http: post('/projects/:id/milestones/:milestone_id/promote', { success: 200 }),
  access: onProject({ level: Access.Developer }),
  summary: 'Makes the milestone one of the group',
  input: z.object(ofProject),
  output: Milestone,
});

export const listGroupMilestones = operation({
  name: 'collaboration.group-milestones.list',
  http: get('/groups/:id/milestones'),
  access: onGroup({ anonymous: true }),
  summary: 'Milestones of a group, next due first',
  input: z.object({ ...groupRef, ...list }),
  output: page(Milestone),
});

export const getGroupMilestone = operation({
  name: 'collaboration.group-milestones.get',
  http: get('/groups/:id/milestones/:milestone_id'),
  access: onGroup({ anonymous: true }),
  summary: 'One milestone',
  input: z.object(ofGroup),
  output: Milestone,
});

/** @throws milestone.title_taken; common.invalid_record when it is due before it starts */
export const createGroupMilestone = operation({
  name: 'collaboration.group-milestones.create',
  http: post('/groups/:id/milestones'),
  access: onGroup({ level: Access.Developer }),
  summary: 'Makes a milestone',
  input: z.object({ ...groupRef, ...creation }),
  output: Milestone,
});

/** @throws common.not_found; milestone.title_taken; common.invalid_record */
export const updateGroupMilestone = operation({
  name: 'collaboration.group-milestones.update',
  http: put('/groups/:id/milestones/:milestone_id'),
  access: onGroup({ level: Access.Developer }),
  summary: 'Changes, closes or reopens a milestone',
  input: z.object({ ...ofGroup, ...change }).refine(...anyChange),
  output: Milestone,
});

export const deleteGroupMilestone = operation({
  name: 'collaboration.group-milestones.delete',
  http: del('/groups/:id/milestones/:milestone_id'),
  access: onGroup({ level: Access.Developer }),
  summary: 'Removes a milestone; its issues keep nothing of it',
  input: z.object(ofGroup),
  output: nothing(),
});

/** Of all projects of the group that the caller reads. */
export const listGroupMilestoneIssues = operation({
  name: 'collaboration.group-milestones.list-issues',
  http: get('/groups/:id/milestones/:milestone_id/issues'),
  access: onGroup({ anonymous: true }),
  summary: 'Issues of a milestone',
  input: z.object(ofGroup),
  output: page(Issue),
});

export const listGroupBurndownEvents = operation({
  name: 'collaboration.group-milestones.list-burndown-events',
  http: get('/groups/:id/milestones/:milestone_id/burndown_events'),
  access: onGroup({ anonymous: true }),
  tier: 'enterprise',
  summary: 'When issues of a milestone came, were closed and reopened',
  input: z.object(ofGroup),
  output: page(BurndownEvent),
});
