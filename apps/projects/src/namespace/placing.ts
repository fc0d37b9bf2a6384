/** A record whose place was written by a walk or a transfer: its number. */
export interface Placed {
  placedBy?: number;
}

/** Filter for documents that no later walk has written; see `MoveBelow`. */
export const notPlacedSince = (walk: number) => ({ placedBy: { $not: { $gt: walk } } });
