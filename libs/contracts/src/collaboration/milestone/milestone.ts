import { z } from 'zod';
import {
  Access,
  commaList,
  del,
  errors,
  get,
  id,
  isDay,
  nothing,
  ofGroups,
  ofProjects,
  onProject,
  operation,
  type Parent,
  type ParentRule,
  page,
  planning,
  post,
  projectRef,
  put,
  readTimestamp,
  someChangeOf,
  timestamp,
} from '../../operation';
import { descriptionLimit, prose, titleLimit, writtenProse } from '../prose/prose';
import { Milestone } from './milestone-view';

export const milestoneErrors = errors('milestone', {
  notFound: { status: 404, message: '404 Milestone Not Found', means: 'No such milestone here.' },
  titleTaken: {
    status: 400,
    message: 'Failed to create milestone {:title=>["already being used for another group or project milestone."]}',
    means: 'Another milestone here, or in a group above, has that title.',
  },
  noGroup: {
    status: 400,
    message: 'Project does not belong to a group.',
    means: 'Only milestones of projects in a group can become milestones of the group.',
  },
});

const list = {
  iids: commaList(z.int(), 10_000).optional(),
  state: z.enum(['active', 'closed', 'all']).default('all'),
  title: z.string().optional().describe('Exact'),
  search: z.string().optional().describe('Part of title or description, in any case'),
  include_parent_milestones: z.boolean().default(false),
  updated_before: timestamp.optional(),
  updated_after: timestamp.optional(),
};

const inFigures = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/;
const inWords = /^(?:([a-z]{3,9})\.? (\d{1,2}),?|(\d{1,2})\.? ([a-z]{3,9})\.?,?) (\d{4})$/i;
const months = 'january february march april may june july august september october november december'.split(' ');

/** The day that people mean by `2020-10-15`, `2020/10/15`, `Oct 15, 2020` or a point in time; undefined for none. */
function dayIn(given: string): string | undefined {
  const text = given.trim();
  if (readTimestamp(text)) return text.slice(0, 10);
  const [, year, month, day] = inFigures.exec(text) ?? fromWords(text) ?? [];
  const written = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  return isDay(written) ? written : undefined;
}

function fromWords(text: string): string[] | undefined {
  const [, name, day, dayFirst, nameSecond, year] = inWords.exec(text) ?? [];
  if (year === undefined) return undefined;
  const month = months.findIndex((one) => one.startsWith((name ?? nameSecond ?? '').toLowerCase())) + 1;
  return [text, year, String(month), day ?? dayFirst ?? ''];
}

/** Read as leniently as clients write them. See docs/api/milestones.md#2. */
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
const anyChange = someChangeOf('title', 'description', 'start_date', 'due_date', 'state_event');

function milestonesOf<R extends ParentRule>({ kind, path, ref, on }: Parent<R>) {
  const milestone = { ...ref, milestone_id: id };
  return {
    list: operation({
      name: `collaboration.${kind}-milestones.list`,
      http: get(`${path}/milestones`),
      access: on({ anonymous: true, feature: planning }),
      summary: `Milestones of a ${kind}, next due first`,
      input: z.object({ ...ref, ...list }),
      output: page(Milestone),
    }),
    get: operation({
      name: `collaboration.${kind}-milestones.get`,
      http: get(`${path}/milestones/:milestone_id`),
      access: on({ anonymous: true, feature: planning }),
      summary: 'One milestone',
      input: z.object(milestone),
      output: Milestone,
    }),
    create: operation({
      name: `collaboration.${kind}-milestones.create`,
      refusals: ['milestone.title_taken', 'common.invalid_record when it is due before it starts'],
      http: post(`${path}/milestones`),
      access: on({ level: Access.Developer, feature: planning }),
      summary: 'Make a milestone',
      input: z.object({ ...ref, ...creation }),
      output: Milestone,
    }),
    update: operation({
      name: `collaboration.${kind}-milestones.update`,
      refusals: ['common.not_found', 'milestone.title_taken', 'common.invalid_record'],
      http: put(`${path}/milestones/:milestone_id`),
      access: on({ level: Access.Developer, feature: planning }),
      summary: 'Changes, closes or reopens a milestone',
      input: z.object({ ...milestone, ...change }).refine(...anyChange),
      output: Milestone,
    }),
    delete: operation({
      name: `collaboration.${kind}-milestones.delete`,
      http: del(`${path}/milestones/:milestone_id`),
      access: on({ level: Access.Developer, feature: planning }),
      summary: 'Delete a milestone and remove it from its issues',
      input: z.object(milestone),
      output: nothing(),
    }),
  };
}

export const {
  list: listProjectMilestones,
  get: getProjectMilestone,
  create: createProjectMilestone,
  update: updateProjectMilestone,
  delete: deleteProjectMilestone,
} = milestonesOf(ofProjects);

export const {
  list: listGroupMilestones,
  get: getGroupMilestone,
  create: createGroupMilestone,
  update: updateGroupMilestone,
  delete: deleteGroupMilestone,
} = milestonesOf(ofGroups);

export const promoteMilestone = operation({
  name: 'collaboration.project-milestones.promote',
  description: 'Makes it a milestone of the group; those of the same title in all projects of the group become it.',
  refusals: ['milestone.no_group', 'milestone.title_taken', 'common.forbidden without Developer in the group'],
  http: post('/projects/:id/milestones/:milestone_id/promote', { success: 200 }),
  access: onProject({ level: Access.Developer, feature: planning }),
  summary: 'Make the milestone one of the group',
  input: z.object({ ...projectRef, milestone_id: id }),
  output: Milestone,
});
