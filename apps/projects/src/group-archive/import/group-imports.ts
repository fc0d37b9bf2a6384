import { Lease } from '@moothall/background';
import { Counters } from '@moothall/database';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { WriteGroup } from '../../group/write-group';
import { Namespaces } from '../../namespace/namespace.repository';
import type { NamespaceDocument } from '../../namespace/namespace.schema';
import type { GroupImportDocument } from './group-import.schema';

/** Under which the archive of an import waits until the import has ended. */
export const archiveKeyOf = (importId: number): string => `group-imports/${importId}.tar.gz`;

/** A process that prepares an import renews its lease every two seconds, and counts as lost after seven. */
const silentAfterMs = 10_000;

type Wanted = Pick<GroupImportDocument, '_id' | 'making'>;

/** Every query on imports, and the archives they wait for. */
@Injectable()
export class GroupImports {
  constructor(
    @InjectModel('GroupImport') readonly model: Model<GroupImportDocument>,
    private readonly counters: Counters,
    private readonly storage: ObjectStorage,
    private readonly namespaces: Namespaces,
    private readonly writer: WriteGroup,
  ) {}

  /** Noted before there is anything else of it, so that whatever a kill leaves can be found. */
  async add(_id: number, userId: number, isAdmin: boolean): Promise<GroupImportDocument> {
    return (await this.model.create({ _id, userId, isAdmin, status: 'preparing' })).toObject();
  }

  /** Does the preparation of a new import, of which others see meanwhile that it is under way. */
  async whilePreparing<T>(prepare: (id: number) => Promise<T>): Promise<T> {
    const id = await this.counters.next('group_imports');
    const lease = this.preparation(id);
    await lease.take();
    try {
      return await prepare(id);
    } finally {
      await lease.giveUp();
    }
  }

  /** Does something with an import whose preparation has ended without a word. */
  async ifAbandoned({ _id }: Wanted, end: () => Promise<void>): Promise<void> {
    const lease = this.preparation(_id);
    const silent = AbortSignal.timeout(silentAfterMs);
    const isMine = await lease.take(undefined, silent).then(
      () => true,
      (error: unknown) => {
        if (silent.aborted) return false;
        throw error;
      },
    );
    if (!isMine) return;
    try {
      if ((await this.find(_id))?.status === 'preparing') await end();
    } finally {
      await lease.giveUp();
    }
  }

  private preparation(id: number): Lease {
    return new Lease(this.model.db.collection('leases'), `preparation of import ${id}`);
  }

  find(id: number): Promise<GroupImportDocument | null> {
    return this.model.findById(id).lean<GroupImportDocument>();
  }

  async set(id: number, change: Partial<GroupImportDocument>): Promise<void> {
    await this.model.updateOne({ _id: id }, { $set: change });
  }

  /** @returns false if the import was considered lost and ended meanwhile */
  async queue(id: number, groupId: number): Promise<boolean> {
    const change = { $set: { status: 'queued', groupId } };
    return (await this.model.updateOne({ _id: id, status: 'preparing' }, change)).matchedCount === 1;
  }

  /** Those that a worker has to start or continue. */
  async ready(): Promise<GroupImportDocument[]> {
    return this.model.find({ status: { $in: ['queued', 'started'] } }).lean<GroupImportDocument[]>();
  }

  /** Those that are being prepared, or were when their process was killed. */
  async findInPreparation(): Promise<GroupImportDocument[]> {
    return this.model.find({ status: 'preparing' }).lean<GroupImportDocument[]>();
  }

  /** The group of that number in the archive, where some run has made it. */
  made(id: number, number: number): Promise<NamespaceDocument | null> {
    return this.namespaces.model
      .findOne({ 'importedAs.importId': id, 'importedAs.number': number })
      .lean<NamespaceDocument>();
  }

  /** Id for a group to be made: the one that a run used which was killed in the middle of making it. */
  async idFor({ _id, making }: Wanted, number: number): Promise<number> {
    if (making?.number === number) return making.groupId;
    const groupId = await this.writer.nextId();
    await this.set(_id, { making: { number, groupId } });
    return groupId;
  }

  /** Removes everything but the note of how it ended. */
  async end({ _id, making }: Wanted, error: string | null): Promise<void> {
    if (making && !(await this.made(_id, making.number))) await this.writer.forgetUnwritten(making.groupId);
    await this.storage.remove(archiveKeyOf(_id));
    await this.set(_id, { status: error === null ? 'finished' : 'failed', error, making: null });
  }

  /** As if it had never been asked for. */
  async forget({ _id }: Wanted): Promise<void> {
    await this.storage.remove(archiveKeyOf(_id));
    await this.model.deleteOne({ _id });
  }
}
