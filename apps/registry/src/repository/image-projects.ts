import {
  type Caller,
  callerInput,
  isError,
  opensForJob,
  type ProjectRef,
  projectErrors,
  resolveProject,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { projectPathsOf } from '../image-name/image-name';
import type { Claim } from './container-repository.repository';

/** The projects of images. */
@Injectable()
export class ImageProjects {
  constructor(private readonly client: OperationClient) {}

  /** The project whose path is a prefix of the name; former paths are not resolved. */
  async at(name: string, caller: Caller | undefined): Promise<ProjectRef | undefined> {
    for (const path of projectPathsOf(name)) {
      const project = await this.find(path, caller);
      if (project?.fullPath.toLowerCase() === path) return project;
    }
    return undefined;
  }

  /**
   * @param project id or path @returns the project with the caller's level, if a job token is accepted there; the
   *   caller of this method checks visibility
   */
  async find(project: string, caller: Caller | undefined): Promise<ProjectRef | undefined> {
    try {
      const answer = await this.client.call(resolveProject, { project, ...callerInput(caller) });
      return opensForJob(caller, answer) ? answer.project : undefined;
    } catch (error) {
      if (isError(error, projectErrors.notFound)) return undefined;
      throw error;
    }
  }
}

/** An image name below the path of a project. */
export const claimOf = (path: string, { id, fullPath }: ProjectRef): Claim => ({
  path,
  projectId: id,
  name: path.slice(fullPath.length + 1),
});
