import { type Caller, callerInput, type ProjectRef, projectRefs } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { callerOf, UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';

/** Somebody in whose name the service does what they asked for earlier. */
export interface Actor {
  caller: Caller;
  /** With the level they have in it now. */
  project: ProjectRef;
}

/** Lets the service act for users while they are not calling. */
@Injectable()
export class ActingUser {
  constructor(
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
  ) {}

  /** @returns undefined also where the user may do nothing just now: blocked, deactivated */
  async findActive(projectId: number, userId: number): Promise<Actor | undefined> {
    const user = (await this.users.records([userId])).get(userId);
    return user?.state === 'active' ? this.find(projectId, userId) : undefined;
  }

  /** @returns undefined when user or project are gone */
  async find(projectId: number, userId: number): Promise<Actor | undefined> {
    const user = (await this.users.records([userId])).get(userId);
    if (!user) return undefined;
    const caller = callerOf(user);
    const project = await this.findProject(caller, projectId);
    return project && { caller, project };
  }

  /** A project as a user meets it; undefined if it was deleted. The caller decides whether they may read it. */
  async findProject(caller: Caller, projectId: number): Promise<ProjectRef | undefined> {
    const [project] = await this.client.call(projectRefs, { ids: [projectId], ...callerInput(caller) });
    return project;
  }
}
