import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import { errors, id, time } from '../../operation';

/** See docs/api/notes.md#10. */
export const AwardEmoji = z.object({
  id,
  name: z.string().describe('Without colons'),
  user: UserSummary,
  created_at: time,
  updated_at: time,
  awardable_id: id,
  awardable_type: z.enum(['Issue', 'MergeRequest', 'Snippet', 'Epic', 'Commit', 'Note']),
  url: z.null(),
});
export type AwardEmoji = z.infer<typeof AwardEmoji>;

export const awardErrors = errors('award', {
  notFound: { status: 404, message: '404 Award Emoji Not Found', means: 'No such award here, or no such emoji.' },
  taken: { status: 404, message: 'Name has already been taken', means: 'The caller has awarded that already.' },
  notOwn: {
    status: 401,
    message: '401 Unauthorized',
    means: 'Only its author or an administrator takes an award back.',
  },
});
