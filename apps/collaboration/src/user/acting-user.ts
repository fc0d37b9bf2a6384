import { type Caller, callerInput, type ProjectRef, projectRefs } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { callerOf, UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';

/** A user in whose name the service acts on an earlier request. */
export interface Actor {
  caller: Caller;
  /** With the user's current access level. */
  project: ProjectRef;
}

/** Lets the service act for users after their request. */
@Injectable()
export class ActingUser {
  constructor(
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
  ) {}

  /** @returns undefined also for a blocked or deactivated user */
  async findActive(projectId: number, userId: number): Promise<Actor | undefined> {
    const user = (await this.users.records([userId])).get(userId);
    return user?.state === 'active' ? this.find(projectId, userId) : undefined;
  }

  /** @returns undefined if the user or the project is deleted */
  async find(projectId: number, userId: number): Promise<Actor | undefined> {
    const user = (await this.users.records([userId])).get(userId);
    if (!user) return undefined;
    const caller = callerOf(user);
    const project = await this.findProject(caller, projectId);
    return project && { caller, project };
  }

  /**
   * A project with the user's access level; undefined if it was deleted. The caller checks whether they may read it.
   */
  async findProject(caller: Caller, projectId: number): Promise<ProjectRef | undefined> {
    const [project] = await this.client.call(projectRefs, { ids: [projectId], ...callerInput(caller) });
    return project;
  }
}
