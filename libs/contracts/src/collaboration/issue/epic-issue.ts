import { z } from 'zod';
import { Access, del, get, groupRef, id, onGroup, operation, page, post, put } from '../../operation';
import { Epic } from '../epic/epic-view';
import { Issue } from './issue-view';

/** An issue in an epic's order. */
export const EpicIssue = Issue.extend({ epic_issue_id: id, relative_position: z.int() });
export type EpicIssue = z.infer<typeof EpicIssue>;

/** That an issue belongs to an epic. */
export const EpicIssueLink = z.object({ id, epic: Epic, issue: Issue, relative_position: z.int() });
export type EpicIssueLink = z.infer<typeof EpicIssueLink>;

const tier = 'enterprise';
const read = onGroup({ anonymous: true });
const write = onGroup({ level: Access.Reporter });
const one = { ...groupRef, epic_iid: id };

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
