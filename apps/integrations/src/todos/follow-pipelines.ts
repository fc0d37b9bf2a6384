import {
  Access,
  type EventData,
  type EventRecord,
  listProjectMergeRequests,
  type MergeRequest,
  pipelineChanged,
  projectRefs,
} from '@moothall/contracts';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { snapshotOf } from '../events/event-mapper';
import { MakeTodos } from './make-todos';
import { Todos } from './todo.repository';

type Pipeline = EventData<typeof pipelineChanged>;

/** Creates to-dos for authors of merge requests whose pipeline failed, until it runs again. */
@Injectable()
export class FollowPipelines {
  constructor(
    private readonly todos: Todos,
    private readonly make: MakeTodos,
    private readonly client: OperationClient,
  ) {}

  @OnEvent(pipelineChanged, 'FollowPipelines-changed')
  async changed({ id, data, occurredAt }: EventRecord<Pipeline>): Promise<void> {
    const { project_id: projectId, ref, user_id: userId } = data;
    const createdAt = new Date(occurredAt);
    // Merge requests have branches, not tags; child pipelines are reported by the job that triggered them.
    if (data.tag || data.source === 'parent_pipeline') return;
    if (snapshotOf(data.status) !== 'failed') return this.todos.finishFailures(projectId, ref, createdAt);
    for (const request of await this.findMergeRequests(data)) {
      const target = { targetType: 'MergeRequest', targetId: request.id, ref } as const;
      const about = { projectId, authorId: userId ?? request.author.id, ...target, createdAt };
      await this.make.give('build_failed', [request.author.id], { ...about, eventId: id });
    }
  }

  /** Merge requests of the same project whose head is the built commit. */
  private async findMergeRequests({ project_id, ref, sha }: Pipeline): Promise<MergeRequest[]> {
    const [project] = await this.client.call(projectRefs, { ids: [project_id], user_id: null });
    if (!project) return [];
    const input = { id: String(project_id), state: 'opened', source_branch: ref } as const;
    const context = { project: { ...project, accessLevel: Access.Owner } };
    const { items } = await this.client.call(listProjectMergeRequests, input, context);
    return items.flatMap((request) => ('sha' in request && request.sha === sha ? request : []));
  }
}
