import { type CiVariable, jobTokenUser, mergeRequestIidOf, type ProjectRef, type RunnerJob } from '@moothall/contracts';
import { SecretBox } from '@moothall/secrets';
import { registryHost, type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory, type UserRecord } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { Artifacts } from '../artifact/artifact.repository';
import { FreezePeriods } from '../freeze-period/freeze-periods';
import { environmentVariables, placedEnvironment } from '../pipeline/environment-variables';
import { specOf } from '../pipeline/job-specs';
import type { Job, Pipeline } from '../pipeline/pipeline.schema';
import { predefinedVariables, runVariables } from '../pipeline/predefined-variables';
import { secondsBetween } from '../pipeline/seconds-between';
import type { JobSpec, Variables } from '../pipeline-file/job-spec';
import type { Runner } from '../runner/runner.schema';
import { Schedules } from '../schedule/schedule.repository';
import { openVariable, type SealedVariable } from '../variable/sealed-variable';
import { StoredVariables } from '../variable/stored-variables';
import type { CrossPipelineArtifact } from './cross-pipeline-artifacts';
import { artifactsOf, cachesOf, dependenciesOf } from './files-payload';
import { JobIdTokens } from './job-id-tokens';
import { releaseCommand } from './release-step';

type Payload = z.input<typeof RunnerJob>;
type PayloadVariable = Payload['variables'][number];

/** The data for a job's payload. */
export interface Taken {
  project: ProjectRef;
  runner: Runner;
  /** Of this run of the job. */
  token: string;
  /** Of jobs of other pipelines. */
  crossPipelineArtifacts: CrossPipelineArtifact[];
}

const afterScriptSeconds = 300;
/** Depth of a clone, without GIT_DEPTH or a project setting. */
const defaultDepth = 50;

/** The payload of a job for its runner. */
@Injectable()
export class JobPayloads {
  constructor(
    private readonly users: UserDirectory,
    private readonly schedules: Schedules,
    private readonly kept: StoredVariables,
    private readonly box: SecretBox,
    private readonly artifacts: Artifacts,
    private readonly freezes: FreezePeriods,
    private readonly idTokens: JobIdTokens,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  async describe(pipeline: Pipeline, job: Job, taken: Taken): Promise<Payload> {
    const spec = specOf(pipeline, job);
    const timeout = Math.min(job.timeoutSeconds, taken.runner.maximumTimeoutSeconds ?? job.timeoutSeconds);
    const variables = await this.variables(pipeline, job, spec, taken);
    return {
      id: job.id,
      token: taken.token,
      allow_git_fetch: true,
      job_info: jobInfoOf(job, taken.project),
      git_info: { ...gitInfoOf(pipeline, this.cloneUrl(taken)), depth: depthOf(variables, taken.project) },
      runner_info: { timeout },
      variables,
      steps: stepsOf(spec, timeout),
      hooks: spec.beforeSources ? [{ name: 'pre_get_sources_script', script: spec.beforeSources }] : [],
      image: spec.image,
      services: spec.services,
      artifacts: artifactsOf(spec),
      cache: cachesOf(spec, pipeline),
      credentials: [],
      dependencies: await this.dependencies(pipeline, job, spec, taken),
      features: {
        trace_sections: true,
        failure_reasons: ['unknown_failure', 'script_failure', 'runner_system_failure', 'job_execution_timeout'],
      },
    };
  }

  /**
   * The jobs with an archive that this run downloads with its own token: earlier ones, and those of other pipelines.
   */
  private async dependencies(
    pipeline: Pipeline,
    job: Job,
    spec: JobSpec,
    { token, crossPipelineArtifacts }: Taken,
  ): Promise<Payload['dependencies']> {
    const before = dependenciesOf(pipeline.jobs, job, spec);
    const artifacts = await this.artifacts.ofJobs(before.map(({ id }) => id));
    const ofPipeline = before.flatMap(({ id, name }) => {
      const artifact = artifacts.get(id)?.find(({ type }) => type === 'archive');
      return artifact ? [{ name, artifact }] : [];
    });
    return [...ofPipeline, ...crossPipelineArtifacts].map(({ name, artifact: { jobId: id, filename, sizeBytes } }) => ({
      ...{ id, name, token },
      artifacts_file: { filename, size: sizeBytes },
    }));
  }

  private cloneUrl({ project, token }: Taken): string {
    const url = new URL(this.settings.EXTERNAL_URL);
    url.username = jobTokenUser;
    url.password = token;
    return `${url.href.replace(/\/$/, '')}/${project.fullPath}.git`;
  }

  /** Later ones override earlier ones with the same key. */
  private async variables(pipeline: Pipeline, job: Job, spec: JobSpec, taken: Taken): Promise<PayloadVariable[]> {
    const maker = await this.makerOf(job);
    const schedule = pipeline.scheduleId === undefined ? null : await this.schedules.find(pipeline.scheduleId);
    const { EXTERNAL_URL } = this.settings;
    const predefined = {
      ...predefinedVariables(pipeline, taken.project, this.settings, schedule?.description),
      ...runVariables(pipeline, job, taken.project, EXTERNAL_URL, maker),
      ...(await this.freezes.variables(taken.project.id)),
    };
    const given = [...this.opened(pipeline.variables), ...this.opened(job.variables)];
    const values = valuesOf(given);
    // Pipelines of earlier versions have unresolved variables.
    const known = { ...predefined, ...spec.variables, ...values };
    const placed = job.environment ?? (spec.environment && placedEnvironment(spec.environment, known));
    const environment = environmentVariables(placed);
    const need = { isProtected: pipeline.isProtected, environment: environment.CI_ENVIRONMENT_NAME };
    const kept = await this.kept.choose(taken.project, need);
    const opened = kept.map((variable) => ({
      ...hidden(openVariable(this.box, variable), variable.isMasked),
      raw: variable.isRaw,
    }));
    const said = valuesOf([...shown({ ...predefined, ...environment, ...spec.variables }), ...opened, ...given]);
    const { project, runner } = taken;
    const about = { pipeline, job, spec, project, runnerId: runner._id, maker, environment: placed };
    const idTokens = await this.idTokens.sign(about, said);
    return [
      ...shown({ ...predefined, ...environment }),
      hidden({ key: 'CI_JOB_TOKEN', value: taken.token, variable_type: 'env_var' }, true),
      ...this.imageLogin(taken),
      hidden({ key: 'CI_REPOSITORY_URL', value: this.cloneUrl(taken), variable_type: 'env_var' }, true),
      ...shown(spec.variables),
      ...opened,
      ...given,
      ...idTokens.map(([key, value]) => hidden({ key, value, variable_type: 'env_var' }, true)),
    ];
  }

  /** Credentials for `docker login`, if there is a container registry. */
  private imageLogin({ token }: Taken): PayloadVariable[] {
    if (!registryHost(this.settings)) return [];
    return [
      ...shown({ CI_REGISTRY_USER: jobTokenUser }),
      hidden({ key: 'CI_REGISTRY_PASSWORD', value: token, variable_type: 'env_var' }, true),
    ];
  }

  private opened(variables: SealedVariable[]): PayloadVariable[] {
    return variables.map((variable) => hidden(openVariable(this.box, variable), false));
  }

  private async makerOf({ userId }: Job): Promise<UserRecord | undefined> {
    return userId === null ? undefined : (await this.users.records([userId])).get(userId);
  }
}

const valuesOf = (variables: PayloadVariable[]): Variables =>
  Object.fromEntries(variables.map(({ key, value }) => [key, value]));

const shown = (variables: Variables): PayloadVariable[] =>
  Object.entries(variables).map(([key, value]) => ({ key, value, public: true, file: false, masked: false }));

const hidden = ({ key, value, variable_type }: CiVariable, masked: boolean): PayloadVariable => ({
  key,
  value,
  public: false,
  file: variable_type === 'file',
  masked,
});

const jobInfoOf = (job: Job, project: ProjectRef): Payload['job_info'] => ({
  id: job.id,
  name: job.name,
  stage: job.stage,
  project_id: project.id,
  project_name: project.path,
  time_in_queue_seconds: secondsBetween(job.queuedAt, job.startedAt) ?? 0,
});

function gitInfoOf({ ref, isTag, sha, beforeSha }: Pipeline, repo_url: string): Omit<Payload['git_info'], 'depth'> {
  const refspec = refspecOf(ref, isTag);
  return { repo_url, ref, ref_type: isTag ? 'tag' : 'branch', sha, before_sha: beforeSha, refspecs: [refspec] };
}

function refspecOf(ref: string, isTag: boolean): string {
  if (mergeRequestIidOf(ref) !== undefined) return `+${ref}:${ref}`;
  return isTag ? `+refs/tags/${ref}:refs/tags/${ref}` : `+refs/heads/${ref}:refs/remotes/origin/${ref}`;
}

/** The value of GIT_DEPTH, 0 for everything; an invalid number counts as missing. */
function depthOf(variables: PayloadVariable[], { ci }: ProjectRef): number {
  const said = variables.findLast(({ key }) => key === 'GIT_DEPTH')?.value;
  return said !== undefined && /^\d{1,9}$/.test(said) ? Number(said) : (ci?.gitDepth ?? defaultDepth);
}

function stepsOf({ script, afterScript, release }: JobSpec, timeout: number): Payload['steps'] {
  const common = { timeout, when: 'on_success', allow_failure: false };
  const main = [
    { name: 'script', script, ...common },
    ...(release ? [{ name: 'release', script: [releaseCommand(release)], ...common }] : []),
  ];
  if (afterScript.length === 0) return main;
  return [
    ...main,
    { name: 'after_script', script: afterScript, timeout: afterScriptSeconds, when: 'always', allow_failure: true },
  ];
}
