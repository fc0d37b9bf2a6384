import { z } from 'zod';
import { id, internalOnProject, operation, timestamp } from '../operation';

/** A pipeline schedule as archives of projects have it: without owner and variables. */
export const ExportedSchedule = z.object({
  /** Of the exporting instance; in an archive its number, from 1. */
  id,
  description: z.string().max(2000),
  ref: z.string().min(1).max(1024),
  cron: z.string().max(1000),
  cron_timezone: z.string().max(255),
  created_at: timestamp,
  updated_at: timestamp,
});

/** Pipeline schedules of the context's project by ascending id after one; `next_after_id` is null at the end. */
export const exportSchedules = operation({
  name: 'ci.export.schedules',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ after_id: z.int().default(0) }),
  output: z.object({ schedules: z.array(ExportedSchedule), next_after_id: z.int().nullable() }),
});

/**
 * Imports pipeline schedules of an archive into the project, inactive, owned by the importer. One that was already
 * imported with its number stays. Nobody is notified.
 * @throws common.invalid_record for an invalid cron expression or time zone
 */
export const importSchedules = operation({
  name: 'ci.import.schedules',
  access: internalOnProject(),
  input: z.object({ owner_id: id, schedules: z.array(ExportedSchedule).max(1000) }),
  output: z.object({ created: z.int() }),
});
