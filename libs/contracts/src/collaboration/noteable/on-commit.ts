import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import { Access, get, onProject, operation, page, post, projectRef, time } from '../../operation';
import { readsCode } from '../../repository/access';
import { prose } from '../prose/prose';
import { discussionCreation, discussionOperations } from './discussion';
import { NotePosition, noteBody } from './note';

const missing = 'repository_content.commit_not_found';
const parameters = { ...projectRef, sha: z.string().describe('Commit, branch or tag') };
/** Signed-in readers of the code. */
const takesPartInCode = onProject({ feature: 'repository', levelInPrivate: Access.Reporter });

/** Commits as records with notes. */
const commit = {
  kind: 'commit',
  path: '/projects/:id/repository/commits/:sha',
  parameters,
  access: takesPartInCode,
  noun: 'a commit',
  missing,
};

export const commitDiscussions = discussionOperations({
  ...commit,
  creation: { ...discussionCreation, position: NotePosition.optional() },
});
export const {
  list: listCommitDiscussions,
  get: getCommitDiscussion,
  create: createCommitDiscussion,
  reply: replyToCommitDiscussion,
  getNote: getCommitDiscussionNote,
  updateNote: updateCommitDiscussionNote,
  removeNote: deleteCommitDiscussionNote,
} = commitDiscussions;

const lineTypes = z.enum(['new', 'old']);

/** A note on a commit, as the older list has it. See docs/api/notes.md#11. */
export const CommitComment = z.object({
  note: z.string(),
  path: z.string().nullable(),
  line: z.int().nullable(),
  line_type: lineTypes.nullable(),
  author: UserSummary,
  created_at: time,
});
export type CommitComment = z.infer<typeof CommitComment>;

export const listCommitComments = operation({
  name: 'collaboration.commit-comments.list',
  refusals: [missing],
  http: get('/projects/:id/repository/commits/:sha/comments'),
  access: readsCode,
  summary: 'Comments on a commit, oldest first',
  input: z.object(parameters),
  output: page(CommitComment),
});

export const createCommitComment = operation({
  name: 'collaboration.commit-comments.create',
  refusals: [missing, 'note.blank', 'project.archived'],
  limitedBy: 'notes_create_limit',
  http: post('/projects/:id/repository/commits/:sha/comments'),
  access: takesPartInCode,
  summary: 'Comment on a commit, or on a line of its diff',
  input: z
    .object({
      ...parameters,
      note: noteBody,
      path: prose(4096).optional().describe('The file, as the commit leaves it'),
      line: z.int().min(1).optional().describe('Counted from 1'),
      line_type: lineTypes.default('new').describe('Whether the line is counted after the commit or before it'),
    })
    .refine(({ path, line }) => path === undefined || line !== undefined, { message: 'line is missing' }),
  output: CommitComment,
});
