import { z } from 'zod';
import {
  del,
  errors,
  get,
  id,
  mutuallyExclusive,
  nothing,
  operation,
  page,
  post,
  put,
  someChangeOf,
} from '../../operation';
import { CommandSummary, Note, noteBody, noteCreation } from './note';
import type { NoteableKind, NoteableRule } from './noteable-kind';

export const discussionErrors = errors('discussion', {
  notFound: {
    status: 404,
    message: '404 Discussion Not Found',
    means: 'No such discussion, or the caller may not see its notes.',
  },
  takesNoReplies: {
    status: 400,
    message: '400 Bad request - Discussion can not be replied to.',
    means: 'System notes are no discussions.',
  },
  notResolvable: {
    status: 400,
    message: '400 Bad request - Discussion can not be resolved.',
    means: 'Only discussions of merge requests can be resolved, not individual notes.',
  },
});

/** Notes that belong together, oldest first. See docs/api/notes.md#9. */
export const Discussion = z.object({
  id: z.string().describe('40 hexadecimal digits'),
  individual_note: z.boolean().describe('An individual note without replies'),
  notes: z.array(Note),
});
export type Discussion = z.infer<typeof Discussion>;

/** A discussion; a summary with 202 if its first note contains only quick actions. */
export const CreatedDiscussion = z.union([Discussion, CommandSummary]);

/** Parameters of the first note of a discussion. */
export const discussionCreation = { body: noteBody, created_at: noteCreation.created_at };

interface Discussed<R extends z.ZodRawShape, C extends z.ZodRawShape, A extends NoteableRule>
  extends NoteableKind<R, A> {
  /** Parameters of the first note. */
  creation: C;
}

/**
 * List, get and create discussions on one kind of record; reply to them; get, change and delete their notes.
 * @see docs/api/notes.md#9
 */
export function discussionOperations<
  const R extends z.ZodRawShape,
  const C extends z.ZodRawShape,
  A extends NoteableRule,
>({ kind, path, parameters, creation, access, tier, noun }: Discussed<R, C, A>) {
  const common = { access, tier };
  const name = `collaboration.${kind}-discussions`;
  const one = { ...parameters, discussion_id: z.string() };
  const note = { ...one, note_id: id };
  const [all, single] = [`${path}/discussions`, `${path}/discussions/:discussion_id`];
  return {
    list: operation({
      ...common,
      name: `${name}.list`,
      http: get(all),
      summary: `Discussions of ${noun}`,
      input: z.object(parameters),
      output: page(Discussion),
    }),
    get: operation({
      ...common,
      name: `${name}.get`,
      refusals: ['discussion.not_found'],
      http: get(single),
      summary: `One discussion of ${noun}`,
      input: z.object(one),
      output: Discussion,
    }),
    create: operation({
      ...common,
      name: `${name}.create`,
      description:
        'A first note with quick actions only starts no discussion: the answer is 202 with a summary of the actions.',
      refusals: ['note.blank', 'note.commands_failed', 'common.forbidden where the discussion is locked'],
      limitedBy: 'notes_create_limit',
      http: post(all),
      summary: `Begin a discussion of ${noun}`,
      input: z.object({ ...parameters, ...creation }),
      output: CreatedDiscussion,
    }),
    reply: operation({
      ...common,
      name: `${name}.reply`,
      refusals: [
        'discussion.not_found',
        'discussion.takes_no_replies',
        'note.blank',
        'note.commands_failed',
        'common.forbidden where the discussion is locked',
      ],
      limitedBy: 'notes_create_limit',
      http: post(`${single}/notes`),
      summary: `Answer in a discussion of ${noun}`,
      input: z.object({ ...one, ...discussionCreation }),
      output: z.union([Note, CommandSummary]),
    }),
    getNote: operation({
      ...common,
      name: `${name}.get-note`,
      refusals: ['discussion.not_found', 'common.not_found'],
      http: get(`${single}/notes/:note_id`),
      summary: `One note of a discussion of ${noun}`,
      input: z.object(note),
      output: Note,
    }),
    updateNote: operation({
      ...common,
      name: `${name}.update-note`,
      description: 'Either `body` or `resolved`.',
      refusals: ['discussion.not_found', 'discussion.not_resolvable', 'common.forbidden unless author or maintainer'],
      http: put(`${single}/notes/:note_id`),
      summary: `Change a note in a discussion of ${noun}, or resolve it`,
      input: z
        .object({ ...note, body: noteBody.optional(), resolved: z.boolean().optional() })
        .refine(...someChangeOf('body', 'resolved'))
        .refine(...mutuallyExclusive('body', 'resolved')),
      output: Note,
    }),
    removeNote: operation({
      ...common,
      name: `${name}.delete-note`,
      refusals: ['discussion.not_found', 'common.not_found', 'common.forbidden unless author or maintainer'],
      http: del(`${single}/notes/:note_id`),
      summary: `Remove a note from a discussion of ${noun}`,
      input: z.object(note),
      output: nothing(),
    }),
  };
}

/** A discussion with its first notes, whose texts may be cut. */
export const DiscussionBeginning = Discussion.extend({
  left: z.int().describe('Number of further notes'),
});
export type DiscussionBeginning = z.infer<typeof DiscussionBeginning>;

/** Discussions for a page that shows the beginnings of long ones. */
export const discussionBeginnings = <const R extends z.ZodRawShape, A extends NoteableRule>({
  kind,
  parameters,
  access,
  tier,
  noun,
}: NoteableKind<R, A>) =>
  operation({
    name: `collaboration.${kind}-discussions.list-beginnings`,
    summary: `Discussions of ${noun}, with the beginnings of their first notes`,
    onPages: true,
    isRead: true,
    access,
    tier,
    input: z.object({
      ...parameters,
      notes: z.int().min(1).max(100).describe('Of each discussion'),
      characters: z
        .int()
        .min(1)
        .max(128 * 1024)
        .describe('Of each note'),
    }),
    output: page(DiscussionBeginning),
  });
