import type { countRepositories, OutputOf } from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { RepositoryKind } from '../git/storage/storage';
import type { ChecksumOutcome, RepositoryRecord, WantedImport } from './repository.schema';

/** Queries on the records of repositories. */
@Injectable()
export class Repositories {
  constructor(@InjectModel('Repository') private readonly records: Model<RepositoryRecord>) {}

  /** Idempotent. @returns the existing record, which may be that of a replica */
  add(projectId: number, storage: string, defaultBranchProtection: number): Promise<RepositoryRecord> {
    return this.addOnce(projectId, { storage, defaultBranchProtection, mayHaveLfsLocks: false });
  }

  /** The same for a replica of another site. @returns the existing record, which may be that of an original */
  addReplica(projectId: number, storage: string): Promise<RepositoryRecord> {
    return this.addOnce(projectId, { storage, isReplica: true });
  }

  private async addOnce(projectId: number, known: Partial<RepositoryRecord>): Promise<RepositoryRecord> {
    const fresh = { pushes: 0, maintainedAt: null, checkedAt: null, damage: [], ...known };
    const write = () =>
      this.records
        .findOneAndUpdate({ _id: projectId }, { $setOnInsert: fresh }, { upsert: true, returnDocument: 'after' })
        .lean<RepositoryRecord>();
    const retry = (error: unknown) => {
      // A concurrent request was first.
      if (isDuplicateKey(error)) return write();
      throw error;
    };
    return (await write().catch(retry)) as RepositoryRecord;
  }

  async removeReplica(projectId: number): Promise<void> {
    await this.records.deleteOne({ _id: projectId, isReplica: true });
  }

  async wantImport(projectId: number, wanted: WantedImport): Promise<void> {
    await this.records.updateOne({ _id: projectId }, { $set: { import: wanted } });
  }

  async endImport(projectId: number): Promise<void> {
    await this.records.updateOne({ _id: projectId }, { $unset: { import: 1 } });
  }

  /** Repositories that are still to be imported. */
  importsOn(storages: readonly string[]): Promise<(RepositoryRecord & { import: WantedImport })[]> {
    return this.records
      .find({ 'import.who': { $gt: '' }, storage: { $in: [...storages] } })
      .lean<(RepositoryRecord & { import: WantedImport })[]>();
  }

  find(projectId: number): Promise<RepositoryRecord | null> {
    return this.records.findById(projectId).lean<RepositoryRecord>();
  }

  /** Estimated counts from metadata and indexes, which are fast for hundreds of thousands. */
  async count(): Promise<OutputOf<typeof countRepositories>> {
    const having = (filter: QueryFilter<RepositoryRecord>) => this.records.countDocuments(filter);
    const summed = (kind: RepositoryKind, outcome: ChecksumOutcome) => having({ [`checksums.${kind}`]: outcome });
    return {
      repositories: await this.records.estimatedDocumentCount(),
      wikis: await having({ hasWiki: true }),
      repositories_checked: await having({ checkedAt: { $gt: new Date(0) } }),
      repositories_checked_failed: await having({ damage: { $gt: '' } }),
      repositories_checksummed: await summed('code', 'known'),
      repositories_checksum_failed: await summed('code', 'failed'),
      wikis_checksummed: await summed('wiki', 'known'),
      wikis_checksum_failed: await summed('wiki', 'failed'),
    };
  }

  /** Called before the first lock is written. */
  async noteLfsLocks(projectId: number): Promise<void> {
    await this.records.updateOne({ _id: projectId }, { $set: { mayHaveLfsLocks: true } });
  }

  /** False if there never was a lock. */
  async mayHaveLfsLocks(projectId: number): Promise<boolean> {
    return (await this.find(projectId))?.mayHaveLfsLocks ?? true;
  }

  async noteWiki(projectId: number): Promise<void> {
    await this.records.updateOne({ _id: projectId }, { $set: { hasWiki: true } });
  }

  /** Which of these projects have a wiki with content. */
  async withWiki(projectIds: readonly number[]): Promise<number[]> {
    const found = await this.records
      .find({ _id: { $in: [...projectIds] }, hasWiki: true }, { _id: 1 })
      .lean<{ _id: number }[]>();
    return found.map(({ _id }) => _id);
  }

  async noteChecksums(projectIds: readonly number[], kind: RepositoryKind, outcome: ChecksumOutcome): Promise<void> {
    if (projectIds.length === 0) return;
    const field = `checksums.${kind}`;
    await this.records.updateMany(
      { _id: { $in: [...projectIds] }, [field]: { $ne: outcome } },
      { $set: { [field]: outcome } },
    );
  }

  async move(projectId: number, storage: string): Promise<void> {
    await this.records.updateOne({ _id: projectId }, { $set: { storage } });
  }

  /** Ids of the projects on a storage, in batches of some hundred. */
  async *idsOn(storage: string): AsyncGenerator<number[]> {
    for (let after = 0; ; ) {
      const found = await this.records
        .find({ storage, _id: { $gt: after } }, { _id: 1 })
        .sort({ _id: 1 })
        .limit(500)
        .lean<{ _id: number }[]>();
      const last = found.at(-1);
      if (!last) return;
      after = last._id;
      yield found.map(({ _id }) => _id);
    }
  }

  async remove(projectId: number): Promise<void> {
    await this.records.deleteOne({ _id: projectId });
  }

  /** @returns the number of pushes since the last maintenance, including this one */
  async countPush(projectId: number): Promise<number> {
    const counted = await this.records
      .findOneAndUpdate({ _id: projectId }, { $inc: { pushes: 1 } }, { returnDocument: 'after' })
      .lean<RepositoryRecord>();
    return counted?.pushes ?? 0;
  }

  async markMaintained(projectId: number): Promise<void> {
    await this.records.updateOne({ _id: projectId }, { $set: { pushes: 0, maintainedAt: new Date() } });
  }

  async markChecked(projectId: number, damage: string[]): Promise<void> {
    await this.records.updateOne({ _id: projectId }, { $set: { checkedAt: new Date(), damage } });
  }

  /** Repositories of a storage that were not checked since then, longest first. */
  uncheckedSince(storage: string, since: Date, limit: number): Promise<RepositoryRecord[]> {
    return this.records
      .find({ storage, $or: [{ checkedAt: null }, { checkedAt: { $lt: since } }] })
      .sort({ checkedAt: 1 })
      .limit(limit)
      .lean<RepositoryRecord[]>();
  }
}
