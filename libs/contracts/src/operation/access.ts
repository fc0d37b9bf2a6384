import type { Ability } from './ability';

/** Access levels of members. See docs/api/access.md#1. */
export const Access = {
  None: 0,
  Guest: 10,
  Reporter: 20,
  Developer: 30,
  Maintainer: 40,
  Owner: 50,
} as const;
export type AccessLevel = (typeof Access)[keyof typeof Access];

/** Parts of a project that can be disabled or restricted to members. See docs/api/access.md#4. */
export const features = [
  'repository',
  'issues',
  'merge_requests',
  'wiki',
  'builds',
  'snippets',
  'container_registry',
] as const;
export type Feature = (typeof features)[number];
/** The parts that use milestones and labels: without both of these a project has neither. */
export const planning = ['issues', 'merge_requests'] as const satisfies readonly Feature[];

interface TargetRule {
  /** The least level of the caller; Access.None is everybody who can read the target. */
  level: AccessLevel;
  /** Whether anonymous callers are allowed, if the target is public. */
  anonymous: boolean;
  /** An ability of a member role that replaces the level. See docs/api/members.md#6. */
  ability?: Ability | undefined;
}

export interface ProjectRule extends TargetRule {
  on: 'project';
  /** The least level in private projects, if it is higher: guests of a private project do not read its code. */
  levelInPrivate: AccessLevel;
  /** Its feature; of several, one enabled feature is enough. */
  feature?: Feature | readonly Feature[] | undefined;
  /** A single record of a closed feature is absent, a list refused; a summary of many records is refused like a list. */
  isSummary?: boolean | undefined;
}

export interface GroupRule extends TargetRule {
  on: 'group';
}

/** Who may call an operation, as far as the gateway can decide it. */
export type AccessRule =
  | { on: 'anyone'; readsOwnToken?: true }
  /** Its service checks the caller's level in the named records; that ability is an alternative. */
  | { on: 'signed-in'; ability?: Ability | undefined }
  | { on: 'administrator' }
  | ProjectRule
  | GroupRule
  /** Between services only; has no route. Some have a project in their context, and some of these the caller. */
  | { on: 'internal'; hasProject?: true; hasCaller?: true };

export const anyone = () => ({ on: 'anyone' }) as const;
/**
 * For the bearer of a token without a user, which the operation reads from its parameters, such as a runner's. Other
 * parts of the request are ignored: some runners also send the same token as PRIVATE-TOKEN.
 */
export const tokenBearer = () => ({ on: 'anyone', readsOwnToken: true }) as const;
export const signedIn = (rule: { ability?: Ability } = {}) => ({ on: 'signed-in', ...rule }) as const;
export const administrator = () => ({ on: 'administrator' }) as const;
export const internal = () => ({ on: 'internal' }) as const;
/** Between services, about the project of the context. */
export const internalOnProject = () => ({ on: 'internal', hasProject: true }) as const;
/** The same, with the rights of the context's caller. */
export const internalForCaller = () => ({ on: 'internal', hasProject: true, hasCaller: true }) as const;

/** For operations below `/projects/:id`: the caller reads the project and has `level` in it. */
export const onProject = <N extends boolean = false>(
  rule: Partial<Omit<ProjectRule, 'on' | 'anonymous'>> & { anonymous?: N } = {},
): ProjectRule & { anonymous: N } => ({
  on: 'project',
  level: rule.level ?? Access.None,
  levelInPrivate: rule.levelInPrivate ?? rule.level ?? Access.None,
  anonymous: (rule.anonymous ?? false) as N,
  ability: rule.ability,
  feature: rule.feature,
  isSummary: rule.isSummary,
});

/** For operations below `/groups/:id`: the caller reads the group and has `level` in it. */
export const onGroup = <N extends boolean = false>(
  rule: Partial<Omit<GroupRule, 'on' | 'anonymous'>> & { anonymous?: N } = {},
): GroupRule & { anonymous: N } => ({
  on: 'group',
  level: rule.level ?? Access.None,
  anonymous: (rule.anonymous ?? false) as N,
  ability: rule.ability,
});
