import {
  artifactErrors,
  artifactSizes,
  type ContextOf,
  countJobArtifacts,
  getArtifactFile,
  getJobArtifacts,
  getRefArtifactFile,
  getRefArtifacts,
  jobErrors,
  listArtifactFolder,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Pipelines } from '../../pipeline/pipeline.repository';
import { requireReaderOr } from '../../pipeline/pipeline-rules';
import { currentJobs } from '../../pipeline/settle';
import { Artifacts } from '../artifact.repository';
import type { Artifact } from '../artifact.schema';
import { requireArtifactReader } from '../artifact-rules';
import { ServeArtifacts } from '../serve-artifacts';

type Context = ContextOf<typeof getJobArtifacts>;

@Controller()
export class ReadArtifacts {
  constructor(
    private readonly artifacts: Artifacts,
    private readonly pipelines: Pipelines,
    private readonly files: ServeArtifacts,
  ) {}

  @Handles(getJobArtifacts)
  async get(context: Context, { job_id }: ParsedOf<typeof getJobArtifacts>) {
    return this.files.archive(await this.ofJob(context, job_id));
  }

  @Handles(getRefArtifacts)
  async getOfRef(context: Context, input: ParsedOf<typeof getRefArtifacts>) {
    return this.files.archive(await this.ofRef(context, input));
  }

  @Handles(getArtifactFile)
  async file(context: Context, { job_id, artifact_path }: ParsedOf<typeof getArtifactFile>) {
    return this.files.file(await this.ofJob(context, job_id), artifact_path);
  }

  @Handles(listArtifactFolder)
  async list(context: Context, { job_id, folder }: ParsedOf<typeof listArtifactFolder>) {
    return this.files.list(await this.ofJob(context, job_id), folder);
  }

  @Handles(getRefArtifactFile)
  async fileOfRef(context: Context, input: ParsedOf<typeof getRefArtifactFile>) {
    return this.files.file(await this.ofRef(context, input), input.artifact_path);
  }

  @Handles(artifactSizes)
  async sizes(_context: ContextOf<typeof artifactSizes>, { project_ids }: ParsedOf<typeof artifactSizes>) {
    const sizes = await this.artifacts.sizes(project_ids);
    return [...sizes].map(([project_id, size_bytes]) => ({ project_id, size_bytes }));
  }

  @Handles(countJobArtifacts)
  async count(_context: ContextOf<typeof countJobArtifacts>, _input: ParsedOf<typeof countJobArtifacts>) {
    return { job_artifacts: await this.artifacts.count() };
  }

  private async ofJob(context: Context, jobId: number): Promise<Artifact> {
    requireReaderOr(context.project, jobErrors.notFound);
    await this.pipelines.getOfJob(jobId, context.project.id);
    return this.readable(context, jobId);
  }

  private async ofRef(context: Context, { ref_name, job }: ParsedOf<typeof getRefArtifacts>): Promise<Artifact> {
    const { project } = context;
    requireReaderOr(project, jobErrors.notFound);
    const pipeline = await this.pipelines.findLast({ projectId: project.id, ref: ref_name, status: 'success' });
    const found = currentJobs(pipeline?.jobs ?? []).find(({ name }) => name === job);
    if (!found) throw jobErrors.notFound();
    return this.readable(context, found.id);
  }

  private async readable({ project, caller }: Context, jobId: number): Promise<Artifact> {
    const artifact = await this.artifacts.find(jobId, 'archive');
    if (!artifact) throw artifactErrors.notFound();
    requireArtifactReader(artifact, project, caller);
    return artifact;
  }
}
