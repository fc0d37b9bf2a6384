import { PipelineFileError } from './job-spec';

/** How far a pipeline file may go. A few lines can stand for gigabytes, by aliases, references and templates. */
export interface FileLimits {
  /** Of the file itself. */
  sizeBytes: number;
  depth: number;
  /** Scalars, lists and maps, each counted wherever it is put in. */
  values: number;
  /** Of a pipeline, after the rules of its file are applied. */
  jobs: number;
  /** Of one job. */
  needs: number;
  /** Of all jobs as they are stored. */
  pipelineBytes: number;
}

/** What instances start with. */
export const usualLimits: FileLimits = {
  sizeBytes: 2 * 1024 ** 2,
  depth: 100,
  values: 200_000,
  jobs: 500,
  needs: 50,
  pipelineBytes: 8 * 1024 ** 2,
};

/** Counts what a file comes to while it is put together. */
export class Budget {
  private values = 0;

  constructor(readonly limits: FileLimits) {}

  /** @throws PipelineFileError before the first value too many is made */
  spend(values: number): void {
    this.values += values;
    if (this.values > this.limits.values) {
      throw new PipelineFileError(
        `The file has more than ${this.limits.values} values when all references are resolved`,
      );
    }
  }

  /** @throws PipelineFileError */
  requireDepth(depth: number): void {
    if (depth > this.limits.depth) throw new PipelineFileError('The parsed YAML is too deep');
  }
}
