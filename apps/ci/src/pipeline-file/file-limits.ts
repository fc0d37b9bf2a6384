import { PipelineFileError } from './job-spec';

/** Limits of a pipeline file. A few lines can expand to gigabytes, by aliases, references and templates. */
export interface FileLimits {
  /** Of the file itself. */
  sizeBytes: number;
  depth: number;
  /** Scalars, lists and maps, each counted at every occurrence. */
  values: number;
  /** Of a pipeline, after the rules of its file are applied. */
  jobs: number;
  /** Limit of one job. */
  needs: number;
  /** Of all jobs as they are stored. */
  pipelineBytes: number;
}

/** Defaults of an instance. */
export const usualLimits: FileLimits = {
  sizeBytes: 2 * 1024 ** 2,
  depth: 100,
  values: 200_000,
  jobs: 500,
  needs: 50,
  pipelineBytes: 8 * 1024 ** 2,
};

/** Counts the size of a file while it is assembled. */
export class Budget {
  private values = 0;

  constructor(readonly limits: FileLimits) {}

  /** @throws PipelineFileError before the first value beyond the limit is created */
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
