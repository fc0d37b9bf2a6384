import type { listPipelines, ParsedOf, PipelineStatus } from '@moothall/contracts';
import type { QueryFilter, SortOrder } from 'mongoose';
import type { Pipeline } from './pipeline.schema';

type Input = ParsedOf<typeof listPipelines>;

const finished: PipelineStatus[] = ['success', 'failed', 'canceled', 'skipped'];
const scopes: Record<NonNullable<Input['scope']>, QueryFilter<Pipeline>> = {
  running: { status: 'running' },
  pending: { status: 'pending' },
  finished: { status: { $in: finished } },
  branches: { isTag: false, mergeRequest: { $exists: false } },
  tags: { isTag: true },
};

/** @param userIds of the requested user; empty if the user does not exist */
export function pipelineFilter(projectId: number, input: Input, userIds: number[] | undefined): QueryFilter<Pipeline> {
  return {
    projectId,
    $and: [
      input.scope ? scopes[input.scope] : {},
      {
        ...(input.status && { status: input.status }),
        // Child pipelines are shown with their parents.
        source: input.source ?? { $ne: 'parent_pipeline' },
        ...(input.ref !== undefined && { ref: input.ref }),
        ...(input.sha !== undefined && { sha: input.sha }),
        ...(userIds && { userId: { $in: userIds } }),
        ...(input.yaml_errors !== undefined && { yamlErrors: input.yaml_errors ? { $ne: null } : null }),
        ...range('updatedAt', input.updated_after, input.updated_before),
        ...range('createdAt', input.created_after, input.created_before),
      },
    ],
  };
}

function range(field: 'updatedAt' | 'createdAt', after?: string, before?: string): QueryFilter<Pipeline> {
  if (after === undefined && before === undefined) return {};
  return { [field]: { ...(after && { $gte: new Date(after) }), ...(before && { $lte: new Date(before) }) } };
}

const fields: Record<Input['order_by'], string> = {
  id: '_id',
  status: 'status',
  ref: 'ref',
  updated_at: 'updatedAt',
  user_id: 'userId',
};

export function pipelineOrder({ order_by, sort }: Input): Record<string, SortOrder> {
  return { [fields[order_by]]: sort, _id: sort };
}
