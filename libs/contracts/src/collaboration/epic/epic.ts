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
import { awardOperations } from '../noteable/award-emoji';
import { LabelEvent } from '../noteable/label-event';
import { CreatedNote, Note, noteBody, noteChange, noteList } from '../noteable/note';
import { descriptionLimit, prose, titleLimit, writtenProse } from '../prose/prose';
import { Epic, EpicIssue, EpicIssueLink } from './epic-view';

/*
 * Paths of epics hold their number in the group; those of their notes and label events the global id, as clients of the
 * interface know it. See docs/api/epics.md#1.
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
    iids: commaList(z.int()).optional(),
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

export const listEpicIssues = operation({
  name: 'collaboration.epic-issues.list',
  http: get('/groups/:id/epics/:epic_iid/issues'),
  access: read,
  tier,
  summary: 'Issues of an epic, in its order',
  input: z.object(one),
  output: page(EpicIssue),
});

export const addEpicIssue = operation({
  name: 'collaboration.epic-issues.add',
  description: 'Takes it out of the epic it was in.',
  refusals: ['epic.not_found', 'epic.issue_not_found', 'common.forbidden'],
  http: post('/groups/:id/epics/:epic_iid/issues/:issue_id'),
  access: write,
  tier,
  summary: 'Put an issue into an epic',
  input: z.object({ ...one, issue_id: id.describe('Global id') }),
  output: EpicIssueLink,
});

export const moveEpicIssue = operation({
  name: 'collaboration.epic-issues.move',
  refusals: ['epic.not_found', 'epic.issue_not_found'],
  http: put('/groups/:id/epics/:epic_iid/issues/:epic_issue_id'),
  access: write,
  tier,
  summary: 'Change the place of an issue in an epic',
  input: z.object({ ...one, epic_issue_id: id, move_before_id: id.optional(), move_after_id: id.optional() }),
  output: page(EpicIssue),
});

export const removeEpicIssue = operation({
  name: 'collaboration.epic-issues.remove',
  refusals: ['epic.not_found', 'epic.issue_not_found'],
  http: del('/groups/:id/epics/:epic_iid/issues/:epic_issue_id', { success: 200 }),
  access: write,
  tier,
  summary: 'Take an issue out of an epic',
  input: z.object({ ...one, epic_issue_id: id }),
  output: EpicIssueLink,
});

const byId = { ...groupRef, epic_id: id.describe('Global id') };

export const listEpicNotes = operation({
  name: 'collaboration.epic-notes.list',
  http: get('/groups/:id/epics/:epic_id/notes'),
  access: onGroup(),
  tier,
  summary: 'Notes of an epic',
  input: z.object({ ...byId, ...noteList }),
  output: page(Note),
});

export const getEpicNote = operation({
  name: 'collaboration.epic-notes.get',
  description: 'The note, with the title of the epic.',
  refusals: ['epic.not_found', 'common.not_found'],
  http: get('/groups/:id/epics/:epic_id/notes/:note_id'),
  access: onGroup(),
  tier,
  summary: 'One note of an epic',
  input: z.object({ ...byId, note_id: id }),
  output: Note,
});

export const createEpicNote = operation({
  name: 'collaboration.epic-notes.create',
  refusals: ['epic.not_found', 'note.blank', 'common.forbidden'],
  limitedBy: 'notes_create_limit',
  http: post('/groups/:id/epics/:epic_id/notes'),
  access: onGroup(),
  tier,
  summary: 'Comment on an epic',
  input: z.object({ ...byId, body: noteBody, confidential: z.boolean().optional() }),
  output: CreatedNote,
});

export const updateEpicNote = operation({
  name: 'collaboration.epic-notes.update',
  refusals: ['epic.not_found', 'common.not_found', 'common.forbidden unless author or maintainer'],
  http: put('/groups/:id/epics/:epic_id/notes/:note_id'),
  access: onGroup(),
  tier,
  summary: 'Change a note',
  input: z.object({ ...byId, note_id: id, ...noteChange }),
  output: Note,
});

export const deleteEpicNote = operation({
  name: 'collaboration.epic-notes.delete',
  refusals: ['epic.not_found', 'common.not_found', 'common.forbidden unless author or maintainer'],
  http: del('/groups/:id/epics/:epic_id/notes/:note_id'),
  access: onGroup(),
  tier,
  summary: 'Remove a note with its awards',
  input: z.object({ ...byId, note_id: id }),
  output: nothing(),
});

export const listEpicLabelEvents = operation({
  name: 'collaboration.epic-label-events.list',
  http: get('/groups/:id/epics/:epic_id/resource_label_events'),
  access: onGroup(),
  tier,
  summary: 'Labels added to an epic and removed from it',
  input: z.object(byId),
  output: page(LabelEvent),
});

export const getEpicLabelEvent = operation({
  name: 'collaboration.epic-label-events.get',
  refusals: ['epic.not_found', 'common.not_found'],
  http: get('/groups/:id/epics/:epic_id/resource_label_events/:resource_label_event_id'),
  access: onGroup(),
  tier,
  summary: 'One label event of an epic',
  input: z.object({ ...byId, resource_label_event_id: id }),
  output: LabelEvent,
});

export const [listEpicAwards, getEpicAward, createEpicAward, deleteEpicAward] = awardOperations({
  name: 'collaboration.epic-awards',
  path: '/groups/:id/epics/:epic_iid',
  parameters: one,
  access: onGroup(),
  tier,
  noun: 'an epic',
});

export const [listEpicNoteAwards, getEpicNoteAward, createEpicNoteAward, deleteEpicNoteAward] = awardOperations({
  name: 'collaboration.epic-note-awards',
  path: '/groups/:id/epics/:epic_iid/notes/:note_id',
  parameters: { ...one, note_id: id },
  access: onGroup(),
  tier,
  noun: 'a note of an epic',
});
