import { projectChanged } from '@moothall/contracts';
import { changeDocument, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { Namespaces } from '../namespace/namespace.repository';
import { Routes } from '../namespace/routes';
import { shownBefore } from '../namespace/shown-before';
import { deriveProject } from './derive-project';
import { Projects } from './project.repository';
import type { ProjectDocument } from './project.schema';
import { pathTaken } from './write-project';

/** Changes the path of a project in its namespace. */
@Injectable()
export class RenameProject {
  constructor(
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
  ) {}

  /** Idempotent. @throws common.invalid_record for a taken path */
  async to({ _id, storage }: ProjectDocument, path: string, actor_id: number): Promise<void> {
    const target = { kind: 'project', targetId: _id, storage } as const;
    const { model } = this.projects;
    const renamed = await changeDocument<ProjectDocument>(
      model,
      { _id, path: { $ne: path } },
      ['name', 'path', 'fullPath', 'namespaceId'],
      async ({ name, namespaceId }) => {
        const $set = deriveProject({ name, path }, await this.namespaces.get(namespaceId));
        if (!(await this.routes.claim($set.fullPath, target))) throw pathTaken();
        return { $set };
      },
      (unchanged, update, current) => {
        const after = { ...current, ...update.$set } as ProjectDocument;
        const what = { project_id: _id, full_path: after.fullPath, change: 'renamed', actor_id } as const;
        const event = newEvent(projectChanged, { ...what, before: shownBefore(current, after) });
        return this.outbox.update(model, unchanged, update, event);
      },
    );
    if (renamed) await this.routes.settleOrLeave(renamed.fullPath, target);
  }
}
