import { z } from 'zod';
import { del, get, id, nothing, onGroup, onProject, operation, page, post, projectRef } from '../../operation';
import { AwardEmoji } from './award-emoji-view';

interface Awarded<R extends z.ZodRawShape, A extends ReturnType<typeof onProject> | ReturnType<typeof onGroup>> {
  /** First words of the operations' names. */
  name: string;
  /** What emoji are awarded to. */
  path: string;
  parameters: R;
  access: A;
  tier?: 'enterprise';
  /** As the API reference calls it. */
  noun: string;
}

/**
 * List, get, award and take back emoji on one kind of record.
 * @see docs/api/notes.md#10
 */
export function awardOperations<
  const R extends z.ZodRawShape,
  A extends ReturnType<typeof onProject> | ReturnType<typeof onGroup>,
>({ name, path, parameters, access, tier, noun }: Awarded<R, A>) {
  const one = z.object({ ...parameters, award_id: id });
  return [
    operation({
      name: `${name}.list`,
      http: get(`${path}/award_emoji`),
      access,
      tier,
      summary: `Emoji awarded to ${noun}`,
      input: z.object(parameters),
      output: page(AwardEmoji),
    }),
    operation({
      name: `${name}.get`,
      refusals: ['award.not_found'],
      http: get(`${path}/award_emoji/:award_id`),
      access,
      tier,
      summary: `One emoji awarded to ${noun}`,
      input: one,
      output: AwardEmoji,
    }),
    operation({
      name: `${name}.create`,
      refusals: ['award.not_found for no such emoji', 'award.taken'],
      http: post(`${path}/award_emoji`),
      access,
      tier,
      summary: `Award an emoji to ${noun}`,
      input: z.object({ ...parameters, name: z.string().describe('As thumbsup, without colons') }),
      output: AwardEmoji,
    }),
    operation({
      name: `${name}.delete`,
      refusals: ['award.not_found', 'award.not_own'],
      http: del(`${path}/award_emoji/:award_id`),
      access,
      tier,
      summary: `Take back an emoji awarded to ${noun}`,
      input: one,
      output: nothing(),
    }),
  ] as const;
}

const issue = { ...projectRef, issue_iid: id };

export const [listIssueAwards, getIssueAward, createIssueAward, deleteIssueAward] = awardOperations({
  name: 'collaboration.issue-awards',
  path: '/projects/:id/issues/:issue_iid',
  parameters: issue,
  access: onProject({ feature: 'issues' }),
  noun: 'an issue',
});

export const [listIssueNoteAwards, getIssueNoteAward, createIssueNoteAward, deleteIssueNoteAward] = awardOperations({
  name: 'collaboration.issue-note-awards',
  path: '/projects/:id/issues/:issue_iid/notes/:note_id',
  parameters: { ...issue, note_id: id },
  access: onProject({ feature: 'issues' }),
  noun: 'a note of an issue',
});
