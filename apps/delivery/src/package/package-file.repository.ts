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

/** Queries on files of packages, together with the files. A record comes before its file and goes after it. */
@Injectable()
export class PackageFiles {
  constructor(
    @InjectModel('PackageFile') private readonly files: Model<PackageFile>,
    private readonly counters: Counters,
    private readonly storage: ObjectStorage,
  ) {}

  /** Takes the bytes of a file that is of no package yet. @throws common.disk_full; what the stream fails with */
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

  /** Names the package that it is to be of: where that is being removed, the file is too. @throws package.too_many_files */
  async assign({ _id }: PackageFile, packageId: number): Promise<void> {
    if ((await this.files.countDocuments({ packageId, status: 'stored' }).limit(mostFiles)) >= mostFiles)
      throw packageErrors.tooManyFiles();
    await this.files.updateOne({ _id, status: 'receiving' }, { $set: { packageId } });
  }

  /** From here on it is seen. @throws common.unavailable where it was given up, or its package or project went */
  async place({ _id, sizeBytes, sha256, sha1 }: PackageFile): Promise<void> {
    const { matchedCount } = await this.files.updateOne(
      { _id, status: 'receiving' },
      { $set: { sizeBytes, sha256, sha1, status: 'stored' } },
    );
    if (matchedCount === 0) throw commonErrors.unavailable();
  }

  /** What cannot be removed now is removed by the periodic job. */
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

  /** From now on nobody finds it. @throws package.file_not_found */
  async removeOne(packageId: number, id: number): Promise<void> {
    const file = await this.files
      .findOneAndUpdate({ _id: id, packageId, status: 'stored' }, { $set: { status: 'removing' } })
      .lean<PackageFile>();
    if (!file) throw packageErrors.fileNotFound();
    await this.giveUp(file);
  }

  /** Also those that are still on their way here. */
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

  /** @param received before which what is still on its way was given up */
  async removeOld(received: Date, signal?: AbortSignal): Promise<void> {
    const old: QueryFilter<PackageFile> = {
      $or: [{ status: 'removing' }, { status: 'receiving', createdAt: { $lt: received } }],
    };
    const removeStillOld = async (file: PackageFile) => {
      // Wholly there since it was found: then it stays.
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

  /** As the database knows it without reading them. */
  count(): Promise<number> {
    return this.files.estimatedDocumentCount();
  }

  /** Bytes of projects that have any, by project. */
  async sizes(projectIds: number[]): Promise<Map<number, number>> {
    const sums = await this.files.aggregate<{ _id: number; bytes: number }>([
      { $match: { projectId: { $in: projectIds } } },
      { $group: { _id: '$projectId', bytes: { $sum: '$sizeBytes' } } },
    ]);
    return new Map(sums.map(({ _id, bytes }) => [_id, bytes]));
  }

  /** After a kill in between, it is hidden, and a periodic job continues. */
  private async remove(file: PackageFile): Promise<void> {
    await this.files.updateOne({ _id: file._id }, { $set: { status: 'removing' } });
    await this.removeFile(file);
  }

  private async removeFile(file: PackageFile): Promise<void> {
    await this.storage.remove(keyOf(file));
    await this.files.deleteOne({ _id: file._id });
  }
}
