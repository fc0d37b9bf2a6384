/** What was put where it is by a walk over what lies below a group, or by a transfer: the number of that. */
export interface Placed {
  placedBy?: number;
}

/** What no later walk has written; see `MoveBelow`. */
export const notPlacedSince = (walk: number) => ({ placedBy: { $not: { $gt: walk } } });
