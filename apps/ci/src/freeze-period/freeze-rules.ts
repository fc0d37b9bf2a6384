import { invalidRecord } from '@moothall/contracts';
import { nextRun, previousRun } from '../cron/cron';
import { zoneOf } from '../cron/time-zone';
import type { FreezePeriodRecord } from './freeze-period.schema';

export type FreezeFacts = Pick<FreezePeriodRecord, 'freezeStart' | 'freezeEnd' | 'cronTimezone'>;

// The leading space is that of the v4 interface, as in schedules.
const invalidSyntax = [' is invalid syntax'];

/** @throws common.invalid_record for invalid expressions and zones, and for expressions without a date */
export function requireReadable({ freezeStart, freezeEnd, cronTimezone }: FreezeFacts): void {
  const zone = zoneOf(cronTimezone);
  const problems = {
    ...(!isCron(freezeStart, zone) && { freeze_start: invalidSyntax }),
    ...(!isCron(freezeEnd, zone) && { freeze_end: invalidSyntax }),
    ...(!zone && { cron_timezone: invalidSyntax }),
  };
  if (Object.keys(problems).length > 0) throw invalidRecord(problems);
}

function isCron(cron: string, zone: string | undefined): boolean {
  try {
    return nextRun(cron, zone ?? 'UTC', new Date()) !== null;
  } catch {
    return false;
  }
}

/** Whether a start occurred since the last end. An invalid expression freezes nothing. */
export function isFrozen({ freezeStart, freezeEnd, cronTimezone }: FreezeFacts, now: Date): boolean {
  const zone = zoneOf(cronTimezone);
  if (!zone) return false;
  const start = previousRun(freezeStart, zone, now);
  const end = previousRun(freezeEnd, zone, now);
  return start !== null && (end === null || start > end);
}
