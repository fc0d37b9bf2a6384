const dayForm = /^(\d{4})-(\d{2})-(\d{2})$/;
const timeForm =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(?:(Z|UTC)|([+-])(\d{2}):?(\d{2})?))?)?$/i;

/** Whether a text is a day of the calendar in the years 1 to 9999: no 2021-02-30, which others read as a day of March. */
export function isDay(text: string): boolean {
  if (!dayForm.test(text) || text.startsWith('0000')) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/**
 * Parses a complete ISO 8601 time, in UTC by default, independent of the server's time zone.
 * @returns undefined if it is invalid, or outside of the years 1 to 9999
 */
export function readTimestamp(text: string): Date | undefined {
  const match = timeForm.exec(text);
  if (!match) return undefined;
  const [, day = '', time = '00:00', seconds = '00', fraction = '', , sign, hours = '0', minutes = '0'] = match;
  if (!isDay(day) || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const local = Date.parse(`${day}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const at = new Date(sign === '-' ? local + offsetMs : local - offsetMs);
  const isWithin = at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999;
  return isWithin ? at : undefined;
}
