import { issueLinkErrors } from '@moothall/contracts';
import { collectionOf, isDuplicateKey, RecordIds } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { endsOf, type IssueLinkDocument } from './issue-link.schema';

type NewLink = Pick<IssueLinkDocument, 'sourceId' | 'targetId' | 'type'>;

/** Every query on links between issues. */
@Injectable()
export class IssueLinks {
  constructor(
    @InjectModel('IssueLink') private readonly model: Model<IssueLinkDocument>,
    private readonly ids: RecordIds,
  ) {}

  /** From either end, oldest first. */
  listFor(issueId: number): Promise<IssueLinkDocument[]> {
    const touching = { $or: [{ sourceId: issueId }, { targetId: issueId }] };
    return this.model.find(touching).sort({ createdAt: 1, _id: 1 }).lean<IssueLinkDocument[]>().exec();
  }

  /** @throws issue_link.not_found, also for a link of other issues */
  async get(issueId: number, id: number): Promise<IssueLinkDocument> {
    const link = await this.model.findById(id).lean<IssueLinkDocument>();
    if (!link || (link.sourceId !== issueId && link.targetId !== issueId)) throw issueLinkErrors.notFound();
    return link;
  }

  /** @throws issue_link.taken, also for the second of two at once */
  async add(link: NewLink): Promise<IssueLinkDocument> {
    const now = new Date();
    const _id = await this.ids.next('issue_links');
    const added: IssueLinkDocument = { _id, ...link, ends: endsOf(link), createdAt: now, updatedAt: now };
    await collectionOf(this.model)
      .insertOne(added)
      .catch((error: unknown) => {
        throw isDuplicateKey(error, 'ends') ? issueLinkErrors.taken() : error;
      });
    return added;
  }

  /** @throws issue_link.not_found when somebody else was first */
  async remove(id: number): Promise<void> {
    const { deletedCount } = await this.model.deleteOne({ _id: id });
    if (deletedCount === 0) throw issueLinkErrors.notFound();
  }

  /** Of issues that go, from either end. */
  async removeFrom(issueIds: number[]): Promise<void> {
    await this.model.deleteMany({ $or: [{ sourceId: { $in: issueIds } }, { targetId: { $in: issueIds } }] });
  }

  /** Those by which some issues block others. */
  listBlockingFrom(issueIds: number[]): Promise<Pick<IssueLinkDocument, 'sourceId' | 'targetId'>[]> {
    return this.model
      .find({ sourceId: { $in: issueIds }, type: 'blocks' }, { sourceId: 1, targetId: 1 })
      .lean<IssueLinkDocument[]>()
      .exec();
  }
}
