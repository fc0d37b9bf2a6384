import type { Given, NotificationEvent, NotificationLevel } from '@moothall/contracts';
import { PointReads } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { SourceKey } from '../member/source';
import type { NotificationSettingDocument, SettingPlace } from './notification-setting.schema';

interface Change {
  level?: NotificationLevel | undefined;
  email?: string | undefined;
  events: Given<Record<NotificationEvent, boolean>>;
}

/** All queries on notification settings. See docs/api/members.md#5. */
@Injectable()
export class NotificationSettings {
  private readonly byKey: PointReads<NotificationSettingDocument>;

  constructor(@InjectModel('NotificationSetting') private readonly model: Model<NotificationSettingDocument>) {
    this.byKey = new PointReads(model);
  }

  find(userId: number, place: SettingPlace): Promise<NotificationSettingDocument | null> {
    return this.model.findById(keyOf(userId, place)).lean<NotificationSettingDocument>();
  }

  /** Sets the given fields, without overwriting concurrent changes of others. */
  async set(userId: number, place: SettingPlace, { level, email, events }: Change): Promise<void> {
    const given = Object.entries(events).filter(([, value]) => value !== undefined);
    const fields = {
      ...(level !== undefined && { level }),
      ...(email !== undefined && { email }),
      ...Object.fromEntries(given.map(([name, value]) => [`events.${name}`, value])),
    };
    await this.model.updateOne(
      { _id: keyOf(userId, place) },
      { $set: fields, $setOnInsert: { userId, place } },
      { upsert: true },
    );
  }

  /** The levels that a user chose, by scope. */
  async levelsOf(userId: number, places: SourceKey[]): Promise<Map<SettingPlace, NotificationLevel>> {
    const found = await this.byKey.findAll(places.map((place) => keyOf(userId, place)));
    return new Map(
      [...found.values()].flatMap(({ place, level }) => (level === undefined ? [] : [[place, level] as const])),
    );
  }

  /**
   * Users of the list who want a mail, with the address that they chose.
   * @param chain the place of the event and the groups above, nearest first
   */
  async listeners(userIds: number[], chain: SourceKey[]): Promise<Map<number, string | undefined>> {
    const places: SettingPlace[] = [...chain, 'everywhere'];
    const keys = userIds.flatMap((userId) => places.map((place) => keyOf(userId, place)));
    const found = await this.model.find({ _id: { $in: keys } }).lean<NotificationSettingDocument[]>();
    const byKey = new Map(found.map((setting) => [setting._id, setting]));
    const isListening = (userId: number) => {
      const levels = places.map((place) => byKey.get(keyOf(userId, place))?.level);
      return levels.find((level) => level !== undefined && level !== 'global') !== 'disabled';
    };
    const emailOf = (userId: number) => byKey.get(keyOf(userId, 'everywhere'))?.email;
    return new Map(userIds.filter(isListening).map((userId) => [userId, emailOf(userId)]));
  }

  async forgetUser(userId: number): Promise<void> {
    await this.model.deleteMany({ userId });
  }

  async forget(source: SourceKey): Promise<void> {
    await this.model.deleteMany({ place: source });
  }
}

const keyOf = (userId: number, place: SettingPlace): string => `${userId}/${place}`;
