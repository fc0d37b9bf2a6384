import type { AwardEmoji, UserSummary } from '@moothall/contracts';
import type { Award } from '../activity/awardable';
import { summaryFrom } from '../user/summaries';

export const viewAward = (
  award: Award,
  on: { type: AwardEmoji['awardable_type']; id: number },
  users: ReadonlyMap<number, UserSummary>,
): AwardEmoji => ({
  id: award.id,
  name: award.name,
  user: summaryFrom(users, award.userId),
  created_at: award.createdAt.toISOString(),
  updated_at: award.updatedAt.toISOString(),
  awardable_id: on.id,
  awardable_type: on.type,
  url: null,
});
