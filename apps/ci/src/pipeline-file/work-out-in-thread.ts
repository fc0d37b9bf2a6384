import { stringify } from 'yaml';
import type { Parts } from './assemble-file';
import { type Choice, type ChosenJob, chooseJobs, type Occasion, readable } from './choose-jobs';
import type { FileLimits } from './file-limits';
import { FilesWanted, type IncludedFile } from './include';
import { type FileJob, PipelineFileError, type Variables } from './job-spec';
import { parsePipelineFile } from './parse-pipeline-file';
import { type KnownPaths, type PathQuestion, PathsWanted, RepositoryPaths } from './repository-paths';

export interface Work {
  content: string;
  /** Null if the file is only validated. */
  occasion: Occasion | null;
  /** Variables in `include`, without an occasion. */
  known?: Variables;
  limits: FileLimits;
  files: Parts['files'];
  paths: KnownPaths;
  /** Whether to return the merged file. */
  isMerged?: boolean;
}

/** The jobs in the order of their stages; the error of the file; or the missing facts. */
export type Outcome =
  | (Omit<Choice, 'jobs'> & { jobs: (ChosenJob | FileJob)[]; merged?: string })
  | { problem: string; merged?: string }
  | { wanted: IncludedFile[] }
  | { asked: PathQuestion[] };

/** Runs in a thread that can be ended: see PipelineFiles. */
export default function workOut({ content, occasion, limits, files, isMerged, ...work }: Work): Outcome {
  let merged: string | undefined;
  try {
    const known = { ...(occasion?.predefined ?? work.known), ...occasion?.given };
    const paths = new RepositoryPaths(work.paths);
    const file = parsePipelineFile(content, limits, { files, known, readable: readable(known, occasion ?? {}), paths });
    if (isMerged) merged = requireLength(stringify(file.root, { aliasDuplicateObjects: false }), limits);
    const places = new Map(file.stages.map((stage, index) => [stage, index]));
    const placeOf = ({ stage }: { stage: string }) => places.get(stage) ?? places.size;
    const choice = occasion ? chooseJobs(file, occasion, paths, limits.jobs) : { ...file.workflow, jobs: file.jobs };
    const jobs = [...choice.jobs].sort((a, b) => placeOf(a) - placeOf(b));
    requireSize(jobs, limits);
    return { name: choice.name, autoCancel: choice.autoCancel, jobs, ...(merged !== undefined && { merged }) };
  } catch (error) {
    if (error instanceof FilesWanted) return { wanted: error.files };
    if (error instanceof PathsWanted) return { asked: error.questions };
    if (error instanceof PipelineFileError) return { problem: error.message, ...(merged !== undefined && { merged }) };
    throw error;
  }
}

function requireLength(text: string, { pipelineBytes }: FileLimits): string {
  if (text.length > pipelineBytes) throw new PipelineFileError('The parsed YAML is too big');
  return text;
}

function requireSize(jobs: FileJob[], { pipelineBytes }: FileLimits): void {
  let size = 0;
  for (const job of jobs) {
    size += Buffer.byteLength(JSON.stringify(job));
    if (size > pipelineBytes)
      throw new PipelineFileError(`The jobs of the pipeline are larger than ${pipelineBytes} bytes`);
  }
}
