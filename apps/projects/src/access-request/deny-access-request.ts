import {
  Access,
  accessRequestErrors,
  type ContextOf,
  commonErrors,
  denyGroupAccessRequest,
  denyProjectAccessRequest,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { groupSource, projectSource, type Source } from '../member/source';
import { Notices } from '../notification/notices';
import { AccessRequests } from './access-request.repository';

/** Deletes a pending request: a maintainer denies it, or the requester withdraws it. */
@Controller()
export class DenyAccessRequest {
  constructor(
    private readonly requests: AccessRequests,
    private readonly notices: Notices,
  ) {}

  @Handles(denyProjectAccessRequest)
  async denyInProject(
    { project, caller }: ContextOf<typeof denyProjectAccessRequest>,
    input: ParsedOf<typeof denyProjectAccessRequest>,
  ): Promise<void> {
    await this.deny(projectSource(project), input.user_id, caller.id);
  }

  @Handles(denyGroupAccessRequest)
  async denyInGroup(
    { group, caller }: ContextOf<typeof denyGroupAccessRequest>,
    input: ParsedOf<typeof denyGroupAccessRequest>,
  ): Promise<void> {
    await this.deny(groupSource(group), input.user_id, caller.id);
  }

  private async deny(source: Source, userId: number, callerId: number): Promise<void> {
    const least = source.kind === 'group' ? Access.Owner : Access.Maintainer;
    const isOwn = userId === callerId;
    if (!isOwn && source.accessLevel < least) throw commonErrors.forbidden();
    const request = await this.requests.get(source.key, userId);
    if (!(await this.requests.withdraw(source.key, userId))) throw accessRequestErrors.notFound();
    if (isOwn) return;
    await this.tell(source, userId).catch(async (error: unknown) => {
      // Otherwise a retry would find nothing, and the user would get no mail.
      await this.requests.putBack(request);
      throw error;
    });
  }

  private tell(source: Source, userId: number): Promise<void> {
    const { key, kind, fullName, fullPath } = source;
    return this.notices.tell(source, [userId], `denial of ${userId} in ${key}`, {
      subject: `Access to the ${fullName} ${kind} was denied`,
      text: `Your request to join the ${kind} ${fullPath} was denied.\n`,
    });
  }
}
