const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** A day. @param at ISO 8601 */
export const Day = ({ at }: { at: string }) => <time dateTime={at}>{format.format(new Date(at))}</time>;

const preciseFormat = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC', timeZoneName: 'short' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
});

/** A day with its time. @param at ISO 8601 */
export const Moment = ({ at }: { at: string }) => <time dateTime={at}>{preciseFormat.format(new Date(at))}</time>;

/** `1 min 5 s`. */
export const Duration = ({ seconds }: { seconds: number }) => {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return <span>{minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`}</span>;
};
