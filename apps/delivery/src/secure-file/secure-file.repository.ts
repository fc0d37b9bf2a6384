import { createHash } from 'node:crypto';
import { eachAlone } from '@moothall/background';
import { commonErrors, mostSecureFiles, type Page, secureFileErrors } from '@moothall/contracts';
import { Counters, findPage, isDuplicateKey } from '@moothall/database';
import { type ObjectSource, ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { readCertificate } from './read-certificate';
import type { SecureFile } from './secure-file.schema';

type Named = Pick<SecureFile, 'projectId' | 'name'>;

const slotOf = ({ projectId, name }: Named): string => `${projectId}/${name}`;

export const keyOf = ({ _id, projectId }: Pick<SecureFile, '_id' | 'projectId'>): string =>
  `secure_files/${projectId}/${_id}`;

/** Queries on secure files, including the stored files. A record is written before its file and deleted after it. */
@Injectable()
export class SecureFiles {
  constructor(
    @InjectModel('SecureFile') private readonly files: Model<SecureFile>,
    private readonly counters: Counters,
    private readonly storage: ObjectStorage,
  ) {}

  page(projectId: number, input: { page: number; per_page: number }): Promise<Page<SecureFile>> {
    return findPage(this.files, { projectId, status: 'stored' }, { _id: 1 }, input);
  }

  /** @throws secure_file.not_found */
  async get(projectId: number, _id: number): Promise<SecureFile> {
    const found = await this.files.findOne({ _id, projectId, status: 'stored' }).lean<SecureFile>();
    if (!found) throw secureFileErrors.notFound();
    return found;
  }

  /** @throws secure_file.taken; secure_file.too_many; common.disk_full; errors of the stream */
  async add(named: Named, source: ObjectSource): Promise<SecureFile> {
    if (await this.files.exists({ slot: slotOf(named) })) throw secureFileErrors.taken();
    const _id = await this.counters.next('secure_files');
    const empty = { sha256: '', metadata: null, status: 'receiving' as const, createdAt: new Date() };
    const file: SecureFile = { _id, ...named, ...empty };
    await this.takeSeat(file);
    try {
      return await this.place({ ...file, ...(await this.write(file, source)) });
    } catch (error) {
      // The periodic job retries failures.
      await this.remove(file).catch(() => undefined);
      throw isDuplicateKey(error, 'slot') ? secureFileErrors.taken() : error;
    }
  }

  /**
   * Each seat is unique, so concurrent uploads never exceed the limit. @throws secure_file.too_many; common.unavailable
   */
  private async takeSeat(file: SecureFile): Promise<void> {
    for (let tries = 0; tries < mostSecureFiles; tries++) {
      const seat = await this.findFreeSeat(file.projectId);
      const isTaken = await this.files.create({ ...file, seat }).then(
        () => false,
        (error: unknown) => {
          if (isDuplicateKey(error, 'seat')) return true;
          throw error;
        },
      );
      if (!isTaken) return;
    }
    throw commonErrors.unavailable();
  }

  /**
   * A random one, so that concurrent uploads rarely choose the same. Files of an earlier version have no seat but
   * count; a file that is being removed may still have its seat. @throws secure_file.too_many
   */
  private async findFreeSeat(projectId: number): Promise<number> {
    const $or = [{ status: { $in: ['receiving', 'stored'] as const } }, { seat: { $exists: true } }];
    const shown = { seat: 1, status: 1 } as const;
    const known = await this.files.find({ projectId, $or }, shown).lean<Pick<SecureFile, 'seat' | 'status'>[]>();
    const held = known.filter(({ status }) => status !== 'removing');
    if (held.length >= mostSecureFiles) throw secureFileErrors.tooMany();
    const unseated = held.filter(({ seat }) => seat === undefined).length;
    const taken = new Set(known.map(({ seat }) => seat));
    const free = Array.from({ length: mostSecureFiles - unseated }, (_, at) => at + 1).filter(
      (seat) => !taken.has(seat),
    );
    const chosen = free[Math.floor(Math.random() * free.length)];
    if (chosen === undefined) throw secureFileErrors.tooMany();
    return chosen;
  }

  private async write(file: SecureFile, source: ObjectSource): Promise<Pick<SecureFile, 'sha256' | 'metadata'>> {
    const sha256 = createHash('sha256');
    const chunks: Buffer[] = [];
    await this.storage.write(keyOf(file), source, (chunk) => {
      sha256.update(chunk);
      chunks.push(Buffer.from(chunk));
    });
    return { sha256: sha256.digest('hex'), metadata: readCertificate(file.name, Buffer.concat(chunks)) };
  }

  /** Makes the file visible. @throws common.unavailable if the upload was aborted, or its project was deleted */
  private async place(file: SecureFile): Promise<SecureFile> {
    const { _id, sha256, metadata } = file;
    const there = { sha256, metadata, status: 'stored' as const, slot: slotOf(file) };
    const { matchedCount } = await this.files.updateOne({ _id, status: 'receiving' }, { $set: there });
    if (matchedCount === 0) throw commonErrors.unavailable();
    return { ...file, ...there };
  }

  /** Hides the file, frees its name and deletes it. @throws secure_file.not_found */
  async removeOne(projectId: number, _id: number): Promise<void> {
    const { matchedCount } = await this.files.updateOne({ _id, projectId, status: 'stored' }, removing);
    if (matchedCount === 0) throw secureFileErrors.notFound();
    await this.removeFile({ _id, projectId }).catch(() => undefined);
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.files.deleteMany({ projectId });
    await this.storage.removeAll(`secure_files/${projectId}`);
  }

  /** @param received uploads that started before this time are abandoned */
  async removeOld(received: Date, signal?: AbortSignal): Promise<void> {
    const old: QueryFilter<SecureFile> = {
      $or: [{ status: 'removing' }, { status: 'receiving', createdAt: { $lt: received } }],
    };
    const removeStillOld = async (file: SecureFile) => {
      // Its upload was completed meanwhile: the file stays.
      const { matchedCount } = await this.files.updateOne({ _id: file._id, ...old }, removing);
      if (matchedCount > 0) await this.removeFile(file);
    };
    await eachAlone(this.files.find(old).lean<SecureFile>().cursor(), removeStillOld, signal);
  }

  /** After a crash in between it is hidden, and a periodic job continues. */
  private async remove(file: SecureFile): Promise<void> {
    await this.files.updateOne({ _id: file._id }, removing);
    await this.removeFile(file);
  }

  private async removeFile(file: Pick<SecureFile, '_id' | 'projectId'>): Promise<void> {
    await this.storage.remove(keyOf(file));
    await this.files.deleteOne({ _id: file._id });
  }
}

const removing = { $set: { status: 'removing' as const }, $unset: { slot: 1 as const, seat: 1 as const } };
