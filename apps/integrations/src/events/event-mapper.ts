import type { EventContract, EventData, EventRecord, ProjectRef, Snapshot } from '@moothall/contracts';
import type { Facts } from './facts';
import type { Occurrence, Payload } from './occurrence';

/** Maps an event to occurrences, which are what hooks and integrations receive. */
export interface EventMapper {
  contract: EventContract;
  map(event: EventRecord, facts: Facts): Promise<Occurrence[]>;
}

export const mapEvent = <E extends EventContract>(
  contract: E,
  map: (event: EventRecord<EventData<E>>, facts: Facts) => Promise<Occurrence[]>,
): EventMapper => ({ contract, map: map as EventMapper['map'] });

/** The snapshot in an event. Only hooks may send it; other consumers ask for the current state. */
export const snapshotOf = <T>(value: Snapshot<T>): T => value as unknown as T;

/** Computes a value at its first use, which rarely happens. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

type Optional = Partial<Pick<Occurrence, 'branch'>>;

/** An occurrence for hooks of a project and the groups above, and possibly for system hooks with the same switch. */
export function ofProject(
  { id }: EventRecord,
  project: ProjectRef,
  under: string,
  web: () => Promise<Payload>,
  { system = null, ...rest }: Optional & { system?: Occurrence['system'] } = {},
): Occurrence {
  return { id, switch: under, project, groupIds: project.groupIds, branch: null, web: once(web), system, ...rest };
}

/** An occurrence for all system hooks. */
export const ofInstance = ({ id }: EventRecord, make: () => Promise<Payload>): Occurrence => ({
  id,
  switch: null,
  project: null,
  groupIds: [],
  branch: null,
  web: null,
  system: once(make),
});

/** An occurrence for hooks of some groups only. */
export const ofGroups = (
  { id }: EventRecord,
  groupIds: number[],
  under: string,
  make: () => Promise<Payload>,
): Occurrence => ({ id, switch: under, project: null, groupIds, branch: null, web: once(make), system: null });

/** When the record of an event was created and changed. */
export const timesOf = ({ occurredAt }: EventRecord, createdAt = occurredAt): Payload => ({
  created_at: createdAt,
  updated_at: occurredAt,
});
