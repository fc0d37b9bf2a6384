import type { Banner } from '@moothall/contracts';
import type { Model } from 'mongoose';
import type { BroadcastMessageDocument } from './broadcast-message.schema';

const most = 50;
const mostCharacters = 1000;
/** Pages cache them for a minute. */
const aheadMs = 120_000;

/** The messages that pages show now or soon, latest first. */
export async function findBanners(model: Model<BroadcastMessageDocument>): Promise<Banner[]> {
  const now = Date.now();
  const isNear = { startsAt: { $lt: new Date(now + aheadMs) }, endsAt: { $gt: new Date(now) } };
  const found = await model
    .find({ broadcastType: 'banner', ...isNear })
    .sort({ _id: -1 })
    .limit(most)
    .lean<BroadcastMessageDocument[]>();
  return found.map(({ message, startsAt, endsAt, targetAccessLevels, targetPath }) => ({
    message: shortened(message),
    starts_at: startsAt.toISOString(),
    ends_at: endsAt.toISOString(),
    target_access_levels: targetAccessLevels,
    target_path: targetPath,
  }));
}

const shortened = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters).toWellFormed()}…` : text;
