/** Null while one of the two has not come. */
export const secondsBetween = (from: Date | null, to: Date | null): number | null =>
  from && to ? (to.getTime() - from.getTime()) / 1000 : null;
