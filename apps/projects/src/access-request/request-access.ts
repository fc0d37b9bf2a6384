import {
  Access,
  type AccessRequest,
  accessRequestErrors,
  type Caller,
  type ContextOf,
  type ParsedOf,
  projectErrors,
  requestGroupAccess,
  requestProjectAccess,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { Grants } from '../access/grants';
import { chainOf, groupSource, projectSource, type Source } from '../member/source';
import { Namespaces } from '../namespace/namespace.repository';
import { Notices } from '../notification/notices';
import { Projects } from '../project/project.repository';
import { AccessRequests } from './access-request.repository';
import { viewAccessRequest } from './access-request.view';

/** Requests membership. Users who may approve it get a mail. */
@Controller()
export class RequestAccess {
  constructor(
    private readonly requests: AccessRequests,
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly grants: Grants,
    private readonly users: UserDirectory,
    private readonly notices: Notices,
  ) {}

  @Handles(requestProjectAccess)
  async toProject(
    { project, caller }: ContextOf<typeof requestProjectAccess>,
    _: ParsedOf<typeof requestProjectAccess>,
  ) {
    if (project.isArchived) throw projectErrors.archived();
    const { settings } = await this.projects.get(project.id);
    return this.request(projectSource(project), caller, settings.request_access_enabled);
  }

  @Handles(requestGroupAccess)
  async toGroup({ group, caller }: ContextOf<typeof requestGroupAccess>, _: ParsedOf<typeof requestGroupAccess>) {
    const { settings } = await this.namespaces.getGroup(group.id);
    return this.request(groupSource(group), caller, settings.request_access_enabled);
  }

  private async request(source: Source, caller: Caller, isEnabled: boolean): Promise<AccessRequest> {
    if (!isEnabled) throw accessRequestErrors.disabled();
    // Administrators have the level of owners everywhere, but are members only where they were added.
    const levels = await this.grants.findLevelsOfUsers(chainOf(source), [caller.id]);
    if (levels.has(caller.id) || (await this.requests.has(source.key, caller.id))) throw accessRequestErrors.exists();
    // The mail is queued first: once the request is stored, a retry would be refused, and a failure of Redis would lose
    // the mail.
    await this.notifyApprovers(source, caller);
    const request = await this.requests.add(source.key, caller.id);
    return viewAccessRequest(request, await this.users.get(caller.id));
  }

  private async notifyApprovers(source: Source, caller: Caller): Promise<void> {
    const least = source.kind === 'group' ? Access.Owner : Access.Maintainer;
    const levels = await this.grants.findLevelsOfUsers(chainOf(source));
    const approvers = [...levels].filter(([, level]) => level >= least).map(([userId]) => userId);
    await this.notices.tell(source, approvers, `request of ${caller.id} in ${source.key}`, {
      subject: `Request to join the ${source.fullName} ${source.kind}`,
      text: `${caller.name} (@${caller.username}) asks to join the ${source.kind} ${source.fullPath}.\n`,
    });
  }
}
