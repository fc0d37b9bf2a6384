import {
  ciSource,
  mergeRequestRef,
  type OutputOf,
  onlyGiven,
  type PipelineMergeRequest,
  type PipelineSource,
  type ProjectRef,
  present,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { FreezePeriods } from '../freeze-period/freeze-periods';
import type { Choice, ChosenJob } from '../pipeline-file/choose-jobs';
import type { Reader } from '../pipeline-file/included-files';
import { type JobSpec, PipelineFileError } from '../pipeline-file/job-spec';
import { PipelineFiles, tooBig } from '../pipeline-file/pipeline-files';
import { ResourceGroups } from '../resource-group/resource-group.repository';
import type { CiSettings } from '../settings/settings';
import { openVariable, type SealedVariable } from '../variable/sealed-variable';
import { StoredVariables } from '../variable/stored-variables';
import { withoutValues } from '../variable/variable-rules';
import { JobPlaces } from './job-places';
import { ParentArtifacts } from './parent-artifacts';
import { Pipelines } from './pipeline.repository';
import type { Job, Pipeline, Upstream } from './pipeline.schema';
import { AlreadyTriggered } from './pipeline-insertion';
import { stateOf } from './pipeline-state';
import { pipelineFilePath, predefinedVariables } from './predefined-variables';
import { RedundantPipelines } from './redundant-pipelines';
import { settle } from './settle';

/** The request for a pipeline. */
export interface PipelineRequest {
  project: ProjectRef;
  ref: string;
  source: PipelineSource;
  userId: number | null;
  /** Whether that user is an administrator. */
  isAdmin: boolean;
  variables: SealedVariable[];
  /** The push. Its commit counts, even if the ref has moved on. */
  push?: { refType: 'branch' | 'tag'; before: string; after: string };
  /** Whether it was explicitly requested, so that `[skip ci]` in a message does not stop it. */
  isWanted: boolean;
  /** Whether the pushing user skips its jobs. */
  isSkipped?: boolean;
  /** Its merge request; then `ref` is the source branch. */
  mergeRequest?: PipelineMergeRequest;
  /** The job that creates it. */
  upstream?: Upstream;
  /** Replaces the pipeline file. */
  content?: string;
  schedule?: { id: number; description: string };
  /** See Pipeline.triggerKey. */
  triggerKey?: string;
}

/** The content of a new pipeline; without jobs if there is a problem. */
export interface PipelineDraft {
  request: PipelineRequest;
  facts: Pick<Pipeline, 'ref' | 'isTag' | 'isProtected' | 'sha' | 'beforeSha' | 'source' | 'commit' | 'mergeRequest'>;
  /** Why there are no jobs. */
  problem: string | null;
  /** The problem is in the file, and its author should see it. */
  isFileBroken?: boolean;
  /** There are no jobs because of a commit message. */
  isSkipped?: boolean;
  /** Why it cannot be created at all; such a draft is not stored. */
  refusal?: 'ref_gone' | 'ref_protected';
  jobs: ChosenJob[];
  specs: Record<string, JobSpec>;
  /** The result of `workflow`. */
  workflow?: Pick<Pipeline, 'name' | 'autoCancel'>;
}

const noCommit = '0'.repeat(40);
const defaultTimeoutSeconds = 3600;
const skipPattern = /\[(ci[ _-]skip|skip[ _-]ci)\]/i;
const stateBefore = { status: 'created', startedAt: null, finishedAt: null } as const;

type Source = NonNullable<OutputOf<typeof ciSource>>;

/** Creates pipelines from a ref's commit and pipeline file. */
@Injectable()
export class PipelineMaker {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly client: OperationClient,
    private readonly box: SecretBox,
    private readonly files: PipelineFiles,
    private readonly redundant: RedundantPipelines,
    private readonly variables: StoredVariables,
    private readonly resourceGroups: ResourceGroups,
    private readonly places: JobPlaces,
    private readonly freezes: FreezePeriods,
    private readonly parentArtifacts: ParentArtifacts,
    @Inject(settingsToken) private readonly settings: CiSettings,
  ) {}

  /** Reads commit and file, and decides which jobs run. Writes nothing. */
  async draft(request: PipelineRequest): Promise<PipelineDraft> {
    const { project, ref, isAdmin, mergeRequest, push } = request;
    const iid = mergeRequest?.target_project.id === project.id ? mergeRequest.iid : undefined;
    const file = { path: pipelineFilePath(project), max_bytes: this.files.sizeBytes };
    const pushed = push && { ref_type: push.refType, sha: push.after };
    const asked = { ref, merge_request_iid: iid, is_admin: isAdmin, ...pushed, ...file };
    const source = await this.client.call(ciSource, asked, { project });
    const facts = {
      source: request.source,
      ref: iid === undefined ? ref : mergeRequestRef(iid),
      ...factsOf(source),
      beforeSha: push?.before ?? noCommit,
      ...(mergeRequest && { mergeRequest }),
    };
    const empty = { request, facts, jobs: [], specs: {} };
    if (!source) return { ...empty, problem: 'Reference not found', refusal: 'ref_gone' };
    if (!source.may_update) {
      return { ...empty, problem: `Insufficient permissions for protected ref '${ref}'`, refusal: 'ref_protected' };
    }
    const content = request.content ?? source.content;
    if (request.content === undefined && source.is_too_large)
      return { ...empty, problem: tooBig().message, isFileBroken: true };
    if (content === null) return { ...empty, problem: 'Missing CI config file' };
    if (!request.isWanted && (request.isSkipped || skipPattern.test(source.commit.message))) {
      return { ...empty, problem: null, isSkipped: true };
    }
    try {
      const at = { ref, merge_request_iid: iid, ...(push && { ref_type: push.refType }), sha: source.commit.id };
      // The projects service gets a first push no earlier than this service.
      const defaultBranch = source.default_branch ?? project.defaultBranch;
      const asOfNow = { ...request, project: { ...project, defaultBranch } };
      const { jobs, name, autoCancel } = await this.choose(content, asOfNow, facts, at);
      const problem = jobs.length > 0 ? null : 'No stages / jobs for this pipeline.';
      const specs = Object.fromEntries(jobs.map((job) => [job.name, job.spec]));
      const workflow = { ...(name && { name }), ...(Object.keys(autoCancel).length > 0 && { autoCancel }) };
      return { request, facts, problem, jobs, specs, workflow };
    } catch (error) {
      if (error instanceof PipelineFileError) return { ...empty, problem: error.message, isFileBroken: true };
      throw error;
    }
  }

  private async choose(
    content: string,
    request: PipelineRequest,
    facts: PipelineDraft['facts'],
    at: Reader['at'],
  ): Promise<Choice> {
    const { project, schedule, variables, upstream } = request;
    const kept = await this.variables.choose(project, facts);
    const open = (variable: SealedVariable) => openVariable(this.box, variable);
    const given = [...kept, ...variables].map(open);
    const occasion = {
      ref: request.ref,
      isTag: facts.isTag,
      source: facts.source,
      projectPath: project.fullPath,
      predefined: {
        ...predefinedVariables(facts, project, this.settings, schedule?.description),
        ...(await this.freezes.variables(project.id)),
      },
      given: Object.fromEntries(given.map(({ key, value }) => [key, value])),
      masked: kept.flatMap(({ key, isMasked }) => (isMasked ? key : [])),
    };
    const caller = request.userId === null ? null : { id: request.userId, isAdmin: request.isAdmin };
    const reader: Reader = { project, at, caller, changedSince: changedSince(request) };
    if (request.source === 'parent_pipeline' && upstream)
      reader.readArtifact = (file, maxBytes) => this.parentArtifacts.read(upstream.pipelineId, file, maxBytes);
    return this.files.choose(content, occasion, reader).catch((error: unknown) => {
      if (!(error instanceof PipelineFileError)) throw error;
      // The message may contain addresses with their values, and all readers of the pipeline see it.
      const masked = kept.filter(({ isMasked }) => isMasked).map((variable) => open(variable).value);
      throw new PipelineFileError(withoutValues(error.message, masked));
    });
  }

  /**
   * Stores a draft; one with a problem becomes a failed pipeline.
   * @throws AlreadyTriggered if one with the same `triggerKey` exists
   */
  async save({ request, facts, problem, jobs, specs, workflow }: PipelineDraft): Promise<Pipeline> {
    const { project, userId, variables, schedule, triggerKey, upstream } = request;
    const ids = await this.pipelines.takeIds(project.id, jobs.length);
    const now = new Date();
    const timeoutSeconds = project.ci?.timeoutSeconds ?? defaultTimeoutSeconds;
    const unplaced = jobsOf(jobs, { firstId: ids.jobId, userId, timeoutSeconds, now });
    const place = { _id: ids.id, iid: ids.iid, createdAt: now, ...facts, ...workflow };
    const placed = this.places.place(unplaced, jobs, place, request);
    await this.resourceGroups.ensure(
      project.id,
      placed.flatMap(({ resourceGroup }) => resourceGroup ?? []),
    );
    const created = settle(placed, now);
    const { pendingSince, deadlineAt, nextStartAt, ...state } = stateOf(created, stateBefore, now);
    const pipeline = await this.pipelines.add({
      _id: ids.id,
      iid: ids.iid,
      projectId: project.id,
      ...facts,
      userId,
      ...workflow,
      yamlErrors: problem,
      variables,
      specs: JSON.stringify(specs),
      jobs: created,
      revision: 0,
      ...state,
      ...(problem && { status: 'failed', finishedAt: now }),
      ...onlyGiven({ pendingSince, deadlineAt, nextStartAt }),
      ...(upstream && { upstream }),
      ...(schedule && { scheduleId: schedule.id }),
      ...(triggerKey && { triggerKey }),
    });
    await this.redundant.cancel(pipeline, project);
    return pipeline;
  }

  /** The same if it may already exist: returns the pipeline with the same `triggerKey`. */
  async saveOnce(draft: PipelineDraft): Promise<void> {
    await this.save(draft).catch(async (error: unknown) => {
      if (!(error instanceof AlreadyTriggered)) throw error;
      // By another replica, or by one that died before this step.
      const made = await this.pipelines.findLast({ triggerKey: present(draft.request.triggerKey, 'what it was for') });
      if (made) await this.redundant.cancel(made, draft.request.project);
    });
  }
}

/** The changes of a new branch, a tag, and without a push are unknown. */
function changedSince({ push, mergeRequest }: PipelineRequest): string | null {
  if (mergeRequest) return mergeRequest.diff_base_sha;
  return push?.refType === 'branch' && push.before !== noCommit ? push.before : null;
}

/** Facts of a pipeline about its ref and commit. */
export function factsOf(source: Source | null): Pick<Pipeline, 'isTag' | 'isProtected' | 'sha' | 'commit'> {
  if (!source) return { isTag: false, isProtected: false, sha: noCommit, commit: null };
  const { id, message, author_name, author_email, committed_date } = source.commit;
  return {
    isTag: source.ref_type === 'tag',
    isProtected: source.is_protected,
    sha: id,
    commit: { id, message, authorName: author_name, authorEmail: author_email, committedAt: new Date(committed_date) },
  };
}

function jobsOf(
  chosen: ChosenJob[],
  {
    firstId,
    userId,
    timeoutSeconds,
    now,
  }: { firstId: number; userId: number | null; timeoutSeconds: number; now: Date },
): Job[] {
  const stages = [...new Set(chosen.map((job) => job.stage))];
  return chosen.map((job, index) => ({
    id: firstId + index,
    name: job.name,
    stage: job.stage,
    stageIndex: stages.indexOf(job.stage),
    status: 'created',
    when: job.when,
    ...(job.startInSeconds !== undefined && { startInSeconds: job.startInSeconds }),
    allowFailure: job.allowFailure,
    ...(job.allowedExitCodes && { allowedExitCodes: job.allowedExitCodes }),
    needs: job.needNames,
    tags: job.tags,
    retry: job.retry,
    isInterruptible: job.isInterruptible,
    ...(job.spec.trigger && { isBridge: true }),
    ...(job.coveragePattern !== null && { coveragePattern: job.coveragePattern }),
    isRetried: false,
    userId,
    timeoutSeconds: job.spec.timeoutSeconds ?? timeoutSeconds,
    variables: [],
    failureReason: null,
    runnerId: null,
    tokenSha256: null,
    createdAt: now,
    queuedAt: null,
    startedAt: null,
    finishedAt: null,
    erasedAt: null,
  }));
}
