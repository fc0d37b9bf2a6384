import {
  type ContextOf,
  invalidRecord,
  namedNotFound,
  type ParsedOf,
  shareErrors,
  shareGroup,
  shareProject,
  unshareGroup,
  unshareProject,
} from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Grants, type Principal, principalOf, today } from '../../access/grants';
import { groupsReadableBy } from '../../access/readable-groups';
import { GroupViews } from '../../group/group.view';
import { requireGrantable, requireInFuture, requireListed } from '../../member/level-rules';
import { groupKey, groupSource, projectSource, type Source } from '../../member/source';
import { Namespaces } from '../../namespace/namespace.repository';
import type { NamespaceDocument } from '../../namespace/namespace.schema';
import { Shares } from '../share.repository';
import type { ShareDocument } from '../share.schema';
import { PublishSharing } from './publish-sharing';

type ShareInput = Pick<ParsedOf<typeof shareProject>, 'group_id' | 'group_access' | 'expires_at'>;

/** Shares projects and groups with a group, and ends that. */
@Controller()
export class ShareWithGroup {
  constructor(
    private readonly shares: Shares,
    private readonly namespaces: Namespaces,
    private readonly grants: Grants,
    private readonly sharing: PublishSharing,
    private readonly groupViews: GroupViews,
  ) {}

  @Handles(shareProject)
  async project({ project, caller }: ContextOf<typeof shareProject>, input: ParsedOf<typeof shareProject>) {
    const source = projectSource(project);
    const above = await this.namespaces.findByIds(project.groupIds);
    if ([...above.values()].some((group) => group.settings.share_with_group_lock)) throw shareErrors.locked();
    const share = await this.share(source, principalOf(caller), input);
    return {
      id: share.number,
      project_id: project.id,
      group_id: share.groupId,
      group_access: share.accessLevel,
      expires_at: share.expiresAt,
    };
  }

  @Handles(shareGroup)
  async group({ group, caller }: ContextOf<typeof shareGroup>, input: ParsedOf<typeof shareGroup>) {
    await this.share(groupSource(group), principalOf(caller), input);
    return this.groupViews.detail(await this.namespaces.getGroup(group.id), caller, true);
  }

  @Handles(unshareProject)
  async endOfProject({ project }: ContextOf<typeof unshareProject>, input: ParsedOf<typeof unshareProject>) {
    await this.unshare(projectSource(project), input.group_id);
  }

  @Handles(unshareGroup)
  async endOfGroup({ group }: ContextOf<typeof unshareGroup>, input: ParsedOf<typeof unshareGroup>) {
    await this.unshare(groupSource(group), input.group_id);
  }

  private async share(source: Source, principal: Principal, input: ShareInput): Promise<ShareDocument> {
    requireListed(source, input.group_access);
    requireGrantable(source.accessLevel, input.group_access);
    requireInFuture(input.expires_at, today());
    const group = await this.visibleGroup(principal, input.group_id);
    if (source.key === groupKey(group._id) || source.groupIds.includes(group._id)) {
      throw invalidRecord({ group: ['cannot be a group that it is in'] });
    }
    const share = await this.shares
      .add(source.key, group, input.group_access, input.expires_at ?? null)
      .catch((error: unknown) => {
        throw isDuplicateKey(error) ? shareErrors.exists() : error;
      });
    await this.sharing.publish(source.key);
    return share;
  }

  private async unshare(source: Source, groupId: number): Promise<void> {
    if (!(await this.shares.remove(source.key, groupId))) throw shareErrors.notFound();
    await this.sharing.publish(source.key);
  }

  /** The answer does not reveal whether a private group exists. */
  private async visibleGroup(principal: Principal, groupId: number): Promise<NamespaceDocument> {
    const readable = groupsReadableBy(await this.grants.findLevels(principal));
    const group = await this.namespaces.model.findOne({ $and: [{ _id: groupId }, readable] }).lean<NamespaceDocument>();
    if (!group) throw namedNotFound('Group');
    return group;
  }
}
