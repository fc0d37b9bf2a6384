import {
  Access,
  createSchedule,
  type getSchedule,
  type listSchedules,
  type OutputOf,
  type Project,
} from '@moothall/contracts';
import type { RouteAddress } from '../../page/page';
import { below } from '../../parts/code-address';
import { numberIn } from '../../parts/number-in';
import type { Visit } from '../../visit/visits';

export type Schedule = OutputOf<typeof listSchedules>['items'][number] | OutputOf<typeof getSchedule>;

/** The schedule of an address. @throws common.not_found */
export const scheduleAt = (project: Project, address: RouteAddress) => ({
  id: String(project.id),
  pipeline_schedule_id: numberIn(address, 'schedule'),
});

/** The page with the schedules of a project. */
export const schedulesOf = (project: Project): string => below(project, 'pipeline_schedules');

/** What a visitor may do with schedules. Source: docs/api/pipelines.md#4. */
export interface ScheduleRights {
  mayCreate: boolean;
  mayChange(schedule: Schedule): boolean;
  /** Whether the visitor may become the owner, and is not. */
  mayTake(schedule: Schedule): boolean;
}

export async function readScheduleRights(visit: Visit, project: Project): Promise<ScheduleRights> {
  const [mayCreate, maintains] = await Promise.all([
    visit.may(createSchedule, project),
    visit.reaches(project, Access.Maintainer),
  ]);
  const owns = ({ owner }: Schedule) => owner !== null && owner.id === visit.caller?.id;
  return {
    mayCreate,
    mayChange: (schedule) => mayCreate && (maintains || owns(schedule)),
    mayTake: (schedule) => mayCreate && maintains && !owns(schedule),
  };
}
