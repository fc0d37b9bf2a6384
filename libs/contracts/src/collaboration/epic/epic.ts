import { z } from 'zod';
import {
  Access,
  commaList,
  date,
  del,
  errors,
  get,
  groupRef,
  id,
  nothing,
  onGroup,
  operation,
  page,
  post,
  put,
  someChangeOf,
  sorting,
  timestamp,
} from '../../operation';
import { descriptionLimit, prose, titleLimit, writtenProse } from '../prose/prose';
import { Epic } from './epic-view';

/*
 * Paths of epics contain their number in the group; those of their notes and label events the global id, as clients
 * of the interface expect. See docs/api/epics.md#1.
 */

export const epicErrors = errors('epic', {
  notFound: { status: 404, message: '404 Epic Not Found', means: 'No such epic, or none the caller may see.' },
  issueNotFound: { status: 404, message: '404 Not found', means: 'No such issue in the group, or none in the epic.' },
});

const tier = 'enterprise';
const read = onGroup({ anonymous: true });
const write = onGroup({ level: Access.Reporter });
const one = { ...groupRef, epic_iid: id };

const flag = z.boolean().optional();
const day = date.nullable().optional();
const attributes = {
  description: prose(descriptionLimit).nullable().optional(),
  labels: commaList(z.string()).nullable().optional().describe('Names; unknown ones are made in the group'),
  start_date_is_fixed: flag,
  start_date_fixed: day,
  due_date_is_fixed: flag,
  due_date_fixed: day,
  parent_id: z.int().min(0).nullable().optional().describe('Global id; 0 for none'),
  confidential: flag,
};

export const listEpics = operation({
  name: 'collaboration.epics.list',
  http: get('/groups/:id/epics'),
  access: read,
  tier,
  summary: 'Epics of a group and its subgroups',
  input: z.object({
    ...groupRef,
    author_id: id.optional(),
    author_username: z.string().optional(),
    labels: commaList(z.string()).optional(),
    with_labels_details: z.boolean().default(false),
    ...sorting(['created_at', 'updated_at']),
    search: z.string().optional(),
    state: z.enum(['opened', 'closed', 'all']).default('all'),
    iid: z.int().optional(),
    iids: commaList(z.int(), 10_000).optional(),
    created_after: timestamp.optional(),
    created_before: timestamp.optional(),
    updated_after: timestamp.optional(),
    updated_before: timestamp.optional(),
    include_ancestor_groups: z.boolean().default(false),
    include_descendant_groups: z.boolean().default(true),
    my_reaction_emoji: z.string().optional(),
  }),
  output: page(Epic),
});

export const getEpic = operation({
  name: 'collaboration.epics.get',
  refusals: ['epic.not_found'],
  http: get('/groups/:id/epics/:epic_iid'),
  access: read,
  tier,
  summary: 'One epic',
  input: z.object(one),
  output: Epic,
});

export const createEpic = operation({
  name: 'collaboration.epics.create',
  refusals: ['common.invalid_record for a parent that is not in the group'],
  http: post('/groups/:id/epics'),
  access: write,
  tier,
  summary: 'Open an epic',
  input: z.object({
    ...groupRef,
    ...attributes,
    title: writtenProse(titleLimit),
    created_at: timestamp.optional().describe('For administrators and owners'),
  }),
  output: Epic,
});

export const updateEpic = operation({
  name: 'collaboration.epics.update',
  refusals: ['epic.not_found', 'common.invalid_record for a parent that is not in the group, or below the epic'],
  http: put('/groups/:id/epics/:epic_iid'),
  access: write,
  tier,
  summary: 'Change an epic',
  input: z
    .object({
      ...one,
      ...attributes,
      title: writtenProse(titleLimit).optional(),
      add_labels: commaList(z.string()).optional(),
      remove_labels: commaList(z.string()).optional(),
      state_event: z.enum(['close', 'reopen']).optional(),
      updated_at: timestamp.optional().describe('For administrators and owners'),
    })
    .refine(
      ...someChangeOf('title', ...Object.keys(attributes), 'add_labels', 'remove_labels', 'state_event', 'updated_at'),
    ),
  output: Epic,
});

export const deleteEpic = operation({
  name: 'collaboration.epics.delete',
  description: 'Its issues and the epics below it stay.',
  refusals: ['epic.not_found'],
  http: del('/groups/:id/epics/:epic_iid'),
  access: onGroup({ level: Access.Owner }),
  tier,
  summary: 'Remove an epic',
  input: z.object(one),
  output: nothing(),
});
