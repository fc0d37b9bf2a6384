import {
  type EventData,
  type EventRecord,
  memberChanged,
  projectDeleted,
  userChanged,
  userDeleted,
  userSummaries,
} from '@moothall/contracts';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Artifacts } from '../artifact/artifact.repository';
import { Pipelines } from '../pipeline/pipeline.repository';
import { Runners } from '../runner/runner.repository';
import { Schedules } from '../schedule/schedule.repository';
import { Traces } from '../trace/trace.repository';
import { RunPermissions, reasons } from './run-permissions';

type Event<E> = EventRecord<EventData<E>>;

/** Effects of changes of owners and projects. Events may arrive twice. */
@Injectable()
export class FollowOwners {
  constructor(
    private readonly schedules: Schedules,
    private readonly pipelines: Pipelines,
    private readonly traces: Traces,
    private readonly artifacts: Artifacts,
    private readonly runners: Runners,
    private readonly runPermissions: RunPermissions,
    private readonly client: OperationClient,
  ) {}

  @OnEvent(userChanged, 'FollowOwners-onUserChanged')
  async onUserChanged({ data }: Event<typeof userChanged>): Promise<void> {
    const [user] = await this.client.call(userSummaries, { ids: [data.user_id] });
    if (user && user.state !== 'active') await this.schedules.deactivate(data.user_id, reasons.ownerBlocked);
  }

  @OnEvent(userDeleted, 'FollowOwners-onUserDeleted')
  async onUserDeleted({ data }: Event<typeof userDeleted>): Promise<void> {
    await this.schedules.disown(data.user_id, reasons.ownerGone);
    await this.pipelines.reassign(data.user_id, data.ghost_user_id);
    await this.runners.disown(data.user_id);
  }

  /** A member of a group may have lost any of the projects below: each is checked again. */
  @OnEvent(memberChanged, 'FollowOwners-onMemberChanged')
  async onMemberChanged({ data }: Event<typeof memberChanged>): Promise<void> {
    for (const projectId of await this.schedules.projectsOf(data.user_id)) {
      const runPermission = await this.runPermissions.find(data.user_id, projectId);
      if ('reason' in runPermission) await this.schedules.deactivate(data.user_id, runPermission.reason, projectId);
    }
  }

  @OnEvent(projectDeleted, 'FollowOwners-onProjectDeleted')
  async onProjectDeleted({ data }: Event<typeof projectDeleted>): Promise<void> {
    await this.schedules.removeOfProject(data.project_id);
    await this.traces.removeOfProject(data.project_id);
    await this.pipelines.removeOfProject(data.project_id);
    await this.artifacts.removeOfProject(data.project_id);
    await this.runners.removeOfProject(data.project_id);
  }
}
