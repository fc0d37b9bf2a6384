import { locateReplica, type Operation, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Primary } from './primary';

/** Where this site has copies of its primary's repositories. */
@Injectable()
export class Copies {
  constructor(
    private readonly primary: Primary,
    private readonly operations: OperationClient,
  ) {}

  /** Whether an operation is answered from a copy here, as far as there is one. */
  answer({ onSecondary }: Operation): boolean {
    return this.primary.isFollowed && (onSecondary === 'code' || onSecondary === 'wiki');
  }

  /** @returns the project with the storage of its copy; undefined where the primary is to be asked */
  async findFor(
    { onSecondary }: Operation,
    project: ProjectRef,
    input: Record<string, unknown>,
  ): Promise<ProjectRef | undefined> {
    // Of another project, from which objects would be brought here.
    if (input.from_project_id !== undefined) return undefined;
    return this.find(project, onSecondary === 'wiki' ? 'wiki' : 'code');
  }

  /** @returns the project with the storage of its copy, where there is a whole one */
  async find(project: ProjectRef, kind: 'code' | 'wiki'): Promise<ProjectRef | undefined> {
    const { storage } = await this.operations.call(locateReplica, { project_id: project.id, kind });
    return storage === null ? undefined : { ...project, storage };
  }
}
