import {
  type Caller,
  callerInput,
  contentErrors,
  getProject,
  isFeatureOpen,
  isReadable,
  namedNotFound,
  type ProjectRef,
  resolveProject,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { RepositoryCopies } from '../../copies/bring-objects';
import { Storages } from '../../storage/storages';

interface Reading {
  project: ProjectRef;
  caller?: Caller | undefined;
}

/** Refs of projects that share history. */
@Injectable()
export class Forks {
  constructor(
    private readonly client: OperationClient,
    private readonly copies: RepositoryCopies,
    private readonly storages: Storages,
  ) {}

  /**
   * Makes a branch or tag of a fork readable in this project. Only forks are allowed, otherwise any reader could fill
   * the disk of a project.
   * @returns the id of the object
   * @throws 404 Project Not Found, repository_content.not_of_same_forks, repository_content.ref_not_found
   */
  async bring(context: Reading, otherId: number, revision: string): Promise<string> {
    const { project, caller } = context;
    const { project: other } = await this.client.call(resolveProject, {
      project: String(otherId),
      ...callerInput(caller),
    });
    if (!isReadable(other, caller) || !isFeatureOpen(other, 'repository')) throw namedNotFound('Project');
    if (!(await this.areOfSame(context, { project: other, caller }))) throw contentErrors.notOfSameForks();
    const id = await this.copies.bringRevision(this.storages.locate(project), other, revision);
    if (!id) throw contentErrors.refNotFound();
    return id;
  }

  private async areOfSame(one: Reading, other: Reading): Promise<boolean> {
    const [a, b] = await Promise.all([this.sourceOf(one), this.sourceOf(other)]);
    if (one.project.id === other.project.id || a === other.project.id || b === one.project.id) return true;
    return a !== undefined && a === b;
  }

  private async sourceOf({ project, caller }: Reading): Promise<number | undefined> {
    const context = { ...(caller && { caller }), project };
    return (await this.client.call(getProject, { id: String(project.id) }, context)).forked_from_project?.id;
  }
}
