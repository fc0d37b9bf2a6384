import { Access, isError, type ProjectRef, projectErrors, resolveProject } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';

/** Why a schedule is switched off; users read it. */
export const reasons = {
  ownerGone: 'The owner no longer exists.',
  ownerBlocked: 'The owner is blocked.',
  ownerLeft: 'The owner may no longer run pipelines in the project.',
  refGone: 'The branch or tag no longer exists.',
  refProtected: 'The owner may not run pipelines on the protected branch or tag.',
  projectGone: 'The project no longer exists.',
  unreadable: 'The cron expression or the time zone can no longer be read.',
} as const;

export type RunPermission = { project: ProjectRef; isAdmin: boolean } | { reason: string };

/** Whether a user may run a pipeline without a request: the owner of a schedule, or the user who pushed. */
@Injectable()
export class RunPermissions {
  constructor(
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
  ) {}

  /** @param project id or path @throws OperationError if identity or projects do not answer: then nothing is decided */
  async find(userId: number | null, project: number | string): Promise<RunPermission> {
    const user = userId === null ? undefined : (await this.users.records([userId])).get(userId);
    if (!user) return { reason: reasons.ownerGone };
    if (user.state !== 'active') return { reason: reasons.ownerBlocked };
    const asked = { project: String(project), user_id: user.id, is_admin: user.is_admin };
    const found = await this.client.call(resolveProject, asked).catch((error: unknown) => {
      if (isError(error, projectErrors.notFound)) return null;
      throw error;
    });
    if (!found) return { reason: reasons.projectGone };
    if (found.project.accessLevel < Access.Developer) return { reason: reasons.ownerLeft };
    return { project: found.project, isAdmin: user.is_admin };
  }
}
