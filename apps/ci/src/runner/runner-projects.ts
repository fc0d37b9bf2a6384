import { type Caller, callerInput, isReadable, namedNotFound, type ProjectRef, projectRefs } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';

type Principal = NonNullable<Parameters<typeof callerInput>[0]>;

/** The projects of runners and their jobs, for paths without a project. */
@Injectable()
export class RunnerProjects {
  constructor(private readonly client: OperationClient) {}

  /** With the caller's level. @throws `404 Project Not Found` also for a hidden one */
  async get(id: number, caller: Caller): Promise<ProjectRef> {
    const project = await this.find(id, caller);
    if (!project || !isReadable(project, caller)) throw namedNotFound('Project');
    return project;
  }

  /** Undefined if the project does not exist. */
  async find(id: number, caller?: Principal): Promise<ProjectRef | undefined> {
    return (await this.many([id], caller)).get(id);
  }

  async many(ids: number[], caller?: Principal): Promise<Map<number, ProjectRef>> {
    if (ids.length === 0) return new Map();
    const found = await this.client.call(projectRefs, { ids: [...new Set(ids)], ...callerInput(caller) });
    return new Map(found.map((project) => [project.id, project]));
  }
}
