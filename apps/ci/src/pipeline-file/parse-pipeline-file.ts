import { present } from '@moothall/contracts';
import { z } from 'zod';
import { noArtifacts } from './artifact-keywords';
import { assembleFile, type Parts } from './assemble-file';
import { checkDependencies, checkNames, checkNeeds, checkOnStop } from './check-needs';
import { extendJob } from './extend-job';
import { Budget, type FileLimits, usualLimits } from './file-limits';
import { inheritedOf } from './inherit';
import {
  defaults,
  type JobKeywords,
  jobKeywords,
  ofScripts,
  type rules,
  script,
  storedDefaults,
  withoutEffect,
} from './job-keywords';
import { type ArtifactSpec, type FileJob, type PipelineFile, PipelineFileError, type Rule } from './job-spec';
import { artifactsOf } from './needs-keyword';
import { combined, filledFrom, numbered } from './parallel';
import { isMap, type YamlMap } from './read-yaml';
import { RepositoryPaths } from './repository-paths';
import { variables } from './variables-keyword';
import { withoutNulls } from './without-nulls';
import { workflow } from './workflow-keyword';

/** Rules choose among these. The plan limits the jobs of a pipeline. */
const mostJobsInFile = 5000;

const defaultStages = ['build', 'test', 'deploy'];

const globalKeywords = z.looseObject({
  stages: z.array(z.string()).default(defaultStages),
  variables: variables.default({}),
  workflow: workflow.prefault({}),
  default: z
    .object({ ...defaults, ...storedDefaults, ...withoutEffect })
    .strict()
    .default({}),
  // Older places of the keywords of `default`.
  ...defaults,
  script: script.optional(),
});
const globalNames = new Set([...Object.keys(globalKeywords.shape), 'types', 'spec']);
type Globals = z.infer<typeof globalKeywords>;

/**
 * Parses a pipeline file: stages, and jobs with their inherited keywords.
 * @throws PipelineFileError with a message for the file's author; FilesWanted and PathsWanted while facts are missing
 */
export function parsePipelineFile(
  content: string,
  limits: FileLimits = usualLimits,
  parts: Parts = { files: {}, known: {}, readable: {}, paths: new RepositoryPaths() },
): PipelineFile {
  const budget = new Budget(limits);
  const root = assembleFile(content, parts, budget);
  const globals = check(globalKeywords, withoutNulls(only(root, globalNames)), 'root');
  const stages = ['.pre', ...globals.stages.filter((stage) => stage !== '.pre' && stage !== '.post'), '.post'];
  const names = Object.keys(root).filter((name) => !name.startsWith('.') && !globalNames.has(name));
  if (names.length === 0) throw new PipelineFileError('jobs config should contain at least one visible job');
  const jobs: FileJob[] = [];
  for (const name of names) {
    if (!isMap(root[name])) throw new PipelineFileError(`jobs:${name} config should be a hash`);
    const keywords = check(jobKeywords, withoutNulls(extendJob(name, root, budget)), `jobs:${name}`);
    const copies = jobsOf(name, keywords, globals, stages);
    jobs.push(...copies);
    if (jobs.length > mostJobsInFile) throw new PipelineFileError(`a file has at most ${mostJobsInFile} jobs`);
    // Inherited keywords are copied into each job.
    budget.spend(copies[0]?.spec.script.length ?? 0);
  }
  checkNames(jobs);
  checkNeeds(jobs, limits.needs);
  checkDependencies(jobs, stages);
  checkOnStop(jobs);
  return {
    stages,
    variables: globals.variables,
    workflow: {
      name: globals.workflow.name ?? null,
      rules: globals.workflow.rules?.map(workflowRuleOf) ?? null,
      autoCancel: globals.workflow.auto_cancel,
    },
    jobs,
    root,
  };
}

const only = (map: YamlMap, names: ReadonlySet<string>): YamlMap =>
  Object.fromEntries(Object.entries(map).filter(([name]) => names.has(name)));

function jobsOf(name: string, keywords: JobKeywords, globals: Globals, stages: string[]): FileJob[] {
  if (!stages.includes(keywords.stage)) {
    throw new PipelineFileError(`${name} job: chosen stage does not exist; available stages are ${stages.join(', ')}`);
  }
  if (keywords.rules && (keywords.only || keywords.except)) {
    throw new PipelineFileError(`jobs:${name} config key may not be used with \`rules\`: only, except`);
  }
  checkWork(`jobs:${name}`, keywords);
  checkDelay(`jobs:${name}`, keywords);
  keywords.rules?.forEach((rule, index) => {
    checkDelay(`jobs:${name}:rules:${index}`, rule);
  });
  const job = jobOf(name, keywords, globals);
  const { parallel } = keywords;
  if (parallel === undefined) return [job];
  const copies = typeof parallel === 'number' ? numbered(parallel) : combined(parallel.matrix);
  return copies.map(({ suffix, variables }, index) => {
    const numbers = { CI_NODE_INDEX: String(index + 1), CI_NODE_TOTAL: String(copies.length) };
    const own = { ...job.spec.variables, ...numbers, ...variables };
    const artifactsFrom = job.spec.artifactsFrom?.map((needed) => filledFrom(variables, needed)) ?? null;
    const needs = job.needs?.map((need) => ({ ...need, job: filledFrom(variables, need.job) })) ?? null;
    return { ...job, name: `${name}${suffix}`, needs, spec: { ...job.spec, variables: own, artifactsFrom } };
  });
}

function jobOf(name: string, keywords: JobKeywords, globals: Globals): FileJob {
  const byDefault = inheritedOf({ ...pickDefined(globals), ...pickDefined(globals.default) }, keywords.inherit.default);
  const inherited = { ...byDefault, ...pickDefined(keywords) };
  return {
    name,
    stage: keywords.stage,
    rules: keywords.rules?.map((rule) => ruleOf(rule, keywords)) ?? null,
    only: keywords.only ?? null,
    except: keywords.except ?? null,
    when: keywords.when,
    ...(keywords.start_in !== undefined && { startInSeconds: keywords.start_in }),
    ...allowedFailure(keywords.allow_failure),
    needs: keywords.needs?.jobs ?? null,
    tags: inherited.tags ?? [],
    retry: inherited.retry ?? null,
    isInterruptible: inherited.interruptible ?? false,
    resourceGroup: keywords.resource_group ?? null,
    coveragePattern: keywords.coverage ?? null,
    inheritsVariables: keywords.inherit.variables,
    spec: {
      script: keywords.script ? [...(inherited.before_script ?? []), ...keywords.script] : [],
      afterScript: inherited.after_script ?? [],
      image: inherited.image ?? null,
      services: inherited.services ?? [],
      variables: keywords.variables,
      timeoutSeconds: inherited.timeout ?? null,
      artifacts: withWebsite(inherited.artifacts ?? null, keywords),
      cache: inherited.cache ?? [],
      artifactsFrom: artifactsFrom(keywords),
      ...(keywords.needs?.crossPipeline.length && { crossPipelineNeeds: keywords.needs.crossPipeline }),
      ...(keywords.environment && { environment: keywords.environment }),
      ...(keywords.trigger && { trigger: keywords.trigger }),
      ...(keywords.release && { release: keywords.release }),
      ...(inherited.id_tokens && { idTokens: inherited.id_tokens }),
      ...(inherited.hooks?.pre_get_sources_script && { beforeSources: inherited.hooks.pre_get_sources_script }),
    },
  };
}

const artifactsFrom = ({ dependencies, needs }: JobKeywords): string[] | null =>
  dependencies ?? (needs ? artifactsOf(needs) : null);

/** A list names the exit codes with which a job may fail. */
const allowedFailure = (
  given: JobKeywords['allow_failure'] = undefined,
): Pick<FileJob, 'allowFailure' | 'allowedExitCodes'> =>
  Array.isArray(given) ? { allowFailure: false, allowedExitCodes: given } : { allowFailure: given ?? null };

/** The folder of a website is one of the artifacts of its job. */
function withWebsite(artifacts: ArtifactSpec | null, { pages, publish }: JobKeywords): ArtifactSpec | null {
  if (!pages) return artifacts;
  const folder = (typeof pages === 'object' ? pages.publish : undefined) ?? publish ?? 'public';
  const { paths, ...rest } = artifacts ?? noArtifacts;
  return { ...rest, paths: paths.includes(folder) ? paths : [...paths, folder] };
}

type Defaults = Pick<Globals['default'], keyof typeof defaults | keyof typeof storedDefaults>;

function pickDefined(given: Partial<Defaults>): Partial<Defaults> {
  const names = Object.keys({ ...defaults, ...storedDefaults }) as (keyof Defaults)[];
  return Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

/** A job runs a script, or triggers a pipeline. */
function checkWork(place: string, keywords: JobKeywords): void {
  if (!keywords.trigger && !keywords.script) {
    throw new PipelineFileError(`${place} config should implement the script:, or trigger: keyword`);
  }
  const extra = keywords.trigger ? ofScripts.filter((name) => keywords[name] !== undefined) : [];
  if (extra.length > 0) throw new PipelineFileError(`${place} config contains unknown keys: ${extra.join(', ')}`);
}

/** One without the other has no meaning. */
function checkDelay(
  place: string,
  { when, start_in: startIn }: Pick<z.infer<typeof rules>[number], 'when' | 'start_in'>,
): void {
  if ((when === 'delayed') === (startIn !== undefined)) return;
  throw new PipelineFileError(`${place} start in ${startIn === undefined ? "can't be blank" : 'must be blank'}`);
}

const ruleOf = ({ needs, ...rule }: z.infer<typeof rules>[number], { dependencies }: JobKeywords): Rule => ({
  if: rule.if,
  changes: rule.changes,
  exists: rule.exists,
  when: rule.when,
  startInSeconds: rule.start_in,
  variables: rule.variables,
  allowFailure: rule.allow_failure,
  isInterruptible: rule.interruptible,
  ...(needs && {
    needs: {
      of: needs.jobs,
      artifactsFrom: dependencies ?? artifactsOf(needs),
      crossPipelineNeeds: needs.crossPipeline,
    },
  }),
});

const workflowRuleOf = ({ when, auto_cancel: autoCancel, ...rule }: WorkflowRule): Rule => ({
  ...rule,
  when: when === 'never' ? when : undefined,
  autoCancel,
});
type WorkflowRule = NonNullable<z.infer<typeof workflow>['rules']>[number];

/** Validates with the messages that authors of pipeline files know, if there are any. */
function check<T extends z.ZodType>(schema: T, value: unknown, place: string): z.output<T> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new PipelineFileError(problemOf(present(result.error.issues[0], 'what is wrong'), place));
}

function problemOf(issue: z.core.$ZodIssue, place: string): string {
  const where = [place, ...issue.path.map(String)].join(':');
  const meant = issue.code === 'invalid_union' ? formMeant(issue.errors) : undefined;
  if (meant) return problemOf(meant, where);
  if (issue.code === 'unrecognized_keys') return `${where} config contains unknown keys: ${issue.keys.join(', ')}`;
  return `${where} config ${issue.code === 'custom' ? issue.message : 'is invalid'}`;
}

/** For a keyword with several forms, the error of the form of the value; undefined if it has none of them. */
function formMeant(forms: z.core.$ZodIssue[][]): z.core.$ZodIssue | undefined {
  const near = forms.filter(([first]) => first && !(first.code === 'invalid_type' && first.path.length === 0));
  return near.length === 1 ? near[0]?.[0] : undefined;
}
