import { Schema } from 'mongoose';

/** How far this site has followed its primary: one document. */
export interface Position {
  _id: 'primary';
  /** Of the feed; null while it is to begin with the list of all projects. */
  cursor: number | null;
  /** The time of the last received event; null if there was none. */
  cursorAt: Date | null;
  /** While the list is walked, the last project of it; else null. */
  walkAfter: number | null;
  /** Names the last walk. */
  walk: string;
  /** What is copied, as of that walk. */
  selection: string;
  /** Newest event of the primary. */
  lastId: number;
  /** The time of that event; null if there is none. */
  lastAt: Date | null;
  /** When all events of the primary had been received; null before that. */
  caughtUpAt: Date | null;
  /** When the primary answered last. */
  heardAt: Date | null;
}

/** What was found where the primary is to be, and was something else: one document beside that one. */
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
