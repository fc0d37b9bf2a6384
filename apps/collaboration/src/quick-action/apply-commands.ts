import type { ChangeIssuable, IssuableKind } from '../issuable/change-issuable';
import type { Issuable } from '../issuable/issuable';
import type { IssuablePatch } from '../issuable/plan-change';
import type { AppliedCommands, QuickCommand } from './quick-command';

/** What a command asks for: a change of the record, and how to tell of it. */
export interface Effect {
  patch: IssuablePatch;
  /** By the names of the wire. */
  changes: Record<string, unknown>;
  summary: string;
}

/**
 * What a command does to a record as it is when it is written, and anew where somebody else was first; undefined where
 * it cannot be done. What it has to ask others for was asked for before.
 */
export type EffectOn<T> = (current: T) => Effect | undefined;

/**
 * Does what the commands of one note ask for, one after the other.
 * @param prepare gives what a command does; undefined where it is not to be done at all
 */
export async function applyCommands<T extends Issuable>(
  { changes, kind }: { changes: ChangeIssuable; kind: IssuableKind<T> },
  found: T,
  userId: number,
  commands: QuickCommand[],
  prepare: (command: QuickCommand) => Promise<EffectOn<T> | undefined>,
): Promise<AppliedCommands> {
  const applied: AppliedCommands = { changes: {}, summary: [] };
  let current = found;
  for (const command of commands) {
    const effectOn = await prepare(command);
    if (!effectOn) continue;
    let effect: Effect | undefined;
    const patchOf = (latest: T): IssuablePatch => {
      effect = effectOn(latest);
      return effect?.patch ?? {};
    };
    current = await changes.change(kind, current, patchOf, { userId });
    if (!effect) continue;
    Object.assign(applied.changes, effect.changes);
    applied.summary.push(effect.summary);
  }
  return applied;
}

/** `~bug ~"good first issue"`, also without the tilde. */
export const labelsIn = (argument: string): string[] =>
  [...argument.matchAll(/~?"([^"]+)"|~?([^\s~"]+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
