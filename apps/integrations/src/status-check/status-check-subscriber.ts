import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { NewDelivery } from '../delivery/delivery.repository';
import type { Occurrence, Payload, Subscriber } from '../events/occurrence';
import { Subscribers } from '../events/subscribers';
import { CheckedBranches, concerns } from './checked-branches';
import { StatusChecks } from './status-check.repository';
import type { StatusCheckDocument } from './status-check.schema';
import { StatusCheckAnswers } from './status-check-answer.repository';
import { queueOf } from './status-check-delivery-handler';

/** Attributes of a merge request in hook payloads. */
interface Attributes {
  iid: number;
  state: string;
  target_branch: string;
  last_commit: { id: string } | null;
}

/** Status checks receive each change of an open merge request, as hooks do. */
@Injectable()
export class StatusCheckSubscriber implements Subscriber, OnModuleInit {
  constructor(
    private readonly subscribers: Subscribers,
    private readonly checks: StatusChecks,
    private readonly answers: StatusCheckAnswers,
    private readonly branches: CheckedBranches,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this);
  }

  async deliveriesFor({ id, project, switch: under, web }: Occurrence): Promise<NewDelivery[]> {
    if (!project || !web || under !== 'merge_requests_events') return [];
    const checks = await this.checks.ofProject(project.id);
    if (checks.length === 0) return [];
    const payload = await web();
    const { iid, state, target_branch, last_commit } = payload.object_attributes as Attributes;
    if (state !== 'opened' || last_commit === null) return [];
    const names = await this.branches.namesFor(project.id, checks);
    const asked = checks.filter((check) => concerns(check, names, target_branch));
    for (const { _id } of asked) await this.answers.expect({ projectId: project.id, iid, sha: last_commit.id }, _id);
    return asked.map((check) => deliveryOf(check, payload, id));
  }
}

/** @param key idempotency key of the delivery */
export const deliveryOf = (
  { _id, name, shownUrl }: StatusCheckDocument,
  payload: Payload,
  key: string,
): NewDelivery => ({
  line: queueOf(_id),
  key,
  trigger: 'merge_request_hooks',
  payload: JSON.stringify({ ...payload, external_approval_rule: { id: _id, name, external_url: shownUrl } }),
});
