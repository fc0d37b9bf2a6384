import { invalidRecord } from '@moothall/contracts';
import { nextRun, previousRun } from '../cron/cron';
import { zoneOf } from '../cron/time-zone';
import type { FreezePeriodRecord } from './freeze-period.schema';

export type FreezeFacts = Pick<FreezePeriodRecord, 'freezeStart' | 'freezeEnd' | 'cronTimezone'>;

// The space in front is the v4 interface's own, as of schedules.
const invalidSyntax = [' is invalid syntax'];

/** @throws common.invalid_record for expressions and zones that cannot be read, and those that no date ever fits */
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

/** Whether a start has come since the last end. What cannot be read any more freezes nothing. */
export function isFrozen({ freezeStart, freezeEnd, cronTimezone }: FreezeFacts, now: Date): boolean {
  const zone = zoneOf(cronTimezone);
  if (!zone) return false;
  const start = previousRun(freezeStart, zone, now);
  const end = previousRun(freezeEnd, zone, now);
  return start !== null && (end === null || start > end);
}
