import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, QueryFilter } from 'mongoose';
import type { ReplicaRow, RepositoryKind, RepositoryRow } from './replica-row.schema';

export type FailureType = 'sync' | 'checksum_mismatch' | 'verification';

/** The copies of a project, some of which failed. */
export interface FailedProject {
  projectId: number;
  code?: RepositoryRow | undefined;
  wiki?: RepositoryRow | undefined;
}

const failing: Record<FailureType, QueryFilter<ReplicaRow>> = {
  sync: { state: 'failed' },
  checksum_mismatch: { verification: 'mismatch' },
  verification: { verification: { $in: ['failed', 'mismatch'] } },
};

/** Projects with failed copies; reads the failed rows only. */
@Injectable()
export class ReplicaFailures {
  constructor(@InjectModel('ReplicaRow') private readonly rows: Model<ReplicaRow>) {}

  async page(
    type: FailureType,
    kinds: readonly RepositoryKind[],
    { page, per_page }: { page: number; per_page: number },
  ): Promise<{ items: FailedProject[]; total: number }> {
    const projects: PipelineStage[] = [
      { $match: { kind: { $in: [...kinds] }, ...failing[type] } },
      { $group: { _id: '$projectId' } },
    ];
    const [found, [counted]] = await Promise.all([
      this.rows.aggregate<{ _id: number }>([
        ...projects,
        { $sort: { _id: 1 } },
        { $skip: (page - 1) * per_page },
        { $limit: per_page },
      ]),
      this.rows.aggregate<{ total: number }>([...projects, { $count: 'total' }]),
    ]);
    const ids = found.map(({ _id }) => _id);
    const rows = await this.rows
      .find({ projectId: { $in: ids }, kind: { $in: ['code', 'wiki'] } })
      .lean<RepositoryRow[]>();
    const of = (id: number, kind: RepositoryKind) => rows.find((row) => row.projectId === id && row.kind === kind);
    return {
      items: ids.map((projectId) => ({ projectId, code: of(projectId, 'code'), wiki: of(projectId, 'wiki') })),
      total: counted?.total ?? 0,
    };
  }
}
