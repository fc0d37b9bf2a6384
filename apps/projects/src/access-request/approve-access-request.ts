import {
  approveGroupAccessRequest,
  approveProjectAccessRequest,
  type ContextOf,
  isError,
  type Member,
  memberErrors,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { requireGrantable, requireListed } from '../member/level-rules';
import { Members } from '../member/member.repository';
import { viewMember } from '../member/member.view';
import { groupSource, projectSource, type Source } from '../member/source';
import { Notices } from '../notification/notices';
import { AccessRequests } from './access-request.repository';

type ApproveInput = Pick<ParsedOf<typeof approveProjectAccessRequest>, 'user_id' | 'access_level'>;

/** Turns a pending request into a membership. */
@Controller()
export class ApproveAccessRequest {
  constructor(
    private readonly requests: AccessRequests,
    private readonly members: Members,
    private readonly users: UserDirectory,
    private readonly notices: Notices,
  ) {}

  @Handles(approveProjectAccessRequest)
  async approveInProject(
    { project, caller }: ContextOf<typeof approveProjectAccessRequest>,
    input: ParsedOf<typeof approveProjectAccessRequest>,
  ) {
    return this.approve(projectSource(project), input, caller.id);
  }

  @Handles(approveGroupAccessRequest)
  async approveInGroup(
    { group, caller }: ContextOf<typeof approveGroupAccessRequest>,
    input: ParsedOf<typeof approveGroupAccessRequest>,
  ) {
    return this.approve(groupSource(group), input, caller.id);
  }

  private async approve(source: Source, { user_id, access_level }: ApproveInput, callerId: number): Promise<Member> {
    const request = await this.requests.get(source.key, user_id);
    requireListed(source, access_level);
    requireGrantable(source.accessLevel, access_level);
    const user = await this.users.summary(request.userId);
    await this.requests.hold(source.key, user_id);
    const member = await this.members
      .add({ source: source.key, userId: user_id, accessLevel: access_level, createdById: callerId })
      .catch(async (error: unknown) => {
        // A concurrent approval, or a repeat after an interruption between the two writes.
        if (isError(error, memberErrors.exists)) return this.members.get(source.key, user_id);
        throw error;
      });
    await this.requests.end(source.key, user_id);
    await this.notices.tell(source, [user_id], `approval of ${user_id} in ${source.key}`, {
      subject: `Access to the ${source.fullName} ${source.kind} was granted`,
      text: `You are a member of the ${source.kind} ${source.fullPath} now.\n`,
    });
    return viewMember(member, user);
  }
}
