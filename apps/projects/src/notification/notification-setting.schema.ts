import type { NotificationEvent, NotificationLevel } from '@moothall/contracts';
import { Schema } from 'mongoose';
import type { SourceKey } from '../member/source';

/** Where a setting holds: in a project or group, or wherever nothing else is set. */
export type SettingPlace = SourceKey | 'everywhere';

/** Which mails a user wants. */
export interface NotificationSettingDocument {
  /** `user/place`. */
  _id: string;
  userId: number;
  place: SettingPlace;
  /** Where none was chosen, that of the place. */
  level?: NotificationLevel;
  events?: Partial<Record<NotificationEvent, boolean>>;
  /** Where mails go instead of the primary address; of `everywhere` alone. */
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
// Those of a deleted user, and those of a project or group.
notificationSettingSchema.index({ userId: 1 });
notificationSettingSchema.index({ place: 1 });
