import { createHash } from 'node:crypto';
import { eachAlone } from '@moothall/background';
import { type ArtifactType, artifactErrors, jobErrors } from '@moothall/contracts';
import { Counters, isDuplicateKey } from '@moothall/database';
import { type ObjectSource, ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import type { Artifact } from './artifact.schema';

type Received = Pick<Artifact, 'sizeBytes' | 'sha256'>;
type Given = Omit<Artifact, '_id' | 'status' | 'slot' | 'createdAt' | keyof Received>;

/** Queries on artifacts, together with their files. A record is created before its file and deleted after it. */
@Injectable()
export class Artifacts {
  constructor(
    @InjectModel('Artifact') private readonly model: Model<Artifact>,
    private readonly counters: Counters,
    private readonly storage: ObjectStorage,
  ) {}

  /**
   * Stores a file. The same file sent again succeeds.
   * @throws artifact.exists; job.not_found if the job's files were deleted meanwhile; common.disk_full; errors of the
   * stream
   */
  async receive(given: Given, source: ObjectSource): Promise<void> {
    const _id = await this.counters.next('artifacts');
    const artifact: Artifact = {
      ...given,
      _id,
      sizeBytes: 0,
      sha256: '',
      status: 'receiving',
      createdAt: new Date(),
    };
    await this.model.create(artifact);
    try {
      await this.place(artifact, await this.write(artifact, source));
    } catch (error) {
      // After a failure the periodic job removes it.
      await this.remove(artifact).catch(() => undefined);
      throw error;
    }
  }

  private async write(artifact: Artifact, source: ObjectSource): Promise<Received> {
    const hash = createHash('sha256');
    const { sizeBytes } = await this.storage.write(keyOf(artifact), source, (chunk) => hash.update(chunk));
    return { sizeBytes, sha256: hash.digest('hex') };
  }

  /** From here on it is seen. */
  private async place(artifact: Artifact, received: Received): Promise<void> {
    const { _id, jobId, type } = artifact;
    const slot = `${jobId}/${type}`;
    try {
      const { matchedCount } = await this.model.updateOne(
        { _id, status: 'receiving' },
        { $set: { ...received, slot, status: 'stored' } },
      );
      if (matchedCount === 0) throw jobErrors.notFound();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const known = await this.model.findOne({ slot }).lean<Artifact>();
      if (known?.sha256 !== received.sha256) throw artifactErrors.exists();
      await this.remove(artifact);
    }
  }

  /** Those of existing jobs, by job. */
  async ofJobs(jobIds: number[]): Promise<Map<number, Artifact[]>> {
    const found = await this.model
      .find({ jobId: { $in: jobIds }, ...isThere() })
      .sort({ _id: 1 })
      .lean<Artifact[]>();
    const byJob = new Map<number, Artifact[]>(jobIds.map((id) => [id, []]));
    for (const artifact of found) byJob.get(artifact.jobId)?.push(artifact);
    return byJob;
  }

  find(jobId: number, type: ArtifactType): Promise<Artifact | null> {
    return this.model.findOne({ slot: `${jobId}/${type}`, ...isThere() }).lean<Artifact>();
  }

  async noteHandedOver(id: number): Promise<void> {
    await this.model.updateOne({ _id: id }, { $set: { isHandedOver: true } });
  }

  findById(id: number): Promise<Artifact | null> {
    return this.model.findOne({ _id: id, status: 'stored' }).lean<Artifact>();
  }

  /** For ever. */
  async keep(jobId: number): Promise<void> {
    await this.model.updateMany({ jobId, ...isThere() }, { $unset: { expiresAt: 1 } });
  }

  /** From now on they are not found, and the periodic job removes them. */
  async expireOfProject(projectId: number, exceptJobIds: number[]): Promise<void> {
    await this.model.updateMany(
      { projectId, status: 'stored', jobId: { $nin: exceptJobIds } },
      { $set: { expiresAt: new Date() } },
    );
  }

  /** Also unfinished uploads. */
  async removeOfJobs(jobIds: number[]): Promise<void> {
    const ofJobs = { jobId: { $in: jobIds } };
    await this.model.updateMany(ofJobs, asRemoving());
    await eachAlone(this.model.find(ofJobs).lean<Artifact>().cursor(), (artifact) => this.remove(artifact));
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
    await this.storage.removeAll(`artifacts/${projectId}`);
  }

  /** @param received unfinished uploads from before this time are abandoned */
  async removeOld(now: Date, received: Date, signal?: AbortSignal): Promise<void> {
    const old: QueryFilter<Artifact> = {
      $or: [
        { expiresAt: { $lte: now } },
        { status: 'removing' },
        { status: 'receiving', createdAt: { $lt: received } },
      ],
    };
    const removeStillOld = async (artifact: Artifact) => {
      // Retained or completed since it was found: then it does not change.
      const { matchedCount } = await this.model.updateOne({ _id: artifact._id, ...old }, asRemoving());
      if (matchedCount > 0) await this.removeFile(artifact);
    };
    await eachAlone(this.model.find(old).lean<Artifact>().cursor(), removeStillOld, signal);
  }

  /** Of all projects, by ascending id. */
  storedAbove(_id: number, limit: number): Promise<Artifact[]> {
    return this.model
      .find({ ...isThere(), _id: { $gt: _id } })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<Artifact[]>();
  }

  newestStored(limit: number): Promise<Artifact[]> {
    return this.model.find(isThere()).sort({ _id: -1 }).limit(limit).lean<Artifact[]>();
  }

  /** An estimate of the database, without reading them. */
  count(): Promise<number> {
    return this.model.estimatedDocumentCount();
  }

  /** Bytes of projects that have any, by project. */
  async sizes(projectIds: number[]): Promise<Map<number, number>> {
    const sums = await this.model.aggregate<{ _id: number; bytes: number }>([
      { $match: { projectId: { $in: projectIds } } },
      { $group: { _id: '$projectId', bytes: { $sum: '$sizeBytes' } } },
    ]);
    return new Map(sums.map(({ _id, bytes }) => [_id, bytes]));
  }

  /** After a kill in between, it is hidden, and a periodic job continues. */
  private async remove(artifact: Artifact): Promise<void> {
    await this.model.updateOne({ _id: artifact._id }, asRemoving());
    await this.removeFile(artifact);
  }

  private async removeFile(artifact: Artifact): Promise<void> {
    await this.storage.remove(keyOf(artifact));
    await this.model.deleteOne({ _id: artifact._id });
  }
}

const asRemoving = (): UpdateQuery<Artifact> => ({ $set: { status: 'removing' }, $unset: { slot: 1 } });

const isThere = (): QueryFilter<Artifact> => ({
  status: 'stored',
  $or: [{ expiresAt: { $exists: false } }, { expiresAt: { $gt: new Date() } }],
});

export const keyOf = ({ _id, projectId }: Pick<Artifact, '_id' | 'projectId'>): string =>
  `artifacts/${projectId}/${_id}`;
