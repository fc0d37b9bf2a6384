import { Access, commonErrors, invalidRecord, memberChanged, memberErrors, onlyGiven } from '@moothall/contracts';
import { Counters, isDuplicateKey, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { mostOwners, type NamespaceDocument } from '../namespace/namespace.schema';
import type { MemberDocument } from './member.schema';
import { groupKey, keyParts, type SourceKey } from './source';

interface Membership {
  source: SourceKey;
  userId: number;
  accessLevel: number;
  expiresAt?: string | null | undefined;
  memberRoleId?: number | undefined;
  createdById?: number | undefined;
}

/** Absent fields stay unchanged; a role ends with its level unless another one is given. */
interface MembershipChange {
  accessLevel: number;
  expiresAt?: string | null | undefined;
  memberRoleId?: number | null | undefined;
}

/** Every write on memberships. Each one publishes its event, which invalidates the caches of the user's access. */
@Injectable()
export class Members {
  constructor(
    @InjectModel('Member') readonly model: Model<MemberDocument>,
    @InjectModel('Namespace') private readonly namespaces: Model<NamespaceDocument>,
    private readonly outbox: Outbox,
    private readonly counters: Counters,
  ) {}

  async find(source: SourceKey, userId: number): Promise<MemberDocument | null> {
    return this.model.findOne({ source, userId }).lean<MemberDocument>();
  }

  /** @throws common.not_found */
  async get(source: SourceKey, userId: number): Promise<MemberDocument> {
    const member = await this.find(source, userId);
    if (!member) throw commonErrors.notFound();
    return member;
  }

  /** @throws member.exists; common.invalid_record for too many owners */
  async add(membership: Membership): Promise<MemberDocument> {
    const { source, userId, accessLevel, expiresAt = null, memberRoleId, createdById } = membership;
    if (accessLevel === Access.Owner) await this.requireRoom(source);
    const _id = await this.counters.next('members');
    const event = newEvent(memberChanged, {
      ...membershipOf({ source, userId, accessLevel, expiresAt }),
      action: 'add',
      ...(createdById !== undefined && { actor_id: createdById }),
    });
    const document = { _id, source, userId, accessLevel, expiresAt, ...onlyGiven({ memberRoleId, createdById }) };
    const member = await this.outbox.insert(this.model, document, event).catch((error: unknown) => {
      throw isDuplicateKey(error) ? memberErrors.exists() : error;
    });
    if (isOwnerOfGroup(member)) await this.countOwner(member);
    return member;
  }

  /**
   * @param still further condition for the change
   * @throws member.last_owner; common.not_found if it was deleted or changed meanwhile; the errors of `add`
   */
  async change(
    member: MemberDocument,
    change: MembershipChange,
    still: Partial<Pick<MemberDocument, 'accessLevel' | 'memberRoleId'>> = {},
  ): Promise<MemberDocument> {
    const { accessLevel, expiresAt, memberRoleId } = change;
    if (!isOwnerOfGroup(member) && accessLevel === Access.Owner) await this.requireRoom(member.source);
    if (isOwnerOfGroup(member) && accessLevel < Access.Owner) await this.discountOwner(member);
    const event = newEvent(memberChanged, {
      ...membershipOf({ ...member, ...onlyGiven({ accessLevel, expiresAt }) }),
      action: 'update',
      before: member.accessLevel === accessLevel ? {} : { access_level: levelOf(member) },
    });
    const isWithoutRole = memberRoleId === null || (memberRoleId === undefined && accessLevel !== member.accessLevel);
    const role = typeof memberRoleId === 'number' ? { memberRoleId } : {};
    const changed = await this.outbox.update(
      this.model,
      { ...still, _id: member._id },
      {
        $set: { ...onlyGiven({ accessLevel, expiresAt }), ...role },
        ...(isWithoutRole && { $unset: { memberRoleId: 1 } }),
      },
      event,
    );
    if (!changed) throw commonErrors.notFound();
    if (isOwnerOfGroup(changed)) await this.countOwner(changed);
    return changed;
  }

  /** @throws member.last_owner */
  async remove(member: MemberDocument): Promise<void> {
    if (isOwnerOfGroup(member)) await this.discountOwner(member);
    await this.end(member);
  }

  /** Removes a membership even if it is the last owner's: it has expired, or the user is deleted. */
  async end(member: MemberDocument): Promise<void> {
    if (isOwnerOfGroup(member)) {
      await this.namespaces.updateOne({ _id: keyParts(member.source).id }, { $pull: { ownerIds: member.userId } });
    }
    const event = newEvent(memberChanged, {
      ...membershipOf(member),
      access_level: null,
      action: 'remove',
      before: { access_level: levelOf(member) },
    });
    await this.outbox.remove(this.model, member._id, event);
  }

  /** Deletes the members of a deleted group or project, whose own event lists them. */
  async forget(source: SourceKey): Promise<void> {
    await this.model.deleteMany({ source });
  }

  /** Projects and groups where a member has a role. */
  async sourcesWithRole(memberRoleId: number): Promise<SourceKey[]> {
    return this.model.distinct('source', { memberRoleId });
  }

  async listOfUser(userId: number): Promise<MemberDocument[]> {
    return this.model.find({ userId }).lean<MemberDocument[]>();
  }

  /** Number of users who were added to any of the sources since then. */
  async countAdded(sources: SourceKey[], since: Date): Promise<number> {
    const added = { source: { $in: sources }, createdAt: { $gte: since } };
    return (await this.model.distinct('userId', added)).length;
  }

  /** Top-level groups that would have no owner without that user; groups below have the owners of those above. */
  async soleOwnedGroups(userId: number): Promise<NamespaceDocument[]> {
    const owned = await this.model.find({ userId, accessLevel: Access.Owner }).lean<MemberDocument[]>();
    const ids = owned.filter(isOwnerOfGroup).map(({ source }) => keyParts(source).id);
    const alone = { _id: { $in: ids }, parentId: null, ownerIds: [userId], isDeleting: false };
    const groups = await this.namespaces.find(alone).lean<NamespaceDocument[]>();
    // The group's own list of owners may be behind, or incomplete after a crash.
    const others = { source: { $in: groups.map(({ _id }) => groupKey(_id)) }, userId: { $ne: userId } };
    const shared = new Set(await this.model.distinct('source', { ...others, accessLevel: Access.Owner }));
    return groups.filter(({ _id }) => !shared.has(groupKey(_id)));
  }

  private async requireRoom(source: SourceKey): Promise<void> {
    const { kind, id } = keyParts(source);
    const isFull = { _id: id, [`ownerIds.${mostOwners - 1}`]: { $exists: true } };
    if (kind === 'group' && (await this.namespaces.exists(isFull))) {
      throw invalidRecord({ base: ['has too many owners'] });
    }
  }

  private async countOwner({ source, userId }: MemberDocument): Promise<void> {
    await this.namespaces.updateOne({ _id: keyParts(source).id }, { $addToSet: { ownerIds: userId } });
  }

  // Two concurrent removals of owners meet at the group's document: the second one finds the last owner. Subgroups may
  // lose theirs, because the owners of groups above own them too.
  private async discountOwner({ source, userId }: MemberDocument): Promise<void> {
    const isNotLast = {
      $or: [{ ownerIds: { $ne: userId } }, { 'ownerIds.1': { $exists: true } }, { parentId: { $ne: null } }],
    };
    const { matchedCount } = await this.namespaces.updateOne(
      { _id: keyParts(source).id, ...isNotLast },
      { $pull: { ownerIds: userId } },
    );
    if (matchedCount === 0) throw memberErrors.lastOwner();
  }
}

const isOwnerOfGroup = (member: MemberDocument): boolean =>
  member.accessLevel === Access.Owner && keyParts(member.source).kind === 'group';

const levelOf = ({ accessLevel }: { accessLevel: number }) => accessLevel as 0 | 10 | 20 | 30 | 40 | 50;

function membershipOf({ source, userId, accessLevel, expiresAt = null }: Membership) {
  const { kind, id } = keyParts(source);
  return {
    source_type: kind,
    source_id: id,
    user_id: userId,
    access_level: levelOf({ accessLevel }),
    expires_at: expiresAt,
  };
}
