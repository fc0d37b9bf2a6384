import { locateReplica, type Operation, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Primary } from './primary';

/** Copies of the primary's repositories on this site. */
@Injectable()
export class Copies {
  constructor(
    private readonly primary: Primary,
    private readonly operations: OperationClient,
  ) {}

  /** Whether an operation can be answered from a copy. */
  answer({ onSecondary }: Operation): boolean {
    return this.primary.isFollowed && (onSecondary === 'code' || onSecondary === 'wiki');
  }

  /** @returns the project with the storage of its copy; undefined if the primary has to answer */
  async findFor(
    { onSecondary }: Operation,
    project: ProjectRef,
    input: Record<string, unknown>,
  ): Promise<ProjectRef | undefined> {
    // It would need objects of another project.
    if (input.from_project_id !== undefined) return undefined;
    return this.find(project, onSecondary === 'wiki' ? 'wiki' : 'code');
  }

  /** @returns the project with the storage of its copy, if there is a complete one */
  async find(project: ProjectRef, kind: 'code' | 'wiki'): Promise<ProjectRef | undefined> {
    const { storage } = await this.operations.call(locateReplica, { project_id: project.id, kind });
    return storage === null ? undefined : { ...project, storage };
  }
}
