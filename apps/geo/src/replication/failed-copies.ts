import type { Page } from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { type ReplicaKind, type ReplicaRow, replicaKinds } from './replica-row.schema';

const failing: QueryFilter<ReplicaRow>[] = [
  { state: 'failed' },
  { state: 'removing', tries: { $gt: 0 } },
  { verification: { $in: ['failed', 'mismatch', 'missing'] } },
];

/** Failed copies of all kinds. */
@Injectable()
export class FailedCopies {
  constructor(@InjectModel('ReplicaRow') private readonly rows: Model<ReplicaRow>) {}

  page(kind: ReplicaKind | undefined, input: { page: number; per_page: number }): Promise<Page<ReplicaRow>> {
    const kinds = kind ? [kind] : [...replicaKinds];
    return findPage(this.rows, { $or: failing.map((each) => ({ kind: { $in: kinds }, ...each })) }, { _id: 1 }, input);
  }
}
