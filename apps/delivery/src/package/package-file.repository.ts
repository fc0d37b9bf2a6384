import { createHash } from 'node:crypto';
import { eachAlone } from '@moothall/background';
import { commonErrors, type Page, packageErrors } from '@moothall/contracts';
import { Counters, findPage } from '@moothall/database';
import { type ObjectSource, ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { PackageFile } from './package-file.schema';

interface Wanted {
  order_by: 'id' | 'created_at' | 'file_name';
  sort: 'asc' | 'desc';
  page: number;
  per_page: number;
}

const mostFiles = 10_000;
const fields = { id: '_id', created_at: 'createdAt', file_name: 'name' };

export const keyOf = ({ _id, projectId }: Pick<PackageFile, '_id' | 'projectId'>): string =>
  `packages/${projectId}/${_id}`;

/**
 * Queries on files of packages, including the stored files. A record is written before its file and deleted after it.
 */
@Injectable()
export class PackageFiles {
  constructor(
    @InjectModel('PackageFile') private readonly files: Model<PackageFile>,
    private readonly counters: Counters,
    private readonly storage: ObjectStorage,
  ) {}

  /** Receives the bytes of a file without a package. @throws common.disk_full; errors of the stream */
  async receive(
    { projectId, name }: Pick<PackageFile, 'projectId' | 'name'>,
    source: ObjectSource,
  ): Promise<PackageFile> {
    const _id = await this.counters.next('package_files');
    const empty = { sizeBytes: 0, sha256: '', sha1: '', status: 'receiving' as const, createdAt: new Date() };
    const file: PackageFile = { _id, projectId, name, ...empty };
    await this.files.create(file);
    try {
      return { ...file, ...(await this.write(file, source)) };
    } catch (error) {
      await this.giveUp(file);
      throw error;
    }
  }

  private async write(
    file: PackageFile,
    source: ObjectSource,
  ): Promise<Pick<PackageFile, 'sizeBytes' | 'sha256' | 'sha1'>> {
    const [sha256, sha1] = [createHash('sha256'), createHash('sha1')];
    const { sizeBytes } = await this.storage.write(keyOf(file), source, (chunk) => {
      sha256.update(chunk);
      sha1.update(chunk);
    });
    return { sizeBytes, sha256: sha256.digest('hex'), sha1: sha1.digest('hex') };
  }

  /**
   * Assigns the file to a package: if that is being removed, the file is removed, too. @throws package.too_many_files
   */
  async assign({ _id }: PackageFile, packageId: number): Promise<void> {
    if ((await this.files.countDocuments({ packageId, status: 'stored' }).limit(mostFiles)) >= mostFiles)
      throw packageErrors.tooManyFiles();
    await this.files.updateOne({ _id, status: 'receiving' }, { $set: { packageId } });
  }

  /**
   * Makes the file visible. @throws common.unavailable if the upload was aborted, or its package or project was deleted
   */
  async place({ _id, sizeBytes, sha256, sha1 }: PackageFile): Promise<void> {
    const { matchedCount } = await this.files.updateOne(
      { _id, status: 'receiving' },
      { $set: { sizeBytes, sha256, sha1, status: 'stored' } },
    );
    if (matchedCount === 0) throw commonErrors.unavailable();
  }

  /** The periodic job retries failures. */
  async giveUp(file: PackageFile): Promise<void> {
    await this.remove(file).catch(() => undefined);
  }

  /** The newest of that name. @throws package.file_not_found */
  async newest(packageId: number, name: string): Promise<PackageFile> {
    const found = await this.files.findOne({ packageId, name, status: 'stored' }).sort({ _id: -1 }).lean<PackageFile>();
    if (!found) throw packageErrors.fileNotFound();
    return found;
  }

  page(packageId: number, { order_by, sort, ...input }: Wanted): Promise<Page<PackageFile>> {
    const direction = sort === 'asc' ? 1 : -1;
    const order = { [fields[order_by]]: direction, _id: direction } as const;
    return findPage(this.files, { packageId, status: 'stored' }, order, input);
  }

  /** Hides the file and deletes it. @throws package.file_not_found */
  async removeOne(packageId: number, id: number): Promise<void> {
    const file = await this.files
      .findOneAndUpdate({ _id: id, packageId, status: 'stored' }, { $set: { status: 'removing' } })
      .lean<PackageFile>();
    if (!file) throw packageErrors.fileNotFound();
    await this.giveUp(file);
  }

  /** Including uploads in progress. */
  async removeOfPackage(packageId: number, signal?: AbortSignal): Promise<void> {
    await this.files.updateMany({ packageId }, { $set: { status: 'removing' } });
    await eachAlone(
      this.files.find({ packageId }).lean<PackageFile>().cursor(),
      (file) => this.removeFile(file),
      signal,
    );
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.files.deleteMany({ projectId });
    await this.storage.removeAll(`packages/${projectId}`);
  }

  /** @param received uploads that started before this time are abandoned */
  async removeOld(received: Date, signal?: AbortSignal): Promise<void> {
    const old: QueryFilter<PackageFile> = {
      $or: [{ status: 'removing' }, { status: 'receiving', createdAt: { $lt: received } }],
    };
    const removeStillOld = async (file: PackageFile) => {
      // Its upload was completed meanwhile: the file stays.
      const { matchedCount } = await this.files.updateOne({ _id: file._id, ...old }, { $set: { status: 'removing' } });
      if (matchedCount > 0) await this.removeFile(file);
    };
    await eachAlone(this.files.find(old).lean<PackageFile>().cursor(), removeStillOld, signal);
  }

  /** Of all projects, by ascending id. */
  storedAbove(_id: number, limit: number): Promise<PackageFile[]> {
    const above = { status: 'stored', _id: { $gt: _id } } as const;
    return this.files.find(above).sort({ _id: 1 }).limit(limit).lean<PackageFile[]>();
  }

  newestStored(limit: number): Promise<PackageFile[]> {
    return this.files.find({ status: 'stored' }).sort({ _id: -1 }).limit(limit).lean<PackageFile[]>();
  }

  findStored(_id: number): Promise<PackageFile | null> {
    return this.files.findOne({ _id, status: 'stored' }).lean<PackageFile>();
  }

  /** Estimated count from collection metadata. */
  count(): Promise<number> {
    return this.files.estimatedDocumentCount();
  }

  /** Total size by project, for projects with files. */
  async sizes(projectIds: number[]): Promise<Map<number, number>> {
    const sums = await this.files.aggregate<{ _id: number; bytes: number }>([
      { $match: { projectId: { $in: projectIds } } },
      { $group: { _id: '$projectId', bytes: { $sum: '$sizeBytes' } } },
    ]);
    return new Map(sums.map(({ _id, bytes }) => [_id, bytes]));
  }

  /** After a crash in between it is hidden, and a periodic job continues. */
  private async remove(file: PackageFile): Promise<void> {
    await this.files.updateOne({ _id: file._id }, { $set: { status: 'removing' } });
    await this.removeFile(file);
  }

  private async removeFile(file: PackageFile): Promise<void> {
    await this.storage.remove(keyOf(file));
    await this.files.deleteOne({ _id: file._id });
  }
}
