import {
  Access,
  createSchedule,
  type getSchedule,
  type listSchedules,
  type OutputOf,
  type ProjectRef,
  reaches,
} from '@moothall/contracts';
import type { RouteAddress } from '../../page/page';
import { below } from '../../parts/code-address';
import { numberIn } from '../../parts/number-in';
import type { Visit } from '../../visit/visits';

export type Schedule = OutputOf<typeof listSchedules>['items'][number] | OutputOf<typeof getSchedule>;

/** The schedule of an address. @throws common.not_found */
export const scheduleAt = (project: ProjectRef, address: RouteAddress) => ({
  id: String(project.id),
  pipeline_schedule_id: numberIn(address, 'schedule'),
});

/** The page with the schedules of a project. */
export const schedulesOf = (project: ProjectRef): string => below(project, 'pipeline_schedules');

/** What a visitor may do with schedules. Source: docs/api/pipelines.md#4. */
export interface ScheduleRights {
  mayCreate: boolean;
  mayChange(schedule: Schedule): boolean;
  /** Whether the visitor may become the owner, and is not. */
  mayTake(schedule: Schedule): boolean;
}

export async function readScheduleRights(visit: Visit, project: ProjectRef): Promise<ScheduleRights> {
  const mayCreate = await visit.may(createSchedule, project);
  const maintains = reaches(project, Access.Maintainer);
  const owns = ({ owner }: Schedule) => owner !== null && owner.id === visit.caller?.id;
  return {
    mayCreate,
    mayChange: (schedule) => mayCreate && (maintains || owns(schedule)),
    mayTake: (schedule) => mayCreate && maintains && !owns(schedule),
  };
}
