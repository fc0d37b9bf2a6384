import { Access, type ProjectRef } from '@moothall/contracts';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { RefUpdate } from '../git/refs/refs';
import type { PushRules } from '../git/transport/judge-push';
import type { RepositorySettings } from '../settings/settings';
import { type Located, Storages } from '../storage/storages';
import { ProtectedRefs } from './protected-ref.repository';
import type { Actor, Protections } from './protections';

/** The rules for a push over git, with messages that git shows to the user. */
@Injectable()
export class PushRulebook {
  constructor(
    private readonly refs: ProtectedRefs,
    private readonly storages: Storages,
    @Inject(settingsToken) private readonly settings: RepositorySettings,
  ) {}

  /** The rules for one push to a project's code, by a caller with that level. */
  async makeCodeRules(project: Pick<ProjectRef, 'id' | 'storage'>, actor: Actor): Promise<PushRules> {
    const protections = await this.refs.readProtections(project.id);
    const room = await this.roomBytes(this.storages.locate(project));
    return {
      authorize: async (updates) =>
        new Map(updates.flatMap((update) => nonEmpty(update.refName, objectionTo(update, protections, actor, room)))),
      keptRefs: protections.keptBranches().map((name) => `refs/heads/${name}`),
      ...(Number.isFinite(room) && { maxPackBytes: Math.max(room, 1) }),
    };
  }

  /** Wikis have no protected branches, and each has the same size limit. */
  async makeWikiRules(project: Pick<ProjectRef, 'id' | 'storage'>): Promise<PushRules> {
    const room = await this.roomBytes(this.storages.locate(project, 'wiki'));
    return {
      authorize: async (updates) =>
        new Map(updates.flatMap((update) => nonEmpty(update.refName, fullObjection(update, room)))),
      ...(Number.isFinite(room) && { maxPackBytes: Math.max(room, 1) }),
    };
  }

  /** Bytes left under the limit; measured only if there is one, because that reads the folder. */
  private async roomBytes({ engine, path }: Located): Promise<number> {
    const limit = this.settings.REPOSITORY_SIZE_LIMIT;
    return limit === 0 ? Number.POSITIVE_INFINITY : limit - (await engine.storage.sizeBytes(path));
  }
}

const nonEmpty = (refName: string, objection: string | undefined): [string, string][] =>
  objection ? [[refName, objection]] : [];

function objectionTo(update: RefUpdate, protections: Protections, actor: Actor, room: number): string | undefined {
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.+)$/s.exec(update.refName) ?? [];
  const objection =
    kind === 'heads'
      ? objectionToBranch(update, name, protections, actor)
      : kind === 'tags'
        ? objectionToTag(update, name, protections, actor)
        : undefined;
  return objection ?? fullObjection(update, room);
}

function objectionToBranch(
  { before, after }: RefUpdate,
  name: string,
  protections: Protections,
  actor: Actor,
): string | undefined {
  if (after === null && protections.isProtected('branch', name))
    return 'You can only delete protected branches through the interface, once they are unprotected.';
  if (protections.canPush(name, actor)) return undefined;
  // A branch that only merges may change must still be created.
  if (before === null && protections.canMerge(name, actor)) return undefined;
  return protections.isProtected('branch', name)
    ? 'You are not allowed to push code to protected branches on this project.'
    : 'You are not allowed to push code to this project.';
}

function objectionToTag(
  { before, after }: RefUpdate,
  name: string,
  protections: Protections,
  actor: Actor,
): string | undefined {
  if (protections.isProtected('tag', name)) {
    if (after === null) return 'Protected tags cannot be deleted.';
    if (before !== null) return 'Protected tags cannot be updated.';
    return protections.canCreateTag(name, actor)
      ? undefined
      : 'You are not allowed to create this tag as it is protected.';
  }
  if (before !== null && after !== null && actor.accessLevel < Access.Maintainer)
    return 'You are not allowed to change existing tags on this project.';
  return undefined;
}

/** Deletions are allowed, to make room in a full repository. */
function fullObjection({ after }: RefUpdate, room: number): string | undefined {
  if (after === null || room > 0) return undefined;
  return 'Your push has been rejected, because this repository has reached its size limit. Please contact an administrator.';
}
