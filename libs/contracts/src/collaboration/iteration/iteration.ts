import { z } from 'zod';
import {
  Access,
  commaList,
  date,
  errors,
  get,
  groupRef,
  id,
  ofGroups,
  ofProjects,
  onGroup,
  onProject,
  operation,
  type Parent,
  type ParentRule,
  page,
  projectRef,
  signedIn,
  timestamp,
} from '../../operation';
import { Issue } from '../issue/issue-view';
import { descriptionLimit, prose, titleLimit, writtenProse } from '../prose/prose';
import { Iteration, IterationCadence } from './iteration-view';

export const iterationErrors = errors('iteration', {
  overlaps: {
    status: 400,
    message: 'Dates cannot overlap with other existing Iterations within this iterations cadence',
    means: 'The cadence has an iteration on one of these days.',
  },
  full: { status: 400, message: 'Too many iterations', means: 'A cadence, or a group, has as many as it may.' },
  notAutomatic: {
    status: 400,
    message:
      'Automatic scheduling is not available: create the cadence with automatic: false, and its iterations by iterationCreate',
    means: 'Nothing here makes iterations by itself.',
  },
});

const list = {
  state: z
    .enum(['opened', 'upcoming', 'current', 'started', 'closed', 'all'])
    .default('all')
    .describe('opened is upcoming or current; started is the older word for current'),
  search: z.string().optional().describe('Part of the title, in any case'),
  in: commaList(z.enum(['title', 'cadence_title']))
    .optional()
    .describe('Where to search'),
  include_ancestors: z.boolean().default(true).describe('Also those of groups above'),
  include_descendants: z.boolean().default(false).describe('Also those of readable groups below'),
  updated_before: timestamp.optional(),
  updated_after: timestamp.optional(),
};

/** See docs/api/iterations.md#1. */
const iterationsOf = <R extends ParentRule>({ kind, path, ref, on }: Parent<R>) =>
  operation({
    name: `collaboration.${kind}-iterations.list`,
    http: get(`${path}/iterations`),
    access: on({ anonymous: true, feature: 'issues' }),
    tier: 'enterprise',
    summary: `Iterations of a ${kind}, the earliest first`,
    input: z.object({ ...ref, ...list }),
    output: page(Iteration),
  });

export const listProjectIterations = iterationsOf(ofProjects);
export const listGroupIterations = iterationsOf(ofGroups);

export const getIteration = operation({
  name: 'collaboration.group-iterations.get',
  onPages: true,
  refusals: ['common.not_found'],
  access: onGroup({ anonymous: true }),
  tier: 'enterprise',
  isRead: true,
  summary: 'One iteration of a group',
  input: z.object({ ...groupRef, iteration_iid: id.describe('Number within the group') }),
  output: Iteration,
});

/** See docs/api/iterations.md#3. */
export const createIterationCadence = operation({
  name: 'collaboration.group-iterations.create-cadence',
  mutation: 'iterationCadenceCreate',
  refusals: ['iteration.not_automatic', 'iteration.full'],
  access: onGroup({ level: Access.Reporter }),
  tier: 'enterprise',
  input: z.object({
    ...groupRef,
    title: writtenProse(titleLimit),
    description: prose(descriptionLimit).nullable().optional(),
    active: z.boolean().default(true),
    automatic: z.boolean(),
    start_date: date.nullable().optional(),
    duration_in_weeks: z.int().min(0).max(52).nullable().optional(),
  }),
  output: IterationCadence,
});

/** See docs/api/iterations.md#3. */
export const createIteration = operation({
  name: 'collaboration.group-iterations.create',
  mutation: 'iterationCreate',
  refusals: ['common.not_found for no such cadence', 'iteration.overlaps', 'iteration.full', 'common.invalid_record'],
  access: onGroup({ level: Access.Reporter }),
  tier: 'enterprise',
  input: z.object({
    ...groupRef,
    cadence_id: id.optional().describe('The oldest of the group unless given; the first iteration makes one'),
    title: writtenProse(titleLimit).nullable().optional(),
    description: prose(descriptionLimit).nullable().optional(),
    start_date: date,
    due_date: date,
  }),
  output: Iteration,
});

/** @returns the group that it was of */
export const deleteIteration = operation({
  name: 'collaboration.group-iterations.delete',
  mutation: 'iterationDelete',
  refusals: ['common.not_found', 'common.forbidden'],
  access: signedIn(),
  tier: 'enterprise',
  input: z.object({ iteration_id: id }),
  output: z.object({ group_id: id }),
});

/** See docs/api/iterations.md#4. */
export const setIssueIteration = operation({
  name: 'collaboration.issues.set-iteration',
  mutation: 'issueSetIteration',
  refusals: ['issue.not_found', 'common.invalid_record'],
  access: onProject({ feature: 'issues', level: Access.Reporter }),
  tier: 'enterprise',
  input: z.object({ ...projectRef, issue_iid: id, iteration_id: id.nullable() }),
  output: Issue,
});
