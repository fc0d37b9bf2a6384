import { type EventData, type EventRecord, groupDeleted, projectDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { type HookOwner, Hooks } from '../hook/hook.repository';
import { WriteHook } from '../hook/write-hook';

/** Deletes hooks with their project or group. */
@Injectable()
export class ForgetHooks {
  constructor(
    private readonly hooks: Hooks,
    private readonly writeHook: WriteHook,
  ) {}

  @OnEvent(projectDeleted, 'ForgetHooks-ofProject')
  async ofProject({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.forget({ kind: 'project', parentId: data.project_id });
  }

  @OnEvent(groupDeleted, 'ForgetHooks-ofGroup')
  async ofGroup({ data }: EventRecord<EventData<typeof groupDeleted>>): Promise<void> {
    await this.forget({ kind: 'group', parentId: data.group_id });
  }

  private async forget(owner: HookOwner): Promise<void> {
    for (const id of await this.hooks.idsOf(owner)) await this.writeHook.remove(owner, id);
  }
}
