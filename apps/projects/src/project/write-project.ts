import { Access, invalidRecord, projectChanged } from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { Members } from '../member/member.repository';
import { projectKey } from '../member/source';
import { Routes } from '../namespace/routes';
import { Projects } from './project.repository';
import type { ProjectDocument } from './project.schema';

/** A project that is not written yet. */
export type Draft = Omit<ProjectDocument, 'createdAt' | 'updatedAt'>;

/*
 * A project is made in this order: its path is claimed, its repository made, its owner noted, and the project itself
 * written last. Whoever sees the project finds everything there; what a crash leaves before is invisible and is
 * cleared by its claim.
 */
@Injectable()
export class WriteProject {
  constructor(
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
  ) {}

  /** Claims, makes and writes; gives everything back where one of these fails. */
  async write(draft: Draft, makeRepository: (draft: Draft) => Promise<Draft>): Promise<ProjectDocument> {
    const target = { kind: 'project', targetId: draft._id, storage: draft.storage } as const;
    if (!(await this.routes.claim(draft.fullPath, target))) throw pathTaken();
    try {
      const made = await makeRepository(draft);
      await this.noteOwner(made);
      const event = newEvent(projectChanged, {
        project_id: made._id,
        full_path: made.fullPath,
        change: 'created',
      });
      const project = await this.outbox.insert(this.projects.model, made, event);
      await this.routes.settle(draft.fullPath, target);
      return project;
    } catch (error) {
      await this.routes.abandon(draft.fullPath, target);
      throw error;
    }
  }

  /** The owner of a personal project stands among its members. */
  private async noteOwner({ _id, ownerId }: Draft): Promise<void> {
    if (ownerId === undefined) return;
    await this.members.add({ source: projectKey(_id), userId: ownerId, accessLevel: Access.Maintainer });
  }
}

/** The names of a project in that place are somebody else's. */
export const pathTaken = () => invalidRecord({ name: ['has already been taken'], path: ['has already been taken'] });
