import { z } from 'zod';
import { del, get, id, nothing, operation, page, post } from '../../operation';
import { AwardEmoji } from './award-emoji-view';
import type { NoteableKind, NoteableRule } from './noteable-kind';

/** List, get, create and delete award emoji of one kind of record. See docs/api/notes.md#10. */
export function awardOperations<const R extends z.ZodRawShape, A extends NoteableRule>({
  kind,
  path,
  parameters,
  access,
  tier,
  noun,
}: Omit<NoteableKind<R, A>, 'missing'>) {
  const name = `collaboration.${kind}-awards`;
  const one = z.object({ ...parameters, award_id: id });
  return {
    list: operation({
      name: `${name}.list`,
      http: get(`${path}/award_emoji`),
      access,
      tier,
      summary: `Emoji awarded to ${noun}`,
      input: z.object(parameters),
      output: page(AwardEmoji),
    }),
    get: operation({
      name: `${name}.get`,
      refusals: ['award.not_found'],
      http: get(`${path}/award_emoji/:award_id`),
      access,
      tier,
      summary: `One emoji awarded to ${noun}`,
      input: one,
      output: AwardEmoji,
    }),
    create: operation({
      name: `${name}.create`,
      refusals: ['award.not_found for no such emoji', 'award.taken', 'project.archived'],
      http: post(`${path}/award_emoji`),
      access,
      tier,
      summary: `Award an emoji to ${noun}`,
      input: z.object({ ...parameters, name: z.string().describe('As thumbsup, without colons') }),
      output: AwardEmoji,
    }),
    remove: operation({
      name: `${name}.delete`,
      refusals: ['award.not_found', 'award.not_own', 'project.archived'],
      http: del(`${path}/award_emoji/:award_id`),
      access,
      tier,
      summary: `Take back an emoji awarded to ${noun}`,
      input: one,
      output: nothing(),
    }),
  };
}

/** The same on the notes of such records. */
export const noteAwardOperations = <const R extends z.ZodRawShape, A extends NoteableRule>(noted: NoteableKind<R, A>) =>
  awardOperations({
    ...noted,
    kind: `${noted.kind}-note`,
    path: `${noted.path}/notes/:note_id`,
    parameters: { ...noted.parameters, note_id: id },
    noun: `a note of ${noted.noun}`,
  });
