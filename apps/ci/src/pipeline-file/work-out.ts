import { type ChosenJob, chooseJobs, type Occasion } from './choose-jobs';
import type { FileLimits } from './file-limits';
import { PipelineFileError } from './job-spec';
import { parsePipelineFile } from './parse-pipeline-file';

export interface Work {
  content: string;
  occasion: Occasion;
  limits: FileLimits;
}

/** The jobs in the order of their stages, or what is wrong with the file. */
export type Outcome = { jobs: ChosenJob[] } | { problem: string };

/** Runs in a thread that can be ended: see PipelineFiles. */
export default function workOut({ content, occasion, limits }: Work): Outcome {
  try {
    const file = parsePipelineFile(content, limits);
    const places = new Map(file.stages.map((stage, index) => [stage, index]));
    const placeOf = ({ stage }: { stage: string }) => places.get(stage) ?? places.size;
    const jobs = chooseJobs(file, occasion).sort((a, b) => placeOf(a) - placeOf(b));
    requireSize(jobs, limits);
    return { jobs };
  } catch (error) {
    if (error instanceof PipelineFileError) return { problem: error.message };
    throw error;
  }
}

function requireSize(jobs: ChosenJob[], { pipelineBytes }: FileLimits): void {
  let size = 0;
  for (const job of jobs) {
    size += Buffer.byteLength(JSON.stringify(job));
    if (size > pipelineBytes)
      throw new PipelineFileError(`The jobs of the pipeline are larger than ${pipelineBytes} bytes`);
  }
}
