import type { GroupRef, ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import { ChangeIssuable, type IssuableKind } from '../issuable/change-issuable';
import type { Issuable } from '../issuable/issuable';
import type { IssuablePatch } from '../issuable/plan-change';
import { ownersForGroup, ownersForProject } from '../parent/owner';
import { NamedRecords } from './named-records';
import {
  type AppliedCommands,
  type Effect,
  mayUse,
  type QuickActionRequest,
  type QuickActions,
  type QuickCommand,
} from './quick-action';

type Where = Pick<QuickActionRequest<Issuable>, 'accessLevel' | 'owners' | 'project'>;

export const inProject = (project: ProjectRef): Where => ({
  accessLevel: project.accessLevel,
  owners: ownersForProject(project),
  project,
});

export const inGroup = (group: GroupRef): Where => ({ accessLevel: group.accessLevel, owners: ownersForGroup(group) });

/** Applies the commands of a note in order, as far as the caller may. */
@Injectable()
export class ApplyQuickActions {
  constructor(
    private readonly changes: ChangeIssuable,
    private readonly named: NamedRecords,
  ) {}

  async apply<T extends Issuable>(
    { actions, ...editing }: QuickActions<T>,
    commands: QuickCommand[],
    kind: IssuableKind<T>,
    asked: Omit<QuickActionRequest<T>, 'model' | 'named'>,
  ): Promise<AppliedCommands> {
    const applied: AppliedCommands = { changes: {}, summary: [] };
    const request: QuickActionRequest<T> = {
      ...asked,
      model: kind.model as unknown as Model<Issuable>,
      named: this.named,
    };
    let current = asked.document;
    for (const { name, argument } of commands) {
      const action = actions[name];
      if (!action || !mayUse(action, editing, asked)) continue;
      const effectOn = await action.prepare(argument, request);
      if (!effectOn) continue;
      let effect: Effect | undefined;
      const patchOf = (latest: T): IssuablePatch => {
        effect = effectOn(latest);
        return effect?.patch ?? {};
      };
      current = await this.changes.change(kind, current, patchOf, { userId: asked.caller.id });
      if (!effect || (effect.write && !(await effect.write()))) continue;
      Object.assign(applied.changes, effect.changes);
      applied.summary.push(effect.summary);
    }
    return applied;
  }
}
