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

/** Key of the archive in the object storage until the import ends. */
export const archiveKeyOf = (importId: number): string => `group-imports/${importId}.tar.gz`;

/** A process that prepares an import renews its lease every two seconds, and counts as lost after seven. */
const silentAfterMs = 10_000;

type Wanted = Pick<GroupImportDocument, '_id' | 'making'>;

/** Every query on imports, and their archives. */
@Injectable()
export class GroupImports {
  constructor(
    @InjectModel('GroupImport') readonly model: Model<GroupImportDocument>,
    private readonly counters: Counters,
    private readonly storage: ObjectStorage,
    private readonly namespaces: Namespaces,
    private readonly writer: WriteGroup,
  ) {}

  /** Stored first, so that a crash leaves nothing that cannot be found. */
  async add(_id: number, userId: number, isAdmin: boolean): Promise<GroupImportDocument> {
    return (await this.model.create({ _id, userId, isAdmin, status: 'preparing' })).toObject();
  }

  /** Runs the preparation of a new import while it renews a lease. */
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

  /** Runs `end` for an import whose lease has expired. */
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

  /** Imports that a worker has to start or continue. */
  async ready(): Promise<GroupImportDocument[]> {
    return this.model.find({ status: { $in: ['queued', 'started'] } }).lean<GroupImportDocument[]>();
  }

  /** Imports in preparation, also those of crashed processes. */
  async findInPreparation(): Promise<GroupImportDocument[]> {
    return this.model.find({ status: 'preparing' }).lean<GroupImportDocument[]>();
  }

  /** The group with that number in the archive, if an earlier run created it. */
  made(id: number, number: number): Promise<NamespaceDocument | null> {
    return this.namespaces.model
      .findOne({ 'importedAs.importId': id, 'importedAs.number': number })
      .lean<NamespaceDocument>();
  }

  /** Id for a new group: that of an earlier run which crashed while creating it, if any. */
  async idFor({ _id, making }: Wanted, number: number): Promise<number> {
    if (making?.number === number) return making.groupId;
    const groupId = await this.writer.nextId();
    await this.set(_id, { making: { number, groupId } });
    return groupId;
  }

  /** Removes everything except the record of the result. */
  async end({ _id, making }: Wanted, error: string | null): Promise<void> {
    if (making && !(await this.made(_id, making.number))) await this.writer.forgetUnwritten(making.groupId);
    await this.storage.remove(archiveKeyOf(_id));
    await this.set(_id, { status: error === null ? 'finished' : 'failed', error, making: null });
  }

  /** Deletes the record of an import that was refused. */
  async forget({ _id }: Wanted): Promise<void> {
    await this.storage.remove(archiveKeyOf(_id));
    await this.model.deleteOne({ _id });
  }
}
