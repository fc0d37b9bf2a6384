import { Access, type Caller, forbidden, invalidRecord, type ProjectRef } from '@moothall/contracts';
import { nextRun } from '../cron/cron';
import { zoneOf } from '../cron/time-zone';
import type { PipelineSchedule } from './schedule.schema';

/** Developers change their own schedules, maintainers all. See docs/api/pipelines.md#4. */
export function mayChange(schedule: Pick<PipelineSchedule, 'ownerId'>, project: ProjectRef, caller: Caller): boolean {
  if (project.accessLevel >= Access.Maintainer) return true;
  return project.accessLevel >= Access.Developer && schedule.ownerId === caller.id;
}

/** @throws common.forbidden */
export function requireChangeable(schedule: PipelineSchedule, project: ProjectRef, caller: Caller): void {
  if (!mayChange(schedule, project, caller)) throw forbidden();
}

type Described = Pick<PipelineSchedule, 'description' | 'cron' | 'cronTimezone'>;

// The leading space is that of the v4 interface.
const invalidSyntax = [' is invalid syntax'];

/**
 * When a schedule runs next, strictly after `after`.
 * @throws common.invalid_record for a cron expression or zone that cannot be read, or an empty description
 */
export function nextRunOf({ description, cron, cronTimezone }: Described, after: Date): Date | null {
  const problems: Record<string, string[]> = {};
  if (description.trim() === '') problems.description = ["can't be blank"];
  const zone = zoneOf(cronTimezone);
  if (!zone) problems.cron_timezone = invalidSyntax;
  const next = runAfter(cron, zone ?? 'UTC', after);
  // An expression that no date ever fits is a mistake, too.
  if (!next) problems.cron = invalidSyntax;
  if (Object.keys(problems).length > 0) throw invalidRecord(problems);
  return next;
}

function runAfter(cron: string, zone: string, after: Date): Date | null {
  try {
    return nextRun(cron, zone, after);
  } catch {
    return null;
  }
}
