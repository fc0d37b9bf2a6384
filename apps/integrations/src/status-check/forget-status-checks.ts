import { type EventData, type EventRecord, mergeRequestChanged, projectDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Deliveries } from '../delivery/deliveries';
import { StatusChecks } from './status-check.repository';
import { StatusCheckAnswers } from './status-check-answer.repository';
import { queueOf } from './status-check-delivery-handler';

/** Deletes checks with their project, and answers with their merge request. */
@Injectable()
export class ForgetStatusChecks {
  constructor(
    private readonly checks: StatusChecks,
    private readonly answers: StatusCheckAnswers,
    private readonly deliveries: Deliveries,
  ) {}

  @OnEvent(projectDeleted, 'ForgetStatusChecks-ofProject')
  async ofProject({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    for (const { _id } of await this.checks.ofProject(data.project_id)) {
      await this.deliveries.forget(queueOf(_id));
      await this.checks.remove(_id);
    }
    await this.answers.forgetProject(data.project_id);
  }

  @OnEvent(mergeRequestChanged, 'ForgetStatusChecks-ofMergeRequest')
  async ofMergeRequest({ data }: EventRecord<EventData<typeof mergeRequestChanged>>): Promise<void> {
    const { project_id, iid } = data.merge_request;
    if (data.action === 'delete') await this.answers.forgetMergeRequest(project_id, iid);
  }
}
