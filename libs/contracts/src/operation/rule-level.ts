import { z } from 'zod';
import { Access } from './access';
import type { Caller, ProjectRef } from './context';

/** Above every level in a project. */
const administratorRank = 60;
const ranks = { maintainer: Access.Maintainer, owner: Access.Owner, admin: administratorRank } as const;

/** Levels that rules of protection name. */
export const ruleLevels = ['maintainer', 'owner', 'admin'] as const;
export type RuleLevel = (typeof ruleLevels)[number];

/** One of some levels, or none: null, and empty text, which clients send for it. */
export const levelOrNone = <const L extends RuleLevel>(levels: readonly [L, ...L[]]) =>
  z
    .enum(['', ...levels])
    .nullable()
    .optional();

/** The rank of a caller for protection rules: their level in the project, or above all of them. */
export const rankOf = (
  project: Pick<ProjectRef, 'accessLevel'>,
  caller: Pick<Caller, 'isAdmin'> | undefined,
): number => (caller?.isAdmin ? administratorRank : project.accessLevel);

/** Whether a rule requires more than the caller's rank. */
export const isBelow = (level: RuleLevel | null, rank: number): boolean => level !== null && rank < ranks[level];
