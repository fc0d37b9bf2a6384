const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** Whether the last day is over. Today is accepted, in both forms of a time, although its first moment has passed. */
export const isBeforeToday = (expiresAt: Date): boolean => dayOf(expiresAt) < dayOf(new Date());
