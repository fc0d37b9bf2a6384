import { Access, type Caller, matchesWildcard, type ProjectRef } from '@moothall/contracts';
import type { Levels, ProtectedRef } from './protected-ref.schema';

/** A user who changes refs, with their level in the project. */
export interface Actor {
  accessLevel: number;
  isAdmin: boolean;
}

export const actorOf = (
  project: Pick<ProjectRef, 'accessLevel'>,
  caller: Pick<Caller, 'isAdmin'> | undefined,
): Actor => ({
  accessLevel: project.accessLevel,
  isAdmin: caller?.isAdmin ?? false,
});

/** The part of a protection that decides who may change a ref. */
export type Protection = Pick<ProtectedRef, 'kind' | 'name' | 'pushLevels' | 'mergeLevels' | 'allowsForcePush'>;

const nobody = 0;
const administrators = 60;

/**
 * Decides who may change which branch and tag of a project. If several protections match, one that allows it is enough,
 * because a pattern often exists beside a name. Developers may change unprotected branches.
 */
export class Protections {
  constructor(private readonly all: readonly Protection[]) {}

  isProtected(kind: ProtectedRef['kind'], name: string): boolean {
    return this.matching(kind, name).length > 0;
  }

  canPush(branch: string, actor: Actor): boolean {
    return this.allows('branch', branch, actor, (ref) => ref.pushLevels);
  }

  canMerge(branch: string, actor: Actor): boolean {
    return this.allows('branch', branch, actor, (ref) => [...ref.pushLevels, ...ref.mergeLevels]);
  }

  canCreateTag(tag: string, actor: Actor): boolean {
    return this.allows('tag', tag, actor, (ref) => ref.pushLevels);
  }

  /** Whether force pushes are allowed: the branch is not protected, or every protection of it allows them. */
  canForcePush(branch: string): boolean {
    return this.matching('branch', branch).every((ref) => ref.allowsForcePush);
  }

  /** Names and patterns whose history must not be rewritten. */
  keptBranches(): string[] {
    return this.all.filter((ref) => ref.kind === 'branch' && !ref.allowsForcePush).map((ref) => ref.name);
  }

  developersCanPush(branch: string): boolean {
    return this.grantsDevelopers(branch, (ref) => ref.pushLevels);
  }

  developersCanMerge(branch: string): boolean {
    return this.grantsDevelopers(branch, (ref) => ref.mergeLevels);
  }

  private grantsDevelopers(branch: string, levels: (ref: Protection) => Levels): boolean {
    return this.matching('branch', branch).some((ref) => levels(ref).includes(Access.Developer));
  }

  private allows(kind: ProtectedRef['kind'], name: string, actor: Actor, levels: (ref: Protection) => Levels): boolean {
    const matching = this.matching(kind, name);
    if (matching.length === 0) return actor.accessLevel >= Access.Developer;
    return matching.some((ref) => levels(ref).some((level) => reaches(actor, level)));
  }

  private matching(kind: ProtectedRef['kind'], name: string): Protection[] {
    return this.all.filter((ref) => ref.kind === kind && matchesWildcard(ref.name, name));
  }
}

/** Whether an actor has a level, or an ability that stands for it. */
export function reaches(actor: Actor, level: number): boolean {
  if (level === nobody) return false;
  return level === administrators ? actor.isAdmin : actor.accessLevel >= level;
}
