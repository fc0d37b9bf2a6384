import type { EventContract, EventData, EventRecord, Past, ProjectRef } from '@moothall/contracts';
import type { Facts } from './facts';
import type { Occurrence, Payload } from './occurrence';

/** Makes of an event what hooks and integrations are told. */
export interface Teller {
  contract: EventContract;
  tell(event: EventRecord, facts: Facts): Promise<Occurrence[]>;
}

export const tells = <E extends EventContract>(
  contract: E,
  tell: (event: EventRecord<EventData<E>>, facts: Facts) => Promise<Occurrence[]>,
): Teller => ({ contract, tell: tell as Teller['tell'] });

/** Hooks tell what was, and are the ones who may. */
export const asItWas = <T>(value: Past<T>): T => value as unknown as T;

/** Makes it once, when it is first asked for: mostly nobody does. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

type Optional = Partial<Pick<Occurrence, 'branch'>>;

/** An occurrence of a project that hooks of projects hear of, and under the same switch perhaps those of the instance. */
export function ofProject(
  { id }: EventRecord,
  project: ProjectRef,
  under: string,
  web: () => Promise<Payload>,
  { system = null, ...rest }: Optional & { system?: Occurrence['system'] } = {},
): Occurrence {
  return { id, switch: under, project, groupIds: project.groupIds, branch: null, web: once(web), system, ...rest };
}

/** An occurrence that hooks of the instance hear of in any case. */
export const ofInstance = ({ id }: EventRecord, make: () => Promise<Payload>): Occurrence => ({
  id,
  switch: null,
  project: null,
  groupIds: [],
  branch: null,
  web: null,
  system: once(make),
});

/** An occurrence that hooks of some groups hear of, and nobody else. */
export const ofGroups = (
  { id }: EventRecord,
  groupIds: number[],
  under: string,
  make: () => Promise<Payload>,
): Occurrence => ({ id, switch: under, project: null, groupIds, branch: null, web: once(make), system: null });

/** When the record that an event is about came to be, and when it changed. */
export const timesOf = ({ occurredAt }: EventRecord, createdAt = occurredAt): Payload => ({
  created_at: createdAt,
  updated_at: occurredAt,
});
