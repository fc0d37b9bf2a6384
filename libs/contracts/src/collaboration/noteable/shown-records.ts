import { z } from 'zod';
import { id, internal, operation } from '../../operation';
import { Issue } from '../issue/issue-view';
import { MergeRequest } from '../merge-request/merge-request-view';
import { Note } from './note';

const ids = z.array(id).max(100).default([]);

/**
 * Records by their ids as the caller of the context sees them now, also anonymous ones; deleted and hidden ones are
 * omitted. For notes: those on issues and merge requests that they see.
 */
export const showRecords = operation({
  name: 'collaboration.records.show',
  access: internal(),
  isRead: true,
  input: z.object({ issue_ids: ids, merge_request_ids: ids, note_ids: ids }),
  output: z.object({
    issues: z.array(Issue),
    merge_requests: z.array(MergeRequest),
    notes: z.array(Note.extend({ noteable_title: z.string() })),
  }),
});
