import { setTimeout as wait } from 'node:timers/promises';
import { redis } from '@moothall/access';
import {
  type Caller,
  commonErrors,
  createProject,
  errorTable,
  getNamespace,
  isError,
  OperationError,
  type OutputOf,
  type ProjectRef,
  projectErrors,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { GitAccess, type GitTarget, hasScopeFor } from './git-access';

type Project = OutputOf<typeof createProject>;

/** The user who pushes, and the id of the request. */
interface Pushing {
  caller: Caller | undefined;
  requestId: string;
}

/** Credentials of users: those of jobs and deploy tokens cannot create projects. */
const people = new Set<Caller['credential']>([
  'personal_access_token',
  'oauth_token',
  'password',
  'session',
  'ssh_key',
]);

/** Between reading the refs and pushing, a client runs its own hooks. */
const keptSeconds = 600;
/** Limit of attempts to find a project that is being created. */
const looks = 20;
const betweenLooksMs = 250;

const isTaken = ({ value: { message } }: OperationError): boolean =>
  JSON.stringify(message ?? '').includes('has already been taken');

const keyOf = (projectId: number, callerId: number): string => `moothall:created-by-push:${projectId}:${callerId}`;

/**
 * A push to a path without a project creates a private one, if the user may create projects there. See
 * docs/api/repository.md#11.
 */
@Injectable()
export class CreateOnPush {
  constructor(
    private readonly access: GitAccess,
    private readonly operations: OperationClient,
    @Inject(redis) private readonly shared: Redis,
  ) {}

  /**
   * The project of a push, and the message about it.
   * @throws the errors of GitAccess if there is none and none is created; project.limit_reached, common.invalid_record
   *   for an invalid path
   */
  async begin(asked: GitTarget, pushing: Pushing): Promise<{ project: ProjectRef; created?: Project }> {
    const find = () => this.access.requireForCaller(asked, pushing.caller);
    try {
      return { project: await find() };
    } catch (error) {
      if (!isError(error, projectErrors.notFound) && !isError(error, commonErrors.notFound)) throw error;
      const created = await this.make(asked, pushing, error);
      return { project: await find(), ...(created && { created }) };
    }
  }

  /** @throws the original refusal if the user may not create a project there */
  private async make(asked: GitTarget, { caller, requestId }: Pushing, refusal: unknown): Promise<Project | undefined> {
    if (!caller || !people.has(caller.credential) || asked.repository === 'wiki' || !hasScopeFor(asked, caller))
      throw refusal;
    const at = asked.path.lastIndexOf('/');
    const context = { requestId, caller };
    const refuse = (error: unknown) => {
      throw isOfCaller(error) ? refusal : error;
    };
    const namespace = await this.operations.call(getNamespace, { id: asked.path.slice(0, at) }, context).catch(refuse);
    const given = { path: asked.path.slice(at + 1), namespace_id: namespace.id, visibility: 'private' as const };
    return this.operations.call(createProject, given, context).catch((error: unknown) => {
      if (isError(error, projectErrors.limitReached)) throw error;
      // The path was taken by a concurrent push, or is invalid: the next look-up shows which.
      if (isError(error, commonErrors.invalidRecord)) return this.again(asked, caller, error);
      return refuse(error);
    });
  }

  /** A project that is being created has its path before it is visible. */
  private async again(asked: GitTarget, caller: Caller, error: OperationError): Promise<undefined> {
    for (let look = 1; ; look++) {
      const isThere = await this.access.requireForCaller(asked, caller).then(
        () => true,
        () => false,
      );
      if (isThere) return;
      if (look === looks || !isTaken(error)) throw error;
      await wait(betweenLooksMs);
    }
  }

  /** Over HTTP the message is shown with the next request. */
  async remember({ id, http_url_to_repo, ...project }: Project, caller: Caller): Promise<void> {
    const notice = noticeOf(project, http_url_to_repo);
    await this.shared.set(keyOf(id, caller.id), notice, 'EX', keptSeconds).catch(() => undefined);
  }

  /** The message about a project that a push has created. Read for empty projects of the caller only. */
  async recall({ id, defaultBranch, creatorId }: ProjectRef, caller: Caller | undefined): Promise<string | undefined> {
    if (!caller || defaultBranch !== null || creatorId !== caller.id) return undefined;
    return (await this.shared.getdel(keyOf(id, caller.id)).catch(() => null)) ?? undefined;
  }
}

export const noticeOf = (
  { path_with_namespace, web_url }: Pick<Project, 'path_with_namespace' | 'web_url'>,
  remote: string,
): string => `
The private project ${path_with_namespace} was successfully created.

To configure the remote, run:
  git remote add origin ${remote}

To view the project, visit:
  ${web_url}

`;

const isOfCaller = (error: unknown): boolean =>
  error instanceof OperationError && (errorTable.get(error.code)?.status ?? 500) < 500;
