import { projectChanged } from '@moothall/contracts';
import { Counters, changeDocument, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { notPlacedSince } from '../namespace/placing';
import { Routes } from '../namespace/routes';
import { shownBefore } from '../namespace/shown-before';
import { deriveProject } from './derive-project';
import { Projects } from './project.repository';
import type { ProjectDocument } from './project.schema';

interface Step {
  change: 'renamed' | 'transferred';
  /** The walk that writes it: see `MoveBelow`. */
  walk: number;
  /** Condition that must still hold. */
  isStill: QueryFilter<ProjectDocument>;
  /** The user who moved it; absent if the project follows its namespace. */
  actorId?: number;
}

/** Writes the path of a project, derived from its namespace. */
@Injectable()
export class PlaceProject {
  constructor(
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
    private readonly counters: Counters,
  ) {}

  /**
   * The project stores the number of its namespace, so each walk that reaches the namespace later includes it, even a
   * walk that has already started.
   */
  async place({ _id, storage }: ProjectDocument, namespace: NamespaceDocument, step: Step): Promise<void> {
    const target = { kind: 'project', targetId: _id, storage } as const;
    const moved = await changeDocument<ProjectDocument>(
      this.projects.model,
      { _id, ...step.isStill },
      ['name', 'path'],
      async (current) => {
        const derived = deriveProject(current, namespace);
        await this.routes.claim(derived.fullPath, target);
        const $set = { ...derived, placedBy: numberOf(namespace) };
        return { $set, ...(derived.ownerId === undefined && { $unset: { ownerId: 1 } }) };
      },
      (unchanged, update, current) => {
        const after = { ...current, ...update.$set } as ProjectDocument;
        const event = newEvent(projectChanged, {
          project_id: _id,
          full_path: after.fullPath,
          change: step.change,
          before: shownBefore(current, after),
          ...(step.actorId !== undefined && { actor_id: step.actorId }),
        });
        return this.outbox.update(this.projects.model, unchanged, update, event);
      },
    );
    if (moved) await this.routes.settleOrLeave(moved.fullPath, target, step.walk);
  }

  /**
   * Moves a project to another namespace, where its path is reserved.
   * @returns false if that namespace was deleted meanwhile
   */
  async transfer(project: ProjectDocument, namespace: NamespaceDocument, actorId: number): Promise<boolean> {
    const walk = await this.nextWalk();
    await this.place(project, namespace, { change: 'transferred', walk, isStill: {}, actorId });
    return (await this.catchUp(await this.projects.get(project._id))) !== null;
  }

  /**
   * A project may have been written with an outdated namespace: updates it to the current place.
   * @returns null if the namespace is deleted
   */
  async catchUp(project: ProjectDocument): Promise<ProjectDocument | null> {
    const namespace = await this.namespaces.find(project.namespaceId);
    if (!namespace) return null;
    if (isBelow(project, namespace)) return project;
    const isStill = { namespaceId: namespace._id, ...notPlacedSince(numberOf(namespace)) };
    await this.place(project, namespace, { change: 'renamed', walk: await this.nextWalk(), isStill });
    return this.projects.get(project._id);
  }

  private nextWalk(): Promise<number> {
    return this.counters.next('placements');
  }
}

const numberOf = ({ placedBy = 0 }: NamespaceDocument): number => placedBy;

function isBelow(project: ProjectDocument, namespace: NamespaceDocument): boolean {
  const { fullPath, nameWithNamespace, groupIds } = deriveProject(project, namespace);
  return (
    project.fullPath === fullPath &&
    project.nameWithNamespace === nameWithNamespace &&
    project.groupIds.join() === groupIds.join()
  );
}
