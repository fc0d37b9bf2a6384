import { Counters, FieldReads, findInTurn } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { keyParts, type SourceKey } from '../member/source';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { notPlacedSince } from '../namespace/placing';
import type { ShareDocument } from './share.schema';

/** Queries on shares. */
@Injectable()
export class Shares {
  private readonly bySource: FieldReads<ShareDocument, 'source'>;

  constructor(
    @InjectModel('Share') readonly model: Model<ShareDocument>,
    private readonly counters: Counters,
  ) {
    this.bySource = new FieldReads(model, 'source');
  }

  /** Shares of sources, oldest first. */
  async listOfSources(sources: SourceKey[]): Promise<ShareDocument[]> {
    const shares = [...(await this.bySource.findAll(sources)).values()].flat();
    return shares.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  }

  /** Shares with any of the groups, or with a group below one. */
  async listWithGroups(groupIds: number[]): Promise<ShareDocument[]> {
    if (groupIds.length === 0) return [];
    return findInTurn(this.model, () => [{ filter: { groupIds: { $in: groupIds } } }]);
  }

  /** @throws MongoServerError 11000 if it is already shared with the group */
  async add(
    source: SourceKey,
    group: NamespaceDocument,
    accessLevel: number,
    expiresAt: string | null,
  ): Promise<ShareDocument> {
    const share = {
      _id: `${source}/${group._id}`,
      number: await this.counters.next('shares'),
      source,
      groupId: group._id,
      groupIds: [group._id, ...group.ancestorIds],
      accessLevel,
      expiresAt,
    };
    return (await this.model.create(share)).toObject();
  }

  /** @returns whether it was shared */
  async remove(source: SourceKey, groupId: number): Promise<boolean> {
    const { deletedCount } = await this.model.deleteOne({ _id: `${source}/${groupId}` });
    return deletedCount === 1;
  }

  /** Ids of the projects that a group is invited to. */
  async projectsSharedWith(groupId: number): Promise<number[]> {
    const shares = await this.model.find({ groupId }).lean<ShareDocument[]>();
    return shares
      .map(({ source }) => keyParts(source))
      .filter(({ kind }) => kind === 'project')
      .map(({ id }) => id);
  }

  /** After a move of an invited group: members of its new ancestors are invited, too. */
  async follow({ _id, ancestorIds }: NamespaceDocument, walk: number): Promise<void> {
    const groupIds = [_id, ...ancestorIds];
    await this.model.updateMany({ groupId: _id, ...notPlacedSince(walk) }, { $set: { groupIds, placedBy: walk } });
  }

  /** Expired shares. */
  findEnded(day: string): AsyncIterable<ShareDocument> {
    const over = { expiresAt: { $lte: day, $type: 'string' } } as const;
    return this.model.find(over).lean<ShareDocument>().cursor();
  }

  /** Removes all shares of a deleted source, and those with a deleted group. */
  async forget(source: SourceKey, groupId?: number): Promise<void> {
    await this.model.deleteMany({ source });
    if (groupId !== undefined) await this.model.deleteMany({ groupId });
  }
}
