import { invalidRecord, type ParsedOf, type registerRunner } from '@moothall/contracts';
import type { Runner } from './runner.schema';

type Attributes = Omit<ParsedOf<typeof registerRunner>, 'token'>;

/** Fields by their parameters; missing parameters do not change them. */
export function runnerChanges(given: Attributes): Partial<Runner> {
  const isPaused = given.paused ?? (given.active === undefined ? undefined : !given.active);
  return {
    ...(given.description !== undefined && { description: given.description }),
    ...(isPaused !== undefined && { isPaused }),
    ...(given.locked !== undefined && { isLocked: given.locked }),
    ...(given.run_untagged !== undefined && { runsUntagged: given.run_untagged }),
    ...(given.tag_list && { tags: [...new Set(given.tag_list)] }),
    ...(given.access_level && { accessLevel: given.access_level }),
    ...(given.maximum_timeout !== undefined && { maximumTimeoutSeconds: given.maximum_timeout }),
    ...(given.info && { info: given.info }),
  };
}

/** @throws common.invalid_record for a runner that could not get any job */
export function requireUseful({ runsUntagged = true, tags = [] }: Partial<Runner>): void {
  if (runsUntagged || tags.length > 0) return;
  throw invalidRecord({ tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] });
}
