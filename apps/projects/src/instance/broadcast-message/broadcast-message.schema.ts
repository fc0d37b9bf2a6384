import { type BroadcastMessage, mostAimedLevels } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** A message of administrators to all users for a period of time. */
export interface BroadcastMessageDocument extends Outboxed {
  _id: number;
  message: string;
  startsAt: Date;
  endsAt: Date;
  color: string;
  font: string;
  theme: BroadcastMessage['theme'];
  targetAccessLevels: number[];
  targetPath: string | null;
  broadcastType: BroadcastMessage['broadcast_type'];
  dismissable: boolean;
}

export const broadcastMessageSchema = new Schema<BroadcastMessageDocument>(
  {
    _id: { type: Number, required: true },
    message: { type: String, required: true },
    startsAt: { type: Date, required: true },
    endsAt: { type: Date, required: true },
    color: { type: String, required: true },
    font: { type: String, required: true },
    theme: { type: String, required: true },
    targetAccessLevels: { type: [Number], default: [], most: mostAimedLevels },
    targetPath: { type: String, default: null },
    broadcastType: { type: String, required: true },
    dismissable: { type: Boolean, default: false },
  },
  { collection: 'broadcast_messages' },
);

broadcastMessageSchema.plugin(outboxed);
