import { type FileJob, PipelineFileError } from './job-spec';

const maxNameLength = 255;

/** @throws PipelineFileError for names that are too long, and ambiguous names of several jobs */
export function checkNames(jobs: Pick<FileJob, 'name'>[]): void {
  const names = new Set<string>();
  for (const { name } of jobs) {
    const start = name.slice(0, maxNameLength);
    if (start !== name) {
      throw new PipelineFileError(`${start}… job: name is too long (maximum is ${maxNameLength} characters)`);
    }
    if (names.has(name)) throw new PipelineFileError(`${name} job: there are several jobs of that name`);
    names.add(name);
  }
}

/**
 * Checks `needs` against the existing jobs.
 * @throws PipelineFileError for missing jobs, too many for one job, or cycles
 */
export function checkNeeds(jobs: FileJob[], limit: number): void {
  const names = new JobNames(jobs);
  for (const job of jobs) {
    const lists = [job.needs, ...(job.rules ?? []).map((rule) => rule.needs?.of)];
    const tooLong = lists.find((list) => list && list.length > limit);
    if (tooLong) {
      throw new PipelineFileError(
        `${job.name} job: one job can only need ${limit} others, but you have listed ${tooLong.length}`,
      );
    }
    const missing = job.needs?.find((need) => !need.isOptional && names.of(need.job).length === 0);
    if (missing) throw new PipelineFileError(`${job.name} job: undefined need: ${missing.job}`);
  }
  refuseCircles(jobs, names);
}

/** @throws PipelineFileError for jobs that wait for each other */
export function refuseCircles(jobs: readonly Pick<FileJob, 'name' | 'needs'>[], names: JobNames): void {
  const needsOf = new Map(jobs.map(({ name, needs }) => [name, needs ?? []]));
  const done = new Set<string>();
  const path = new Set<string>();
  // Without recursion: a chain of needs may have thousands of jobs.
  const open: { name: string; needed: Iterator<string> }[] = [];
  const enter = (name: string): void => {
    path.add(name);
    open.push({ name, needed: neededBy(needsOf.get(name) ?? [], names) });
  };
  for (const { name: first } of jobs) {
    if (!done.has(first)) enter(first);
    for (let last = open.at(-1); last; last = open.at(-1)) {
      const next = last.needed.next();
      if (next.done) {
        open.pop();
        path.delete(last.name);
        done.add(last.name);
      } else if (path.has(next.value)) throw new PipelineFileError('The pipeline has circular dependencies');
      else if (!done.has(next.value)) enter(next.value);
    }
  }
}

function* neededBy(needs: readonly { job: string }[], names: JobNames): Generator<string, undefined> {
  for (const { job } of needs) yield* names.of(job);
}

/**
 * Checks the jobs whose artifacts a job downloads.
 * @throws PipelineFileError for missing jobs, or jobs that are neither earlier nor needed
 */
export function checkDependencies(jobs: FileJob[], stages: string[]): void {
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const names = new JobNames(jobs);
  for (const job of jobs) {
    const needed = new Set(job.needs?.map((need) => need.job));
    for (const name of job.spec.artifactsFrom ?? []) {
      if (needed.has(name)) continue;
      const [found] = names.of(name);
      const from = found === undefined ? undefined : byName.get(found);
      if (!from) throw new PipelineFileError(`${job.name} job: undefined dependency: ${name}`);
      if (job.needs) throw new PipelineFileError(`${job.name} job: dependency ${name} should be part of needs`);
      if (stages.indexOf(from.stage) > stages.indexOf(job.stage)) {
        throw new PipelineFileError(`${job.name} job: dependency ${name} is not defined in current or prior stages`);
      }
    }
  }
}

/**
 * Checks on_stop jobs.
 * @throws PipelineFileError for a missing job, or one that stops nothing, or another environment
 */
export function checkOnStop(jobs: FileJob[]): void {
  const byName = new Map(jobs.map((job) => [job.name, job]));
  for (const { name, spec } of jobs) {
    const { environment } = spec;
    if (environment?.onStop === undefined) continue;
    const stopping = byName.get(environment.onStop)?.spec.environment;
    const about = `${name} job: on_stop job ${environment.onStop}`;
    if (!byName.has(environment.onStop)) throw new PipelineFileError(`${about} is not defined`);
    if (!stopping) throw new PipelineFileError(`${about} does not have environment defined`);
    if (stopping.name !== environment.name) throw new PipelineFileError(`${about} have different environment name`);
    if (stopping.action !== 'stop') throw new PipelineFileError(`${about} needs to have action stop defined`);
  }
}

/** Resolves a name in `needs` or `dependencies`: to a job, or to all copies of a parallel job. */
export class JobNames {
  private readonly names = new Set<string>();
  private readonly copies = new Map<string, string[]>();

  constructor(jobs: readonly Pick<FileJob, 'name'>[]) {
    for (const { name } of jobs) {
      this.names.add(name);
      for (const base of basesOf(name)) {
        const copies = this.copies.get(base);
        if (copies) copies.push(name);
        else this.copies.set(base, [name]);
      }
    }
  }

  of(need: string): readonly string[] {
    return this.names.has(need) ? [need] : (this.copies.get(need) ?? []);
  }
}

/** The names of which a job may be a copy: `build` of `build 1/2`, `a` and `a: [b]` of `a: [b]: [c]`. */
function basesOf(name: string): string[] {
  const numbered = /^(.*) \d+\/\d+$/s.exec(name)?.[1];
  if (numbered !== undefined) return [numbered];
  if (!name.endsWith(']')) return [];
  return [...name.matchAll(/: \[/g)].map(({ index }) => name.slice(0, index));
}
