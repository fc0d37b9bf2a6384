import { Lease } from '@moothall/background';
import { commonErrors, groupChanged, projectChanged } from '@moothall/contracts';
import { changeDocument, newEvent, Outbox, persistently } from '@moothall/database';
import { type JobQueue, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Projects } from '../project/project.repository';
import type { ProjectDocument } from '../project/project.schema';
import { Shares } from '../share/share.repository';
import { Namespaces } from './namespace.repository';
import type { NamespaceDocument } from './namespace.schema';
import { pathKeyOf, Routes } from './routes';

const moves: JobQueue<Record<string, never>> = jobQueue({ name: 'projects.moves' });
const everySeconds = 60;

interface Place {
  name: string;
  path: string;
  /** Null at the root. */
  parent: NamespaceDocument | null;
}

/** Thrown where another group, user or project stands under the new path. */
export class PathTaken extends Error {}

/*
 * A group that moves takes everything below along. Its own document changes first, together with the mark
 * `isMoving`; then each document below is derived anew from its parent, from the top down. Whoever stops in
 * between, the sweep goes on for; until then old paths are still good below.
 */
@Injectable()
export class MoveNamespace implements OnApplicationBootstrap {
  private readonly log = new Logger(MoveNamespace.name);

  constructor(
    private readonly namespaces: Namespaces,
    private readonly projects: Projects,
    private readonly shares: Shares,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
  ) {}

  /** @throws PathTaken; common.conflict while an earlier move is under way */
  async move(namespace: NamespaceDocument, place: Place): Promise<NamespaceDocument> {
    const derived = derive(place);
    const target = { kind: 'namespace', targetId: namespace._id } as const;
    if (!(await this.routes.claim(derived.fullPath, target))) throw new PathTaken(derived.fullPath);
    const isTransfer = namespace.parentId !== derived.parentId;
    const event = newEvent(groupChanged, {
      group_id: namespace._id,
      full_path: derived.fullPath,
      change: isTransfer ? 'transferred' : 'renamed',
    });
    const moved = await this.outbox.update(
      this.namespaces.model,
      // Who has renamed or moved it meanwhile keeps what they did.
      { _id: namespace._id, isMoving: false, fullPath: namespace.fullPath, name: namespace.name },
      { $set: { ...derived, isMoving: true } },
      ...(namespace.kind === 'group' ? [event] : []),
    );
    if (!moved) {
      await this.giveUp(namespace._id, derived.pathKey);
      throw commonErrors.conflict();
    }
    await this.outbox.promptly(persistently(() => this.carryOn(moved)));
    return { ...moved, isMoving: false };
  }

  /** Unless it is where the one who was first has put it. */
  private async giveUp(id: number, pathKey: string): Promise<void> {
    const current = await this.namespaces.find(id);
    if (current?.pathKey !== pathKey) await this.routes.drop(pathKey);
  }

  /** By one process at a time: a second one would put back what the first has moved on since. */
  private async carryOn({ _id }: NamespaceDocument): Promise<void> {
    const lease = new Lease(this.namespaces.model.db.collection('leases'), `move of namespace ${_id}`);
    await lease.take();
    try {
      const top = await this.namespaces.model.findOne({ _id, isMoving: true }).lean<NamespaceDocument>();
      if (top) await this.moveAll(top);
    } finally {
      await lease.giveUp();
    }
  }

  private async moveAll(top: NamespaceDocument): Promise<void> {
    await this.routes.settle(top.fullPath, { kind: 'namespace', targetId: top._id });
    await this.shares.follow(top);
    await this.moveProjectsOf(top);
    await this.moveBelow(top);
    await this.namespaces.model.updateOne({ _id: top._id }, { $set: { isMoving: false } });
  }

  private async moveBelow(parent: NamespaceDocument): Promise<void> {
    for await (const child of this.namespaces.model.find({ parentId: parent._id }).lean<NamespaceDocument>().cursor()) {
      const derived = derive({ name: child.name, path: child.path, parent });
      await this.routes.claim(derived.fullPath, { kind: 'namespace', targetId: child._id });
      const event = newEvent(groupChanged, { group_id: child._id, full_path: derived.fullPath, change: 'renamed' });
      const moved = await this.outbox.update(this.namespaces.model, { _id: child._id }, { $set: derived }, event);
      if (!moved) continue;
      await this.routes.settle(derived.fullPath, { kind: 'namespace', targetId: child._id });
      await this.shares.follow(moved);
      await this.moveProjectsOf(moved);
      await this.moveBelow(moved);
    }
  }

  private async moveProjectsOf(namespace: NamespaceDocument): Promise<void> {
    const cursor = this.projects.model.find({ namespaceId: namespace._id }).lean<ProjectDocument>().cursor();
    for await (const project of cursor) await this.moveProject(project, namespace, 'renamed');
  }

  /** Puts a project under a namespace's present path. Its own path was claimed, or is unique below that namespace. */
  async moveProject(
    project: ProjectDocument,
    namespace: NamespaceDocument,
    change: 'renamed' | 'transferred',
  ): Promise<void> {
    const target = { kind: 'project', targetId: project._id, storage: project.storage } as const;
    const moved = await changeDocument<ProjectDocument>(
      this.projects.model,
      { _id: project._id },
      ['name', 'path'],
      async (current) => {
        const derived = deriveProject(current, namespace);
        await this.routes.claim(derived.fullPath, target);
        return { $set: derived, ...(derived.ownerId === undefined && { $unset: { ownerId: 1 } }) };
      },
      (unchanged, update) => {
        const { fullPath: full_path } = update.$set as ProjectDocument;
        const event = newEvent(projectChanged, { project_id: project._id, full_path, change });
        return this.outbox.update(this.projects.model, unchanged, update, event);
      },
    );
    if (moved) await this.routes.settleOrLeave(moved.fullPath, target);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.run();
    await this.jobs.every(moves, everySeconds, {});
  }

  @WorksOn(moves)
  async run(): Promise<void> {
    for (const moving of await this.namespaces.model.find({ isMoving: true }).lean<NamespaceDocument[]>()) {
      this.log.log(`goes on moving what is below ${moving.fullPath}`);
      await this.carryOn(moving);
    }
  }
}

/** What of a group follows from its place. */
export function derive({ name, path, parent }: Place) {
  const fullPath = parent ? `${parent.fullPath}/${path}` : path;
  return {
    name,
    path,
    fullPath,
    pathKey: pathKeyOf(fullPath),
    fullName: parent ? `${parent.fullName} / ${name}` : name,
    parentId: parent?._id ?? null,
    ancestorIds: parent ? [parent._id, ...parent.ancestorIds] : [],
  };
}

/** What of a project follows from its place. */
export function deriveProject({ name, path }: { name: string; path: string }, namespace: NamespaceDocument) {
  const fullPath = `${namespace.fullPath}/${path}`;
  return {
    name,
    path,
    fullPath,
    pathKey: pathKeyOf(fullPath),
    nameWithNamespace: `${namespace.fullName} / ${name}`,
    namespaceId: namespace._id,
    namespaceKind: namespace.kind,
    groupIds: namespace.kind === 'group' ? [namespace._id, ...namespace.ancestorIds] : [],
    ...(namespace.ownerId !== undefined && { ownerId: namespace.ownerId }),
  } satisfies Partial<ProjectDocument>;
}
