import {
  type ContextOf,
  commonErrors,
  isError,
  type ParsedOf,
  Reply,
  type RunnerJob,
  requestJob,
} from '@moothall/contracts';
import { databaseRefusal } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { sha256 } from '@moothall/secrets';
import { Controller, Logger } from '@nestjs/common';
import type { z } from 'zod';
import { specOf } from '../pipeline/job-specs';
import { giveBack, jobOf, refuse, take } from '../pipeline/job-transitions';
import { Pipelines } from '../pipeline/pipeline.repository';
import type { Job, Pipeline } from '../pipeline/pipeline.schema';
import { newToken, Runners } from '../runner/runner.repository';
import type { Runner, RunnerInfo } from '../runner/runner.schema';
import { RunnerProjects } from '../runner/runner-projects';
import { CrossPipelineArtifacts } from './cross-pipeline-artifacts';
import { Deployers } from './deployers';
import { JobPayloads, type Taken } from './job-payload';

type Payload = z.input<typeof RunnerJob>;

@Controller()
export class RequestJob {
  private readonly log = new Logger(RequestJob.name);

  constructor(
    private readonly runners: Runners,
    private readonly pipelines: Pipelines,
    private readonly projects: RunnerProjects,
    private readonly payloads: JobPayloads,
    private readonly deployers: Deployers,
    private readonly crossPipeline: CrossPipelineArtifacts,
  ) {}

  @Handles(requestJob)
  async handle({ client }: ContextOf<typeof requestJob>, { token, info = {} }: ParsedOf<typeof requestJob>) {
    const runner = await this.runners.getByToken(token);
    await this.runners.noteContact(runner, client?.ip ?? null, infoOf(info));
    const payload = runner.isPaused ? undefined : await this.nextFor(runner);
    return payload ? new Reply(payload, { status: 201 }) : new Reply(null, { status: 204 });
  }

  private async nextFor(runner: Runner): Promise<Payload | undefined> {
    for await (const pipeline of this.pipelines.waiting(runner.projectId ?? undefined)) {
      const isOffered = pipeline.jobs.some((job) => job.status === 'pending' && isFor(runner, pipeline, job));
      const payload = isOffered ? await this.takeFrom(pipeline, runner) : undefined;
      if (payload) return payload;
    }
    return undefined;
  }

  /** Undefined when other runners were faster. */
  private async takeFrom(pipeline: Pipeline, runner: Runner): Promise<Payload | undefined> {
    const { _id, projectId } = pipeline;
    const project = await this.projects.find(projectId);
    if (!project) return undefined;
    const token = newToken();
    const tokenSha256 = sha256(token);
    const { jobs } = await this.pipelines.change(
      _id,
      take((job) => isFor(runner, pipeline, job), runner._id, tokenSha256),
    );
    const taken = jobs.find((job) => job.tokenSha256 === tokenSha256);
    if (!taken) return undefined;
    try {
      return await this.describe(_id, taken, { project, runner, token });
    } catch (error) {
      // A job whose payload always fails must not block the others of its runner.
      const transition = isTransient(error)
        ? giveBack(taken.id, tokenSha256)
        : refuse(taken.id, 'data_integrity_failure');
      await this.pipelines
        .change(_id, transition)
        .catch((failure: unknown) => this.log.warn(`job ${taken.id} waits for its timeout: ${failure}`));
      throw error;
    }
  }

  /** @returns undefined for a job that fails instead */
  private async describe(pipelineId: number, taken: Job, by: Omit<Taken, 'crossPipelineArtifacts'>) {
    if (!(await this.deployers.may(taken, by.project))) {
      await this.pipelines.change(pipelineId, refuse(taken.id, 'protected_environment_failure'));
      return undefined;
    }
    const whole = await this.pipelines.getWithSpecs(pipelineId);
    const job = jobOf(whole.jobs, taken.id);
    const crossPipelineArtifacts = await this.crossPipeline.find(whole, job, specOf(whole, job));
    if (!crossPipelineArtifacts) {
      await this.pipelines.change(pipelineId, refuse(job.id, 'missing_dependency_failure'));
      return undefined;
    }
    return this.payloads.describe(whole, job, { ...by, crossPipelineArtifacts });
  }
}

/** Whether a service or the database is currently unavailable. */
function isTransient(error: unknown): boolean {
  const refusal = databaseRefusal(error) ?? error;
  return isError(refusal, commonErrors.unavailable) || isError(refusal, commonErrors.timeout);
}

/** A runner gets jobs whose tags it has; and by default untagged jobs, and those of unprotected refs. */
export function isFor(
  runner: Pick<Runner, 'tags' | 'runsUntagged' | 'accessLevel'>,
  { isProtected }: Pick<Pipeline, 'isProtected'>,
  { tags, isBridge }: Pick<Job, 'tags' | 'isBridge'>,
): boolean {
  if (isBridge) return false;
  if (runner.accessLevel === 'ref_protected' && !isProtected) return false;
  return tags.length === 0 ? runner.runsUntagged : tags.every((tag) => runner.tags.includes(tag));
}

const infoFields = ['name', 'version', 'revision', 'platform', 'architecture'] as const;
const maxInfoLength = 255;

function infoOf(info: Record<string, unknown>): RunnerInfo {
  const entries = infoFields.flatMap((field) => {
    const value = info[field];
    return typeof value === 'string' ? [[field, value.slice(0, maxInfoLength)]] : [];
  });
  return Object.fromEntries(entries);
}
