import { escapeHtml, onlyGiven, type ParsedOf, type setOwnStatus, type UserStatus } from '@moothall/contracts';
import type { Status, User } from './user.schema';

type Given = ParsedOf<typeof setOwnStatus>;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const periodsMs = {
  '30_minutes': 30 * minute,
  '3_hours': 3 * hour,
  '8_hours': 8 * hour,
  '1_day': day,
  '3_days': 3 * day,
  '7_days': 7 * day,
  '30_days': 30 * day,
} as const satisfies Record<NonNullable<Given['clear_status_after']>, number>;

const none: UserStatus = { emoji: null, message: null, message_html: '', availability: null, clear_status_at: null };
const defaultEmoji = 'speech_balloon';

/** The stored form of a status; undefined fields were not given. */
export const statusFrom = (
  { emoji, message, availability, clear_status_after: after }: Given,
  now: number,
): Partial<Status> =>
  onlyGiven({
    emoji,
    message,
    availability,
    clearAt: after == null ? after : new Date(now + periodsMs[after]),
  });

/** An expired status is empty. See docs/api/users.md#8. */
export function viewStatus({ status = {} }: Pick<User, 'status'>, now: number): UserStatus {
  const { emoji = '', message = '', availability = 'not_set', clearAt = null } = status;
  const isOver = clearAt !== null && clearAt.getTime() <= now;
  if (isOver || (emoji === '' && message === '' && availability === 'not_set')) return none;
  return {
    emoji: emoji || defaultEmoji,
    message,
    message_html: escapeHtml(message),
    availability,
    clear_status_at: clearAt?.toISOString() ?? null,
  };
}
