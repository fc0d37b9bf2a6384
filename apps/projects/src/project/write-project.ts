import { Access, invalidRecord, projectChanged, projectErrors } from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { Members } from '../member/member.repository';
import { projectKey } from '../member/source';
import { Routes } from '../namespace/routes';
import { PlaceProject } from './place-project';
import { Projects } from './project.repository';
import type { ProjectDocument } from './project.schema';
import { ProjectTopics } from './project-topics';
import { RemoveProject } from './remove-project';
import { StoredCounts } from './stored-counts';

/** A project that is not written yet. */
export type Draft = Omit<ProjectDocument, 'createdAt' | 'updatedAt'>;

/*
 * Creates a project in this order: it reserves the path, creates the repository, stores the owner, and writes the
 * project last. A visible project is complete; after a crash, the rest is invisible and is removed with its
 * reservation.
 */
@Injectable()
export class WriteProject {
  constructor(
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
    private readonly counts: StoredCounts,
    private readonly topics: ProjectTopics,
    private readonly places: PlaceProject,
    private readonly removal: RemoveProject,
  ) {}

  /**
   * Runs all steps; if one fails, the others are reverted.
   * @throws project.namespace_not_valid if the namespace is deleted meanwhile
   */
  async write(given: Draft, makeRepository: (draft: Draft) => Promise<Draft>): Promise<ProjectDocument> {
    const draft = { ...given, topics: await this.topics.known(given.topics) };
    const target = { kind: 'project', targetId: draft._id, storage: draft.storage } as const;
    if (!(await this.routes.claim(draft.fullPath, target))) throw pathTaken();
    try {
      const made = await makeRepository(draft);
      await this.noteOwner(made);
      const project = await this.insert(made);
      await this.routes.settleOrLeave(draft.fullPath, target);
      return await this.catchUp(project);
    } catch (error) {
      // After a timeout the database may have written it.
      await this.projects.model.deleteOne({ _id: draft._id });
      await this.routes.abandon(draft.fullPath, target);
      throw error;
    }
  }

  /** Creating the repository takes time, and the namespace may be moved or deleted meanwhile. */
  private async catchUp(project: ProjectDocument): Promise<ProjectDocument> {
    const placed = await this.places.catchUp(project);
    if (placed) return placed;
    await this.removal.one(project);
    throw projectErrors.namespaceNotValid();
  }

  private insert(made: Draft): Promise<ProjectDocument> {
    const { _id: project_id, fullPath: full_path, forkedFromId, creatorId: actor_id } = made;
    const event = newEvent(projectChanged, { project_id, full_path, change: 'created', actor_id });
    const insert = () =>
      this.topics.whileChanging(made.topics, () => this.outbox.insert(this.projects.model, made, event));
    return forkedFromId === undefined ? insert() : this.counts.whileChanging(forkedFromId, 'forksCount', insert);
  }

  /** The owner of a personal project is one of its members. */
  private async noteOwner({ _id, ownerId }: Draft): Promise<void> {
    if (ownerId === undefined) return;
    await this.members.add({ source: projectKey(_id), userId: ownerId, accessLevel: Access.Maintainer });
  }
}

/** The error for a taken path. */
export const pathTaken = () => invalidRecord({ name: ['has already been taken'], path: ['has already been taken'] });
