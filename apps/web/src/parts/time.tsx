const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** A day. @param at ISO 8601 */
export const Day = ({ at }: { at: string }) => <time dateTime={at}>{format.format(new Date(at))}</time>;
