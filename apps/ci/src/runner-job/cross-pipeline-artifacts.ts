import {
  type Caller,
  callerInput,
  isError,
  isFeatureOpen,
  isReadable,
  opensForJob,
  projectErrors,
  resolveProject,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { callerOf, UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { Artifacts } from '../artifact/artifact.repository';
import type { Artifact } from '../artifact/artifact.schema';
import { mayReadArtifact } from '../artifact/artifact-rules';
import { Pipelines } from '../pipeline/pipeline.repository';
import type { Job, Pipeline } from '../pipeline/pipeline.schema';
import { mayRead } from '../pipeline/pipeline-rules';
import { currentJobs } from '../pipeline/settle';
import type { CrossPipelineNeed, JobSpec } from '../pipeline-file/job-spec';

/** A job of another pipeline with its archive. */
export interface CrossPipelineArtifact {
  name: string;
  artifact: Artifact;
}

type Hierarchical = Pick<Pipeline, '_id' | 'projectId' | 'upstream'>;

/** Finds the artifacts of other pipelines that a job starts with, as its user may read them. See docs/api/pipeline-files.md#8. */
@Injectable()
export class CrossPipelineArtifacts {
  constructor(
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
    private readonly pipelines: Pipelines,
    private readonly artifacts: Artifacts,
  ) {}

  /** In the order of the pipeline file. @returns undefined if one of them is missing, or the user may not read it */
  async find(
    pipeline: Hierarchical,
    { userId }: Pick<Job, 'userId'>,
    { crossPipelineNeeds = [] }: Pick<JobSpec, 'crossPipelineNeeds'>,
  ): Promise<CrossPipelineArtifact[] | undefined> {
    const found: CrossPipelineArtifact[] = [];
    for (const need of crossPipelineNeeds) {
      const one =
        'pipeline' in need ? await this.inHierarchy(pipeline, need) : await this.inProject(pipeline, userId, need);
      if (!one) return undefined;
      found.push(one);
    }
    return found;
  }

  /** Of a pipeline of the same project that is its parent, child or sibling. */
  private async inHierarchy(
    pipeline: Hierarchical,
    { job: name, pipeline: id }: Extract<CrossPipelineNeed, { pipeline: string }>,
  ): Promise<CrossPipelineArtifact | undefined> {
    const other = /^\d{1,15}$/.test(id) ? await this.pipelines.find(Number(id)) : null;
    if (!other || other.projectId !== pipeline.projectId) return undefined;
    return rootOf(other) === rootOf(pipeline) ? this.archiveOf(other, name) : undefined;
  }

  /** Of the last pipeline of the ref in which the job has succeeded. */
  private async inProject(
    { projectId }: Hierarchical,
    userId: number | null,
    { job: name, project: path, ref }: Extract<CrossPipelineNeed, { project: string }>,
  ): Promise<CrossPipelineArtifact | undefined> {
    const user = userId === null ? undefined : (await this.users.records([userId])).get(userId);
    if (user?.state !== 'active') return undefined;
    const caller: Caller = { ...callerOf(user), projectId };
    const answer = await this.client
      .call(resolveProject, { project: path, ...callerInput(caller) })
      .catch((error: unknown) => {
        if (isError(error, projectErrors.notFound)) return undefined;
        throw error;
      });
    if (!answer || !opensForJob(caller, answer)) return undefined;
    const { project } = answer;
    if (!isReadable(project, caller) || !isFeatureOpen(project, 'builds') || !mayRead(project)) return undefined;
    const last = await this.pipelines.findLast({
      ...{ projectId: project.id, ref },
      jobs: { $elemMatch: { name, status: 'success', isRetried: false } },
    });
    const found = last ? await this.archiveOf(last, name) : undefined;
    return found && mayReadArtifact(found.artifact, project) ? found : undefined;
  }

  private async archiveOf({ jobs }: Pipeline, name: string): Promise<CrossPipelineArtifact | undefined> {
    const job = currentJobs(jobs).find((one) => one.name === name && one.status === 'success');
    const artifact = job && (await this.artifacts.find(job.id, 'archive'));
    return artifact ? { name, artifact } : undefined;
  }
}

const rootOf = ({ _id, upstream }: Pick<Pipeline, '_id' | 'upstream'>): number => upstream?.rootId ?? _id;
