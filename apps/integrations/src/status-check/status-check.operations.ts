import { randomUUID } from 'node:crypto';
import {
  answerStatusCheck,
  type Caller,
  type ContextOf,
  getMergeRequest,
  listStatusChecks,
  type MergeRequest,
  notHeadMessage,
  type ParsedOf,
  type ProjectRef,
  passedStatusChecks,
  retryStatusCheck,
  statusCheckErrors,
  window,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Deliveries } from '../delivery/deliveries';
import { Facts } from '../events/facts';
import type { Payload } from '../events/occurrence';
import { CheckedBranches, concerns } from './checked-branches';
import { stateOf } from './state-of-check';
import { StatusChecks } from './status-check.repository';
import type { StatusCheckDocument } from './status-check.schema';
import { viewStatusCheck } from './status-check.view';
import { StatusCheckAnswers } from './status-check-answer.repository';
import { queueOf } from './status-check-delivery-handler';
import { deliveryOf } from './status-check-subscriber';

interface AskedProject {
  project: ProjectRef;
  caller?: Caller | undefined;
}

/** Status checks of a merge request at its head. See docs/api/merge-requests.md#12. */
@Controller()
export class StatusCheckOperations {
  constructor(
    private readonly checks: StatusChecks,
    private readonly answers: StatusCheckAnswers,
    private readonly branches: CheckedBranches,
    private readonly deliveries: Deliveries,
    private readonly facts: Facts,
    private readonly client: OperationClient,
  ) {}

  @Handles(listStatusChecks)
  async list({ project, caller }: ContextOf<typeof listStatusChecks>, input: ParsedOf<typeof listStatusChecks>) {
    const { iid, sha, target_branch } = await this.find({ project, caller }, input.merge_request_iid);
    const [checks, answers] = await Promise.all([
      this.concerning(project.id, target_branch),
      this.answers.ofMergeRequest({ projectId: project.id, iid, sha: sha ?? '' }),
    ]);
    const byCheck = new Map(answers.map((answer) => [answer.checkId, answer]));
    const now = new Date();
    const { skip, limit } = window(input);
    const items = checks.slice(skip, skip + limit).map(({ _id, name, shownUrl }) => ({
      id: _id,
      name,
      external_url: shownUrl,
      status: stateOf(byCheck.get(_id), now),
    }));
    return { items, total: checks.length };
  }

  @Handles(answerStatusCheck)
  async answer({ project, caller }: ContextOf<typeof answerStatusCheck>, input: ParsedOf<typeof answerStatusCheck>) {
    const mergeRequest = await this.find({ project, caller }, input.merge_request_iid);
    const check = await this.get(project.id, input.external_status_check_id, mergeRequest.target_branch);
    const { iid, sha } = mergeRequest;
    if (sha !== input.sha) throw statusCheckErrors.shaMoved(notHeadMessage(sha));
    const status = input.status === 'pass' ? 'passed' : input.status;
    const { _id } = await this.answers.set({ projectId: project.id, iid, sha }, check._id, status);
    const names = await this.branches.namesFor(project.id, [check]);
    // The answer may have changed the merge status.
    const shown = await this.find({ project, caller }, iid);
    return { id: _id, merge_request: shown, external_status_check: viewStatusCheck(check, names) };
  }

  @Handles(retryStatusCheck)
  async retry({ project, caller }: ContextOf<typeof retryStatusCheck>, input: ParsedOf<typeof retryStatusCheck>) {
    const mergeRequest = await this.find({ project, caller }, input.merge_request_iid);
    const check = await this.get(project.id, input.external_status_check_id, mergeRequest.target_branch);
    const place = { projectId: project.id, iid: mergeRequest.iid, sha: mergeRequest.sha ?? '' };
    const known = (await this.answers.ofMergeRequest(place)).find(({ checkId }) => checkId === check._id);
    if (stateOf(known, new Date()) !== 'failed') throw statusCheckErrors.notFailed();
    await this.deliveries.mend(queueOf(check._id));
    const payload = await this.payloadOf({ project, caller }, mergeRequest);
    // Before the delivery, so that an immediate answer is not overwritten. If this is interrupted, the check fails and can be retried.
    await this.answers.set(place, check._id, 'pending');
    await this.deliveries.add([deliveryOf(check, payload, `retry-${randomUUID()}`)]);
    return { message: '202 Accepted' };
  }

  @Handles(passedStatusChecks)
  async passed(
    _: ContextOf<typeof passedStatusChecks>,
    { project_id, merge_requests }: ParsedOf<typeof passedStatusChecks>,
  ) {
    const checks = await this.checks.ofProject(project_id);
    if (checks.length === 0 || merge_requests.length === 0) return merge_requests.map(({ iid }) => iid);
    const [names, answers] = await Promise.all([
      this.branches.namesFor(project_id, checks),
      this.answers.ofMany(project_id, merge_requests),
    ]);
    const passed = new Set(
      answers.filter(({ status }) => status === 'passed').map(({ iid, checkId }) => `${iid} ${checkId}`),
    );
    return merge_requests
      .filter(({ iid, target_branch }) =>
        checks.every((check) => !concerns(check, names, target_branch) || passed.has(`${iid} ${check._id}`)),
      )
      .map(({ iid }) => iid);
  }

  private find({ project, caller }: AskedProject, merge_request_iid: number): Promise<MergeRequest> {
    return this.client.call(getMergeRequest, { id: String(project.id), merge_request_iid }, { project, caller });
  }

  private async concerning(projectId: number, branch: string): Promise<StatusCheckDocument[]> {
    const checks = await this.checks.ofProject(projectId);
    const names = await this.branches.namesFor(projectId, checks);
    return checks.filter((check) => concerns(check, names, branch));
  }

  /** @throws status_check.not_found also for a check of other branches */
  private async get(projectId: number, id: number, branch: string): Promise<StatusCheckDocument> {
    const check = await this.checks.get(projectId, id);
    if (!concerns(check, await this.branches.namesFor(projectId, [check]), branch)) throw statusCheckErrors.notFound();
    return check;
  }

  /** The hook payload of a merge request. */
  private async payloadOf({ project, caller }: AskedProject, mergeRequest: MergeRequest): Promise<Payload> {
    const { id, iid, title, description, state, source_branch, target_branch, draft, sha } = mergeRequest;
    const { source_project_id, target_project_id, author, created_at, updated_at, web_url } = mergeRequest;
    return {
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user: this.facts.viewUser(await this.facts.user(caller?.id ?? null)),
      project: this.facts.viewProject(project),
      repository: this.facts.viewRepository(project),
      object_attributes: {
        ...{ id, iid, title, description, state, source_branch, target_branch, draft, created_at, updated_at },
        ...{ source_project_id, target_project_id, author_id: author?.id ?? null, work_in_progress: draft },
        last_commit: { id: sha },
        url: web_url,
        action: 'update',
      },
      labels: [],
      changes: {},
    };
  }
}
