import { artifactErrors, isError } from '@moothall/contracts';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { Artifacts, keyOf } from '../artifact/artifact.repository';
import { readFileText } from '../artifact/open-file';
import type { IncludedFile } from '../pipeline-file/include';
import { PipelineFileError } from '../pipeline-file/job-spec';
import { Pipelines } from './pipeline.repository';
import { currentJobs } from './settle';

/** Reads artifacts of a pipeline for the files of its child pipelines. See docs/api/pipeline-files.md#7. */
@Injectable()
export class ParentArtifacts {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly artifacts: Artifacts,
    private readonly storage: ObjectStorage,
  ) {}

  /** @throws PipelineFileError for a missing file */
  async read(
    pipelineId: number,
    { job, path }: Extract<IncludedFile, { kind: 'artifact' }>,
    maxBytes: number,
  ): Promise<string> {
    const pipeline = await this.pipelines.find(pipelineId);
    const maker = currentJobs(pipeline?.jobs ?? []).find(({ name }) => name === job);
    const artifact = maker && (await this.artifacts.find(maker.id, 'archive'));
    if (!artifact) {
      throw new PipelineFileError(`Job \`${job}\` not found in parent pipeline or does not have artifacts!`);
    }
    const file = { key: keyOf(artifact), sizeBytes: artifact.sizeBytes };
    const content = await readFileText(this.storage, file, path, maxBytes).catch((error: unknown) => {
      if (isError(error, artifactErrors.notFound)) return null;
      throw error;
    });
    const what = `Artifact \`${path}\` of job \`${job}\``;
    if (content === null) throw new PipelineFileError(`${what} does not exist!`);
    if (content === undefined) throw new PipelineFileError(`${what} is too big`);
    return content;
  }
}
