import { bool, int, type SettingValues } from '@moothall/config';

/**
 * Whether this Node keeps what belongs to a piece of work for nothing. Before 24 it calls hooks for every promise, which
 * costs some per cent of all that a process does.
 */
export const followsForNothing = Number.parseInt(process.versions.node, 10) >= 24;

/** How requests are followed; for every process. */
export const tracingSettings = {
  FOLLOW_REQUESTS: bool({
    optional: true,
    about:
      'Ids of requests go along to events and jobs, and into all lines of the log; unless set, from Node 24 on, where it costs nothing',
  }),
  SLOW_OPERATION_MS: int({
    default: 5_000,
    min: 0,
    about: 'Operations, events and jobs that take longer are logged, with what they waited for; 0 logs none',
  }),
};

export type TracingSettings = SettingValues<typeof tracingSettings>;
