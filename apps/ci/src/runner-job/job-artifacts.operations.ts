import {
  artifactErrors,
  artifactLimit,
  authorizeJobArtifact,
  type ContextOf,
  downloadJobArtifact,
  type FileLimit,
  jobErrors,
  type ParsedOf,
  runnerJobErrors,
  uploadJobArtifact,
} from '@moothall/contracts';
import { UploadedFiles } from '@moothall/data-port';
import { Handles, KnownSettings } from '@moothall/messaging';
import { sha256 } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { Artifacts } from '../artifact/artifact.repository';
import type { Artifact } from '../artifact/artifact.schema';
import { expiryOf, safeFilename } from '../artifact/artifact-rules';
import { ServeArtifacts } from '../artifact/serve-artifacts';
import { specOf } from '../pipeline/job-specs';
import { Pipelines } from '../pipeline/pipeline.repository';
import type { Job, Pipeline } from '../pipeline/pipeline.schema';
import { CrossPipelineArtifacts } from './cross-pipeline-artifacts';
import { RunningJob } from './running-job';

/** Uploads of artifacts by runners, and downloads of earlier jobs' artifacts. */
@Controller()
export class JobArtifacts {
  constructor(
    private readonly running: RunningJob,
    private readonly pipelines: Pipelines,
    private readonly artifacts: Artifacts,
    private readonly crossPipeline: CrossPipelineArtifacts,
    private readonly served: ServeArtifacts,
    private readonly files: UploadedFiles,
    private readonly settings: KnownSettings,
  ) {}

  @Handles(authorizeJobArtifact)
  async authorize(_context: ContextOf<typeof authorizeJobArtifact>, input: ParsedOf<typeof authorizeJobArtifact>) {
    await this.running.getRunning(input.id, input.token);
    const { bytes, tooLarge } = await this.limit();
    if (input.filesize !== undefined && input.filesize > bytes) throw tooLarge(bytes);
    return { MaximumSize: Number.isFinite(bytes) ? bytes : null };
  }

  @Handles(uploadJobArtifact)
  async upload(_context: ContextOf<typeof uploadJobArtifact>, input: ParsedOf<typeof uploadJobArtifact>) {
    const { job, pipeline } = await this.running.getRunning(input.id, input.token);
    const sent = this.files.open(input.file, await this.limit());
    const { artifacts } = specOf(await this.pipelines.getWithSpecs(pipeline._id), job);
    await this.artifacts.receive(
      {
        projectId: pipeline.projectId,
        jobId: job.id,
        type: input.artifact_type,
        format: input.artifact_format,
        filename: safeFilename(sent.filename),
        access: artifacts?.access ?? 'all',
        ...expiryOf(input.expire_in, new Date()),
      },
      sent,
    );
    // The pipeline may have been deleted meanwhile, and the file would not be found again; an erased job gets none.
    const left = (await this.pipelines.findOfJob(job.id))?.jobs.find(({ id }) => id === job.id);
    if (!left || left.erasedAt) {
      await this.artifacts.removeOfJobs([job.id]);
      throw jobErrors.notFound();
    }
    return { message: '201 Created' };
  }

  @Handles(downloadJobArtifact)
  async download(_context: ContextOf<typeof downloadJobArtifact>, input: ParsedOf<typeof downloadJobArtifact>) {
    const { id, token } = input;
    const tokenSha256 = sha256(token ?? '');
    const pipeline = token === undefined ? null : await this.pipelines.findByJobToken(tokenSha256);
    const job = pipeline?.jobs.find((one) => one.tokenSha256 === tokenSha256 && one.status === 'running');
    if (!pipeline || !job) throw runnerJobErrors.unknownToken();
    const artifact = await this.artifacts.find(id, 'archive');
    if (!artifact || !(await this.mayFetch(artifact, pipeline, job))) throw artifactErrors.notFound();
    return this.served.archive(artifact);
  }

  /** All of its project, and needed ones of others. */
  private async mayFetch({ _id, projectId }: Artifact, pipeline: Pipeline, job: Job): Promise<boolean> {
    if (projectId === pipeline.projectId) return true;
    const spec = specOf(await this.pipelines.getWithSpecs(pipeline._id), job);
    const found = await this.crossPipeline.find(pipeline, job, spec);
    return found?.some(({ artifact }) => artifact._id === _id) ?? false;
  }

  private async limit(): Promise<FileLimit<number>> {
    const { max_artifacts_size: megabytes } = await this.settings.read();
    return { ...artifactLimit, bytes: megabytes === 0 ? Number.POSITIVE_INFINITY : megabytes * 1024 ** 2 };
  }
}
