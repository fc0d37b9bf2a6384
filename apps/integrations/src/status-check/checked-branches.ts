import { listProtections } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { passesFilter } from '../hook/branch-filter';
import type { StatusCheckDocument } from './status-check.schema';

/** Names and patterns of protected branches of a project, by id. */
export type ProtectedNames = ReadonlyMap<number, string>;

/** Protected branches of checks; the repository service stores the protections. */
@Injectable()
export class CheckedBranches {
  constructor(private readonly client: OperationClient) {}

  /** Makes no request if no check names a branch. */
  async namesFor(projectId: number, checks: readonly Pick<StatusCheckDocument, 'protectedBranchIds'>[]) {
    if (checks.every(({ protectedBranchIds }) => protectedBranchIds.length === 0)) return new Map<number, string>();
    return this.names(projectId);
  }

  async names(projectId: number): Promise<ProtectedNames> {
    const all = await this.client.call(listProtections, { project_id: projectId });
    return new Map(
      all.flatMap(({ kind, id, name }) => (kind === 'branch' && id !== undefined ? [[id, name] as const] : [])),
    );
  }
}

/** Whether a check applies to merge requests of a branch. If all its protected branches were deleted, it applies to every branch. */
export function concerns(
  { protectedBranchIds }: Pick<StatusCheckDocument, 'protectedBranchIds'>,
  names: ProtectedNames,
  branch: string,
): boolean {
  const patterns = protectedBranchIds.map((id) => names.get(id)).filter((name) => name !== undefined);
  if (patterns.length === 0) return true;
  return patterns.some((branchFilter) => passesFilter({ branchFilter, branchFilterStrategy: 'wildcard' }, branch));
}
