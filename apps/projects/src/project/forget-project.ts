import { type EventData, type EventRecord, projectDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Members } from '../member/member.repository';
import { projectKey } from '../member/source';
import { Routes } from '../namespace/routes';
import { Shares } from '../share/share.repository';

/** What this service keeps of a project goes after it, by the same event as everywhere. */
@Injectable()
export class ForgetProject {
  constructor(
    private readonly members: Members,
    private readonly shares: Shares,
    private readonly routes: Routes,
  ) {}

  @OnEvent(projectDeleted)
  async deleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.members.forget(projectKey(data.project_id));
    await this.shares.forget(projectKey(data.project_id));
    await this.routes.release('project', data.project_id);
  }
}
