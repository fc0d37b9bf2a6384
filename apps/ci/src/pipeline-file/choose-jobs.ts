import { onlyGiven, type PipelineSource } from '@moothall/contracts';
import { JobNames, refuseCircles } from './check-needs';
import { expandUpTo } from './expand';
import { compilePattern, holds, isPattern } from './expression';
import { usualLimits } from './file-limits';
import { inheritedOf } from './inherit';
import {
  type AutoCancel,
  type FileJob,
  type JobSpec,
  type PipelineFile,
  PipelineFileError,
  type RefPolicy,
  type Rule,
  type Variables,
  type When,
} from './job-spec';
import { RepositoryPaths } from './repository-paths';
import { ruleHolds } from './rules-keyword';

/** What a pipeline is created for. */
export interface Occasion {
  ref: string;
  isTag: boolean;
  source: PipelineSource;
  projectPath: string;
  /** Predefined variables, and those of the pipeline, which override variables of the file. */
  predefined: Variables;
  given: Variables;
  /** Names of variables of the pipeline whose values are secret. */
  masked?: readonly string[];
}

export interface ChosenJob extends FileJob {
  when: When;
  allowFailure: boolean;
  /** Names of the jobs that are in the pipeline, too. */
  needNames: string[] | null;
}

/** The content of a new pipeline. */
export interface Choice {
  jobs: ChosenJob[];
  /** The name from `workflow`, null without one. */
  name: string | null;
  autoCancel: AutoCancel;
}

const longestName = 255;

/**
 * The jobs of a pipeline, each with all its variables of the file, and the result of `workflow`.
 * @returns no jobs if `workflow` excludes the pipeline
 * @throws PathsWanted while facts of the repository are missing
 * @throws PipelineFileError for invalid expressions, too many jobs, and a job with a missing need
 */
export function chooseJobs(
  file: PipelineFile,
  occasion: Occasion,
  paths = new RepositoryPaths(),
  mostJobs = usualLimits.jobs,
): Choice {
  const known = { ...occasion.predefined, ...file.variables, ...occasion.given };
  const { rules } = file.workflow;
  const rule = rules ? firstThatApplies(rules, known, paths) : {};
  paths.requireAll();
  const autoCancel = { ...file.workflow.autoCancel, ...onlyGiven({ ...rule?.autoCancel }) };
  if (!rule || rule.when === 'never') return { jobs: [], name: null, autoCancel };
  const variables = { ...file.variables, ...rule.variables };
  const inName = readable({ ...known, ...variables, ...occasion.given }, occasion);
  const name = file.workflow.name && expandUpTo(longestName, file.workflow.name, inName);
  const chosen = file.jobs.flatMap((job) => choose(job, variables, { ...occasion, paths }));
  paths.requireAll();
  if (chosen.length > mostJobs) throw new PipelineFileError(`a pipeline has at most ${mostJobs} jobs`);
  const names = new JobNames(chosen);
  const jobs = chosen.map((job) => withNeeds(job, names));
  refuseCircles(chosen, names);
  return { jobs, name: name || null, autoCancel };
}

/** Variables without masked ones: for names, which all readers of a pipeline see. */
export const readable = (known: Variables, { masked = [] }: Pick<Occasion, 'masked'>): Variables =>
  Object.fromEntries(Object.entries(known).filter(([name]) => !masked.includes(name)));

type Chosen = Omit<ChosenJob, 'needNames'>;

interface Known extends Occasion {
  paths: RepositoryPaths;
}

function choose(fileJob: FileJob, ofFile: Variables, occasion: Known): Chosen[] {
  const variables = { ...(inheritedOf(ofFile, fileJob.inheritsVariables) as Variables), ...fileJob.spec.variables };
  const known = { ...occasion.predefined, ...variables, ...occasion.given };
  const job = { ...fileJob, spec: withCrossPipelineNeeds({ ...fileJob.spec, variables }, known) };
  if (!job.rules) {
    const isIn = isMeant(job.only, job.except, occasion, known);
    // A manual job without rules does not block the pipeline by default.
    return isIn ? [{ ...job, allowFailure: job.allowFailure ?? job.when === 'manual' }] : [];
  }
  const rule = firstThatApplies(job.rules, known, occasion.paths);
  const when = rule?.when ?? job.when;
  if (!rule || when === 'never') return [];
  const { needs, startInSeconds = job.startInSeconds, isInterruptible = job.isInterruptible } = rule;
  const artifactsFrom = needs?.artifactsFrom ?? job.spec.artifactsFrom;
  const ofRule = { ...job.spec, variables: { ...variables, ...rule.variables }, artifactsFrom };
  const spec = needs
    ? withCrossPipelineNeeds({ ...ofRule, crossPipelineNeeds: needs.crossPipelineNeeds }, known)
    : ofRule;
  const delay = when === 'delayed' && startInSeconds !== undefined ? { startInSeconds } : {};
  const { allowedExitCodes, ...rest } = job;
  const failing = {
    allowFailure: rule.allowFailure ?? job.allowFailure ?? false,
    ...(allowedExitCodes && rule.allowFailure === undefined && { allowedExitCodes }),
  };
  return [{ ...rest, spec, when, ...delay, ...failing, isInterruptible, needs: needs?.of ?? job.needs }];
}

/** With variables resolved. */
function withCrossPipelineNeeds({ crossPipelineNeeds = [], ...spec }: JobSpec, known: Variables): JobSpec {
  if (crossPipelineNeeds.length === 0) return spec;
  const filled = (text: string) => expandUpTo(longestName, text, known);
  const needs = crossPipelineNeeds.map((need) => ({
    job: filled(need.job),
    ...('pipeline' in need
      ? { pipeline: filled(need.pipeline) }
      : { project: filled(need.project), ref: filled(need.ref) }),
  }));
  return { ...spec, crossPipelineNeeds: needs };
}

const firstThatApplies = (rules: Rule[], variables: Variables, paths: RepositoryPaths): Rule | undefined =>
  rules.find((rule) => ruleHolds(rule, variables, paths));

function isMeant(only: RefPolicy | null, except: RefPolicy | null, occasion: Known, variables: Variables): boolean {
  const wanted = only ?? { refs: ['branches', 'tags'], variables: [], changes: null };
  const isChanged = (changes: string[]) => occasion.paths.isChanged({ paths: changes, compareTo: null }, variables);
  const isWanted =
    isMatched(wanted.refs, (ref) => matchesRef(ref, occasion)) &&
    isMatched(wanted.variables, (text) => holds(text, variables)) &&
    (wanted.changes === null || isChanged(wanted.changes));
  if (!isWanted || !except) return isWanted;
  return !(
    except.refs.some((ref) => matchesRef(ref, occasion)) ||
    except.variables.some((text) => holds(text, variables)) ||
    (except.changes !== null && isChanged(except.changes))
  );
}

const isMatched = (items: string[], test: (item: string) => boolean): boolean => items.length === 0 || items.some(test);

const sourceNames: Record<PipelineSource, string> = {
  push: 'pushes',
  web: 'web',
  trigger: 'triggers',
  schedule: 'schedules',
  api: 'api',
  merge_request_event: 'merge_requests',
  external: 'external',
  pipeline: 'pipelines',
  parent_pipeline: 'parent_pipelines',
};

/** @param text a keyword as `branches` or `schedules`, a name, or a pattern; `name@group/project` is for that project only */
function matchesRef(text: string, { ref, isTag, source, projectPath }: Occasion): boolean {
  const at = text.lastIndexOf('@');
  if (at > 0 && text.slice(at + 1) !== projectPath) return false;
  const name = at > 0 ? text.slice(0, at) : text;
  // A merge request is neither: jobs without such keywords are for branches and tags.
  if (name === 'branches') return !isTag && source !== 'merge_request_event';
  if (name === 'tags') return isTag;
  if (name === sourceNames[source] || name === ref) return true;
  return isPattern(name) && compilePattern(name).matcher(ref).find();
}

function withNeeds(job: Chosen, jobs: JobNames): ChosenJob {
  if (!job.needs) return { ...job, needNames: null };
  const needNames = job.needs.flatMap((need) => {
    const names = jobs.of(need.job);
    if (names.length === 0 && !need.isOptional) {
      throw new PipelineFileError(
        `'${job.name}' job needs '${need.job}' job, but '${need.job}' does not exist in the pipeline`,
      );
    }
    return names;
  });
  return { ...job, needNames };
}
