import type { ProjectRef } from '@moothall/contracts';
import type { NewDelivery } from '../delivery/delivery.repository';

/** The JSON payload of a v4 hook. */
export type Payload = Record<string, unknown>;

/** An event as hooks and integrations receive it. */
export interface Occurrence {
  /** The same if the event arrives twice. */
  id: string;
  /** The switch of hooks and integrations for it, as `push_events`; null if all system hooks receive it. */
  switch: string | null;
  /** Null if it belongs to no project. */
  project: ProjectRef | null;
  /** The groups whose hooks receive it: of a project, those above. */
  groupIds: number[];
  /** The branch of a push, for branch filters; otherwise null. */
  branch: string | null;
  /** The payload for hooks of projects and groups, and integrations; null if only system hooks receive it. Computed once, at its first use. */
  web: (() => Promise<Payload>) | null;
  /** The payload for system hooks; null if they do not receive it. */
  system: (() => Promise<Payload>) | null;
}

/** Creates deliveries for occurrences. Register it with {@link Subscribers} when the module starts. */
export interface Subscriber {
  /** The deliveries for an occurrence; mostly none. Called in the order of events, possibly twice for one. */
  deliveriesFor(occurrence: Occurrence): Promise<NewDelivery[]>;
}
