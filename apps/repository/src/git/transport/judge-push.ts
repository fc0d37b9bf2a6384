import { isBranchOrTagName, isRefname } from '../objects/revision';
import type { RefUpdate } from '../refs/refs';
import { removeStaleLocks } from '../refs/stale-locks';
import type { PushCommands } from './push-commands';
import type { Refusals } from './push-report';

export interface PushRules {
  /** Called before git gets the push; a ref with a reason refuses the whole push. */
  authorize?: (updates: readonly RefUpdate[], options?: readonly string[]) => Promise<Refusals>;
  /** Refs that may neither be force-pushed nor deleted: full names, in which `*` stands for any text. */
  keptRefs?: readonly string[];
  /**
   * Called when all objects are in git's quarantine and before any ref moves; a returned reason refuses the push.
   * @param quarantine folder of the objects; absent if none were sent
   */
  inspect?: (updates: readonly RefUpdate[], quarantine: string | undefined) => Promise<string | undefined>;
  /** A message for the user, shown last. @param moved the refs that git has moved */
  noticeAfter?: (moved: readonly RefUpdate[]) => string;
  /** Limit of the pack size. */
  maxPackBytes?: number;
}

/** Checks a push against the rules; an accepted one is prepared. */
export async function preparePush(repository: string, commands: PushCommands, rules?: PushRules): Promise<Refusals> {
  const refusals = await judgePush(commands, rules);
  if (refusals.size === 0) {
    await removeStaleLocks(
      repository,
      commands.updates.map(({ refName }) => refName),
    );
  }
  return refusals;
}

/** @returns the reason for each refused ref; the rules decide who may push what */
export async function judgePush(
  { updates, options = [] }: Pick<PushCommands, 'updates'> & Partial<PushCommands>,
  rules: PushRules = {},
): Promise<Refusals> {
  const refusals = new Map<string, string>();
  for (const { refName, after } of updates) {
    const [, kind, name] = /^refs\/(heads|tags|notes)\/(.+)$/s.exec(refName) ?? [];
    if (!name || !isRefname(refName)) refusals.set(refName, 'only branches, tags and notes can be pushed');
    else if (after !== null && kind !== 'notes' && !isBranchOrTagName(name))
      refusals.set(refName, 'branches and tags cannot be called HEAD, like an object id, or begin with a dash');
  }
  if (updates.length === 0 || !rules.authorize) return refusals;
  return new Map([...refusals, ...(await rules.authorize(updates, options))]);
}

const known = new Set(['ci.skip', 'ci.variable']);

/** Push options that are not implemented get a notice instead of being ignored silently. */
export function noticeOf({ options }: Pick<PushCommands, 'options'>): string {
  const names = options.map((option) => option.split('=', 1)[0] ?? '');
  const ignored = [...new Set(names.filter((name) => /^(ci|merge_request)\./.test(name) && !known.has(name)))].slice(
    0,
    20,
  );
  return ignored.map((name) => `The push option ${name} is not supported and has no effect.\n`).join('');
}
