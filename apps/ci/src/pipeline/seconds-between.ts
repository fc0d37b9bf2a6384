/** Null without both times. */
export const secondsBetween = (from: Date | null, to: Date | null): number | null =>
  from && to ? (to.getTime() - from.getTime()) / 1000 : null;
