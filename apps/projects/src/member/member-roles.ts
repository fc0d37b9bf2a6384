import { randomUUID } from 'node:crypto';
import { memberRoleErrors, mostMemberRoles } from '@moothall/contracts';
import { addWithin, Counters } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { MemberDocument } from './member.schema';
import type { MemberRoleDocument } from './member-role.schema';
import { isRoleOf } from './role-rules';
import type { Source } from './source';

/** Every query on member roles. */
@Injectable()
export class MemberRoles {
  constructor(
    @InjectModel('MemberRole') private readonly model: Model<MemberRoleDocument>,
    private readonly counters: Counters,
  ) {}

  /** Roles of a group, or of the instance for null. */
  async list(groupId: number | null): Promise<MemberRoleDocument[]> {
    return this.model.find({ groupId }).sort({ _id: 1 }).limit(mostMemberRoles).lean<MemberRoleDocument[]>();
  }

  /** @throws member_role.too_many */
  async add(role: Omit<MemberRoleDocument, '_id' | 'endingId'>): Promise<MemberRoleDocument> {
    const bound = { filter: { groupId: role.groupId }, most: mostMemberRoles, refusal: memberRoleErrors.tooMany };
    return addWithin({ model: this.model, ...bound }, async () => {
      const _id = await this.counters.next('member_roles');
      return (await this.model.create({ _id, ...role })).toObject();
    });
  }

  /** @throws member_role.not_found */
  async get(groupId: number | null, id: number): Promise<MemberRoleDocument> {
    const role = await this.model.findOne({ _id: id, groupId }).lean<MemberRoleDocument>();
    if (!role) throw memberRoleErrors.notFound();
    return role;
  }

  /** A role that members of the source may have. @throws member_role.not_found */
  async getFor(source: Source, id: number): Promise<MemberRoleDocument> {
    const role = await this.model.findOne({ _id: id }).lean<MemberRoleDocument>();
    if (!role || !isRoleOf(role, source)) throw memberRoleErrors.notFound();
    return role;
  }

  /** Roles of memberships, by id; deleted ones are left out. */
  async named(members: readonly Pick<MemberDocument, 'memberRoleId'>[]): Promise<Map<number, MemberRoleDocument>> {
    const ids = [...new Set(members.flatMap(({ memberRoleId }) => memberRoleId ?? []))];
    if (ids.length === 0) return new Map();
    const roles = await this.model.find({ _id: { $in: ids } }).lean<MemberRoleDocument[]>();
    return new Map(roles.map((role) => [role._id, role]));
  }

  /** The role of each member, if members of the source may have it. */
  async ofMembers(source: Source, members: readonly MemberDocument[]): Promise<(MemberRoleDocument | undefined)[]> {
    const roles = await this.named(members);
    return members.map(({ memberRoleId }) => {
      const role = memberRoleId === undefined ? undefined : roles.get(memberRoleId);
      return role && isRoleOf(role, source) ? role : undefined;
    });
  }

  /**
   * Whether a role still exists after it was assigned; a concurrent deletion that did not see the member is aborted.
   */
  async confirm(id: number): Promise<boolean> {
    return (await this.model.updateOne({ _id: id }, { $unset: { endingId: 1 } })).matchedCount === 1;
  }

  /** @param isInUse whether a member has it @throws member_role.in_use, also if it was assigned meanwhile */
  async remove(id: number, isInUse: () => Promise<boolean>): Promise<void> {
    const endingId = randomUUID();
    await this.model.updateOne({ _id: id }, { $set: { endingId } });
    if (await isInUse()) throw memberRoleErrors.inUse();
    if ((await this.model.deleteOne({ _id: id, endingId })).deletedCount === 1) return;
    // It was assigned meanwhile, or deleted by a concurrent request.
    throw (await this.model.exists({ _id: id })) ? memberRoleErrors.inUse() : memberRoleErrors.notFound();
  }

  async forget(groupId: number): Promise<void> {
    await this.model.deleteMany({ groupId });
  }
}
