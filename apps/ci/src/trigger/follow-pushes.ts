import { type EventData, type EventRecord, repositoryUpdated } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { PipelineMaker } from '../pipeline/pipeline-maker';
import { runsPipelines } from '../pipeline/pipeline-rules';
import { sealVariable } from '../variable/sealed-variable';
import { pushedRefs, readPushOptions } from './push-rules';
import { RunPermissions } from './run-permissions';

type Push = EventData<typeof repositoryUpdated>;

/**
 * Creates the pipelines of pushed branches and tags. A push may arrive twice, after some of its pipelines were
 * created before: the unique key (event and ref) refuses the second one. See docs/api/pipelines.md#6.
 */
@Injectable()
export class FollowPushes {
  constructor(
    private readonly runPermissions: RunPermissions,
    private readonly maker: PipelineMaker,
    private readonly box: SecretBox,
  ) {}

  @OnEvent(repositoryUpdated, 'FollowPushes-onPush')
  async onPush({ id, data }: EventRecord<Push>): Promise<void> {
    const { user, project_id, push_options, changes } = data;
    const refs = pushedRefs(changes);
    // Without options it is an event of a version whose pushes created no pipelines, and may be days old.
    if (!user || !push_options || refs.length === 0) return;
    const { isSkipped, variables } = readPushOptions(push_options);
    const runPermission = await this.runPermissions.find(user.id, project_id);
    if ('reason' in runPermission || !runsPipelines(runPermission.project)) return;
    for (const { ref, ...push } of refs) {
      const draft = await this.maker.draft({
        project: runPermission.project,
        ref,
        push,
        source: 'push',
        userId: user.id,
        isAdmin: runPermission.isAdmin,
        isWanted: false,
        isSkipped,
        variables: variables.map((variable) => sealVariable(this.box, variable)),
        triggerKey: `push ${id} ${push.refType} ${ref}`,
      });
      // Not requested explicitly: if nothing runs, nothing is stored.
      if (!draft.problem || draft.isFileBroken) await this.maker.saveOnce(draft);
    }
  }
}
