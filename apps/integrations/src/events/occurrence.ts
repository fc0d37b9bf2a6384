import type { ProjectRef } from '@moothall/contracts';
import type { NewDelivery } from '../delivery/delivery.repository';

/** A JSON object, as the v4 interface tells of an event. */
export type Payload = Record<string, unknown>;

/** Something that happened, as hooks and integrations are told of it. */
export interface Occurrence {
  /** Names it: the same where it is heard twice. */
  id: string;
  /** The switch of hooks and integrations that it stands under, as `push_events`; null for what hooks of the instance always hear. */
  switch: string | null;
  /** Where it happened; null for what is of no project. */
  project: ProjectRef | null;
  /** The groups whose hooks are told of it: of a project, those above. */
  groupIds: number[];
  /** Of a push to a branch, for filters; else null. */
  branch: string | null;
  /** For hooks of projects and groups, and integrations; null for what only the instance is told. Made once, when first asked for. */
  web: (() => Promise<Payload>) | null;
  /** For hooks of the instance; null for what they are not told. */
  system: (() => Promise<Payload>) | null;
}

/** Who wants to be told of some occurrences. Register it with {@link Subscribers} when the module starts. */
export interface Subscriber {
  /** What it is to be told of an occurrence: nothing, mostly. Asked in the order in which things happened, perhaps twice. */
  deliveriesFor(occurrence: Occurrence): Promise<NewDelivery[]>;
}
