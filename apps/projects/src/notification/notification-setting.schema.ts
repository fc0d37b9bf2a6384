import type { NotificationEvent, NotificationLevel } from '@moothall/contracts';
import { Schema } from 'mongoose';
import type { SourceKey } from '../member/source';

/** Scope of a setting: a project or group, or `everywhere` as the default. */
export type SettingPlace = SourceKey | 'everywhere';

/** Notification settings of a user. */
export interface NotificationSettingDocument {
  /** `user/place`. */
  _id: string;
  userId: number;
  place: SettingPlace;
  /** Absent for the level of the next scope. */
  level?: NotificationLevel;
  events?: Partial<Record<NotificationEvent, boolean>>;
  /** Address for mails instead of the primary one; for `everywhere` alone. */
  email?: string;
}

export const notificationSettingSchema = new Schema<NotificationSettingDocument>(
  {
    _id: { type: String, required: true },
    userId: { type: Number, required: true },
    place: { type: String, required: true },
    level: String,
    events: { type: Schema.Types.Mixed },
    email: String,
  },
  { collection: 'notification_settings' },
);
// Settings of a deleted user, and those of a project or group.
notificationSettingSchema.index({ userId: 1 });
notificationSettingSchema.index({ place: 1 });
