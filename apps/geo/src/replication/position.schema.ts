import { Schema } from 'mongoose';

/** Position of this site in the feed of its primary: one document. */
export interface Position {
  _id: 'primary';
  /** Cursor of the feed; null until the walk over all projects begins. */
  cursor: number | null;
  /** The time of the last received event; null if there was none. */
  cursorAt: Date | null;
  /** Last visited project during a walk; else null. */
  walkAfter: number | null;
  /** Id of the last walk. */
  walk: string;
  /** The selection of that walk. */
  selection: string;
  /** Newest event of the primary. */
  lastId: number;
  /** The time of that event; null if there is none. */
  lastAt: Date | null;
  /** Last time when all events of the primary had been received; null before that. */
  caughtUpAt: Date | null;
  /** Time of the last answer of the primary. */
  heardAt: Date | null;
}

/** Another server that was found at the primary's URL: one document. */
export interface Impostor {
  _id: 'impostor';
  foundAt: Date;
  words: string;
}

export const positionSchema = new Schema<Position>(
  {
    _id: String,
    cursor: { type: Number, default: null },
    cursorAt: { type: Date, default: null },
    walkAfter: { type: Number, default: null },
    walk: String,
    selection: String,
    lastId: { type: Number, default: 0 },
    lastAt: { type: Date, default: null },
    caughtUpAt: { type: Date, default: null },
    heardAt: { type: Date, default: null },
  },
  { versionKey: false, collection: 'positions' },
);
