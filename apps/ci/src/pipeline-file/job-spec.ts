import type { EnvironmentTier } from '@moothall/contracts';
import type { ReportKind } from './report-kinds';

/** When a job runs, once what it waits for has ended. */
export type When = 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed';

export interface Retry {
  /** Further runs at most. */
  max: number;
  /** Reasons of the failure; null for any. */
  when: string[] | null;
  /** Exit codes of the script; null for any. */
  exitCodes: number[] | null;
}

/** With which a job may fail, or runs again. */
export const mostExitCodes = 100;

export type Variables = Record<string, string>;

/** The environment of a job as written; variables are expanded when the job runs. */
export interface Environment {
  name: string;
  url?: string;
  action?: EnvironmentAction;
  /** The job that stops what this one deploys. */
  onStop?: string;
  /** As `1 week`, or `never`. */
  autoStopIn?: string;
  tier?: EnvironmentTier;
}

export const environmentActions = ['start', 'prepare', 'stop', 'verify', 'access'] as const;
export type EnvironmentAction = (typeof environmentActions)[number];

/** The same with all variables put in, as it was when the pipeline was made. */
export interface JobEnvironment extends Environment {
  action: EnvironmentAction;
}

/** What a newer pipeline of the same ref cancels of one, and what a failed job does. See docs/api/pipelines.md#8. */
export interface AutoCancel {
  onNewCommit?: 'conservative' | 'interruptible' | 'none' | undefined;
  onJobFailure?: 'all' | 'none' | undefined;
}

/** Patterns of files of which one has to be among those that a push or merge request changed. */
export interface Changes {
  paths: string[];
  /** A branch, tag or commit; null for what the pipeline is made for. */
  compareTo: string | null;
}

/** Patterns of files of which one has to be there. */
export interface Exists {
  paths: string[];
  /** Full path of another project; null for the one of the pipeline. */
  project: string | null;
  ref: string | null;
}

/** When a job is part of a pipeline, one clause of `rules`. */
export interface Rule {
  if?: string | undefined;
  changes?: Changes | undefined;
  exists?: Exists | undefined;
  when?: When | 'never' | undefined;
  startInSeconds?: number | undefined;
  allowFailure?: boolean | undefined;
  variables?: Variables | undefined;
  isInterruptible?: boolean | undefined;
  /** In place of those of the job, with the jobs whose artifacts it starts with then. */
  needs?: { of: Need[]; artifactsFrom: string[]; crossPipelineNeeds: CrossPipelineNeed[] } | undefined;
  /** Of the pipeline, where the clause is one of `workflow`. */
  autoCancel?: AutoCancel | undefined;
}

/** A job that another waits for. */
export interface Need {
  job: string;
  isOptional: boolean;
  hasArtifacts: boolean;
}

/**
 * A job of another pipeline whose artifacts a job starts with: of a pipeline of the same project by its id, or of the last
 * pipeline of a ref that succeeded in another project.
 */
export type CrossPipelineNeed = { job: string } & ({ pipeline: string } | { project: string; ref: string });

/** The older way to say when a job is part of a pipeline: `only` and `except`. */
export interface RefPolicy {
  refs: string[];
  variables: string[];
  /** Patterns of files; null where it does not depend on them. */
  changes: string[] | null;
}

/** A job as the pipeline file describes it, before it is known whether it runs. */
export interface FileJob {
  name: string;
  stage: string;
  rules: Rule[] | null;
  only: RefPolicy | null;
  except: RefPolicy | null;
  when: When;
  /** How long a delayed job waits once its turn has come; absent for others. */
  startInSeconds?: number;
  /** Null where the file does not say. */
  allowFailure: boolean | null;
  /** Exit codes of the script with which it may fail; absent where it is all or none. */
  allowedExitCodes?: number[];
  needs: Need[] | null;
  tags: string[];
  retry: Retry | null;
  isInterruptible: boolean;
  /** Key of the group of which one job runs at a time, as it is written; null where it may run beside any. */
  resourceGroup: string | null;
  /** As `/Total: \d+%/`; null where nobody wants to know. */
  coveragePattern: string | null;
  /** Which variables of the file it has: all, none, or those named. */
  inheritsVariables: boolean | string[];
  spec: JobSpec;
}

/** The work of a runner. */
export interface JobSpec {
  script: string[];
  afterScript: string[];
  image: ImageSpec | null;
  services: ServiceSpec[];
  variables: Variables;
  /** Null: as long as the instance allows. */
  timeoutSeconds: number | null;
  artifacts: ArtifactSpec | null;
  cache: CacheSpec[];
  /** Jobs whose artifacts it starts with, as the file names them; null for all that it comes after. */
  artifactsFrom: string[] | null;
  /** Absent for none. Variables are put in when the pipeline is made. */
  crossPipelineNeeds?: CrossPipelineNeed[];
  /** Absent for jobs that are for none, and in what earlier versions wrote. */
  environment?: Environment;
  /** The audiences of each token, by its variable; absent for jobs without. */
  idTokens?: Record<string, string[]>;
  /** What runs before the sources are there; absent for nothing. */
  beforeSources?: string[];
  /** Absent for jobs that run a script. */
  trigger?: TriggerSpec;
  /** Absent for jobs that release nothing. */
  release?: ReleaseSpec;
}

/** The container that a job runs in. */
export interface ImageSpec {
  name: string;
  entrypoint?: string[];
  pull_policy?: string[];
}

/** A container beside it. */
export interface ServiceSpec extends ImageSpec {
  alias?: string;
  command?: string[];
  variables?: { key: string; value: string }[];
}

/** The pipeline that a job makes, instead of running a script. */
export interface TriggerSpec {
  /** A project and its branch, null for the default one; or what the file of a child pipeline includes. */
  target: { project: string; branch: string | null } | { include: (string | Record<string, unknown>)[] };
  /** Whether the job is what becomes of that pipeline, and not done once it is made. */
  depends: boolean;
  /** Whether that pipeline gets the variables that the file gives this job. */
  forwardsVariables: boolean;
  /** Whether it gets those that this job's pipeline was made with. */
  forwardsPipelineVariables: boolean;
}

/** What a job releases once it has succeeded. */
export interface ReleaseSpec {
  tagName: string;
  /** Makes a tag that is not there an annotated one. */
  tagMessage: string | null;
  name: string | null;
  description: string;
  /** What a tag that is not there is made of; null for the commit of the pipeline. */
  ref: string | null;
  milestones: string[];
  releasedAt: string | null;
  /** Each as JSON. */
  links: string[];
}

/** What a job leaves behind. */
export interface ArtifactSpec {
  paths: string[];
  exclude: string[];
  untracked: boolean;
  name: string | null;
  when: 'on_success' | 'on_failure' | 'always';
  /** As the file says it, or `never`; null for ever. */
  expireIn: string | null;
  /** Which readers of the job may read them. */
  access: 'all' | 'developer' | 'maintainer' | 'none';
  reports: { kind: ReportKind; paths: string[] }[];
}

/** Files that a runner keeps for later jobs. */
export interface CacheSpec {
  /** Or the files whose content is the key. */
  key: string | { files: string[]; prefix?: string | undefined };
  paths: string[];
  untracked: boolean;
  /** Whether jobs of protected and of other refs have it in common. */
  isShared: boolean;
  when: 'on_success' | 'on_failure' | 'always';
  policy: string;
  fallbackKeys: string[];
}

/** A pipeline file, read. */
export interface PipelineFile {
  stages: string[];
  variables: Variables;
  workflow: { name: string | null; rules: Rule[] | null; autoCancel: AutoCancel };
  jobs: FileJob[];
  /** All of it, with what it includes. */
  root: Record<string, unknown>;
}

/** Something in the pipeline file that cannot be; the text is for its author. */
export class PipelineFileError extends Error {
  override name = 'PipelineFileError';
}
