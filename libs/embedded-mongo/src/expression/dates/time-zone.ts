import { MongoError } from '../../errors';

/** Milliseconds that a zone's clocks are ahead of UTC at an instant. */
export type Zone = (utcMilliseconds: number) => number;

const zones = new Map<string, Zone>();

/**
 * Reads an offset (`+05:30`, `-0200`, `+03`) or an Olson name.
 * @throws 40485 for an unknown name
 */
export function zoneNamed(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const zone = fixedZone(name) ?? olsonZone(name);
  zones.set(name, zone);
  return zone;
}

function fixedZone(name: string): Zone | undefined {
  if (name === 'UTC' || name === 'GMT' || name === 'Z') return () => 0;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})?$/.exec(name) ?? [];
  if (!sign) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes ?? 0)) * 60_000 * (sign === '-' ? -1 : 1);
  return () => offset;
}

function olsonZone(name: string): Zone {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new MongoError(40485, `unrecognized time zone identifier: "${name}"`);
  }
  return (utc) => {
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(utc)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(utc / 1000) * 1000;
  };
}

/** The instant as a date whose UTC parts are the local time of the zone. */
export function toLocal(date: Date, zone: Zone): Date {
  return new Date(date.getTime() + zone(date.getTime()));
}

/** The instant of these UTC parts as local time of the zone. */
export function fromLocal(local: Date, zone: Zone): Date {
  const guess = local.getTime() - zone(local.getTime());
  // The guess may be on the other side of a clock change; its own offset is the right one.
  return new Date(local.getTime() - zone(guess));
}
