import { type ProjectRef, present } from '@moothall/contracts';
import { SecretBox } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { stringify } from 'yaml';
import type { PlacedJob } from '../job/job.view';
import { specOf } from '../pipeline/job-specs';
import { Pipelines } from '../pipeline/pipeline.repository';
import type { Downstream, Job, Pipeline } from '../pipeline/pipeline.schema';
import { AlreadyTriggered } from '../pipeline/pipeline-insertion';
import { PipelineMaker, type PipelineRequest } from '../pipeline/pipeline-maker';
import { runsPipelines } from '../pipeline/pipeline-rules';
import { predefinedVariables, runVariables } from '../pipeline/predefined-variables';
import { expandUpTo } from '../pipeline-file/expand';
import type { JobSpec, TriggerSpec, Variables } from '../pipeline-file/job-spec';
import type { CiSettings } from '../settings/settings';
import { type RunPermission, RunPermissions } from '../trigger/run-permissions';
import { openVariable, sealVariable } from '../variable/sealed-variable';
import { StoredVariables } from '../variable/stored-variables';
import { forwardedVariables } from './forwarded-variables';

/** Limit of nested downstream pipelines. */
const mostDepth = 5;
const longestName = 255;

/** The pipeline of a job, the failure reason of the job in spite of it, or why there is none. */
export type Outcome = { downstream: Downstream; depends: boolean } | { failure: string; downstream?: Downstream };

type Member = Exclude<RunPermission, { reason: string }>;
type Asked = Pick<PipelineRequest, 'project' | 'ref' | 'source' | 'push' | 'mergeRequest' | 'content' | 'isAdmin'>;

/** The unique key of a job's pipeline. */
const keyOf = ({ id }: Job): string => `bridge ${id}`;

const notMade = { failure: 'downstream_pipeline_creation_failed' };

/** Creates the pipelines of trigger jobs, each once, as the job's user. See docs/api/pipeline-files.md#7. */
@Injectable()
export class MakeDownstream {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly runPermissions: RunPermissions,
    private readonly maker: PipelineMaker,
    private readonly kept: StoredVariables,
    private readonly box: SecretBox,
    @Inject(settingsToken) private readonly settings: CiSettings,
  ) {}

  /** The pipeline that a job has created, also if the job does not know it yet. */
  find(job: Job): Promise<Pipeline | null> {
    return this.pipelines.findLast({ triggerKey: keyOf(job) });
  }

  /** Idempotent, also concurrently: an existing pipeline is found by its key. */
  async make({ job, pipeline }: PlacedJob): Promise<Outcome> {
    const spec = specOf(await this.pipelines.getWithSpecs(pipeline._id), job);
    const trigger = present(spec.trigger, `what ${job.name} triggers`);
    const triggerKey = keyOf(job);
    const made = await this.find(job);
    if (made) return outcomeOf(made, trigger);
    const rootId = pipeline.upstream?.rootId ?? pipeline._id;
    const depth = (pipeline.upstream?.depth ?? 0) + 1;
    if (depth > mostDepth) return { failure: 'reached_max_descendant_pipelines_depth' };
    if (!(await this.pipelines.countDownstream(rootId, job.id))) {
      return { failure: 'reached_max_pipeline_hierarchy_size' };
    }
    const own = await this.runPermissions.find(job.userId, pipeline.projectId);
    if ('reason' in own || !runsPipelines(own.project)) return { failure: 'insufficient_bridge_permissions' };
    const { known, given } = await this.variablesOf({ job, pipeline }, spec, own.project);
    const variables = forwardedVariables(spec, trigger, known, given);
    if (!variables) return notMade;
    const asked = await this.askedOf(trigger, { pipeline, own, userId: job.userId }, known);
    if ('failure' in asked) return asked;
    const draft = await this.maker.draft({
      ...asked,
      userId: job.userId,
      isWanted: true,
      variables: variables.map((variable) => sealVariable(this.box, variable)),
      upstream: { jobId: job.id, pipelineId: pipeline._id, rootId, depth },
      triggerKey,
    });
    if (draft.problem && !draft.isFileBroken) return notMade;
    const saved = await this.maker.save(draft).catch((error: unknown) => {
      if (!(error instanceof AlreadyTriggered)) throw error;
      return this.find(job);
    });
    // Created by another replica, and already deleted.
    return saved ? outcomeOf(saved, trigger) : notMade;
  }

  private async askedOf(
    { target }: TriggerSpec,
    { pipeline, own, userId }: { pipeline: Pipeline; own: Member; userId: number | null },
    known: Variables,
  ): Promise<Asked | { failure: string }> {
    if ('include' in target) return childOf(pipeline, own, stringify({ include: target.include }));
    const path = expandUpTo(longestName, target.project, known);
    const other = await this.runPermissions.find(userId, path);
    // The error must not reveal whether a hidden project exists.
    if ('reason' in other) return { failure: 'downstream_bridge_project_not_found' };
    const { project, isAdmin } = other;
    if (!runsPipelines(project)) return { failure: 'insufficient_bridge_permissions' };
    const branch = target.branch === null ? project.defaultBranch : expandUpTo(longestName, target.branch, known);
    return branch ? { project, isAdmin, ref: branch, source: 'pipeline' } : notMade;
  }

  /** The variables for the job's texts, and those of its pipeline. */
  private async variablesOf({ job, pipeline }: PlacedJob, spec: JobSpec, project: ProjectRef) {
    const given = [...pipeline.variables, ...job.variables].map((variable) => openVariable(this.box, variable));
    const kept = (await this.kept.choose(project, pipeline)).map((variable) => openVariable(this.box, variable));
    const values = (variables: { key: string; value: string }[]): Variables =>
      Object.fromEntries(variables.map(({ key, value }) => [key, value]));
    const { EXTERNAL_URL } = this.settings;
    const known = {
      ...predefinedVariables(pipeline, project, this.settings),
      ...runVariables(pipeline, job, project, EXTERNAL_URL),
      ...spec.variables,
      ...values(kept),
      ...values(given),
    };
    return { known, given };
  }
}

/** Of the same commit and merge request. */
function childOf(pipeline: Pipeline, { project, isAdmin }: Member, content: string): Asked {
  const { ref, isTag, sha, beforeSha, mergeRequest } = pipeline;
  return {
    project,
    isAdmin,
    content,
    ref: mergeRequest?.source_branch ?? ref,
    source: 'parent_pipeline',
    push: { refType: isTag ? 'tag' : 'branch', before: beforeSha, after: sha },
    ...(mergeRequest && { mergeRequest }),
  };
}

/** A pipeline without jobs contains the error of its file. */
function outcomeOf({ _id, projectId, yamlErrors }: Pipeline, { depends }: TriggerSpec): Outcome {
  const downstream = { pipelineId: _id, projectId };
  return yamlErrors === null ? { downstream, depends } : { ...notMade, downstream };
}
