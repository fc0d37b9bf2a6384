import type { EnvironmentTier } from '@moothall/contracts';
import type { ReportKind } from './report-kinds';

/** The condition of a job after the jobs that it waits for. */
export type When = 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed';

export interface Retry {
  /** Further runs at most. */
  max: number;
  /** Reasons of the failure; null for any. */
  when: string[] | null;
  /** Exit codes of the script; null for any. */
  exitCodes: number[] | null;
}

/** Limit of exit codes of allow_failure or retry. */
export const mostExitCodes = 100;

export type Variables = Record<string, string>;

/** The environment of a job as written; variables are expanded when the job runs. */
export interface Environment {
  name: string;
  url?: string;
  action?: EnvironmentAction;
  /** The job that stops the environment of this one. */
  onStop?: string;
  /** As `1 week`, or `never`. */
  autoStopIn?: string;
  tier?: EnvironmentTier;
}

export const environmentActions = ['start', 'prepare', 'stop', 'verify', 'access'] as const;
export type EnvironmentAction = (typeof environmentActions)[number];

/** The same with all variables resolved when the pipeline was created. */
export interface JobEnvironment extends Environment {
  action: EnvironmentAction;
}

/** Which jobs a newer pipeline of the same ref cancels, and the effect of a failed job. See docs/api/pipelines.md#8. */
export interface AutoCancel {
  onNewCommit?: 'conservative' | 'interruptible' | 'none' | undefined;
  onJobFailure?: 'all' | 'none' | undefined;
}

/** Patterns of files of which one must be changed by the push or merge request. */
export interface Changes {
  paths: string[];
  /** A branch, tag or commit; null for the default base. */
  compareTo: string | null;
}

/** Patterns of files of which one must exist. */
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
  /** Replaces those of the job, with the jobs whose artifacts it then downloads. */
  needs?: { of: Need[]; artifactsFrom: string[]; crossPipelineNeeds: CrossPipelineNeed[] } | undefined;
  /** For the pipeline, in a clause of `workflow`. */
  autoCancel?: AutoCancel | undefined;
}

/** A job that another waits for. */
export interface Need {
  job: string;
  isOptional: boolean;
  hasArtifacts: boolean;
}

/**
 * A job of another pipeline whose artifacts a job downloads: of a pipeline of the same project by its id, or of the
 * last successful pipeline of a ref in another project.
 */
export type CrossPipelineNeed = { job: string } & ({ pipeline: string } | { project: string; ref: string });

/** The older conditions of a job: `only` and `except`. */
export interface RefPolicy {
  refs: string[];
  variables: string[];
  /** Patterns of files; null if it does not depend on them. */
  changes: string[] | null;
}

/** A job in the pipeline file, before its rules are evaluated. */
export interface FileJob {
  name: string;
  stage: string;
  rules: Rule[] | null;
  only: RefPolicy | null;
  except: RefPolicy | null;
  when: When;
  /** Delay of a delayed job after its stage begins; absent for others. */
  startInSeconds?: number;
  /** Null without the keyword. */
  allowFailure: boolean | null;
  /** Exit codes of the script with which it may fail; absent for all or none. */
  allowedExitCodes?: number[];
  needs: Need[] | null;
  tags: string[];
  retry: Retry | null;
  isInterruptible: boolean;
  /** Key of its resource group, unresolved; null without one. */
  resourceGroup: string | null;
  /** As `/Total: \d+%/`; null without the keyword. */
  coveragePattern: string | null;
  /** Which variables of the file it inherits: all, none, or the named ones. */
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
  /** Jobs whose artifacts it downloads, by name; null for all earlier ones. */
  artifactsFrom: string[] | null;
  /** Absent for none. Variables are resolved when the pipeline is created. */
  crossPipelineNeeds?: CrossPipelineNeed[];
  /** Absent for jobs without one, and in documents of earlier versions. */
  environment?: Environment;
  /** The audiences of each token, by its variable; absent for jobs without. */
  idTokens?: Record<string, string[]>;
  /** Commands before the sources are fetched; absent for none. */
  beforeSources?: string[];
  /** Absent for jobs that run a script. */
  trigger?: TriggerSpec;
  /** Absent for jobs without a release. */
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

/** The pipeline that a job creates, instead of running a script. */
export interface TriggerSpec {
  /** A project and its branch, null for the default one; or the includes of a child pipeline. */
  target: { project: string; branch: string | null } | { include: (string | Record<string, unknown>)[] };
  /** Whether the job gets the status of that pipeline, and does not succeed immediately. */
  depends: boolean;
  /** Whether that pipeline gets the job's variables of the file. */
  forwardsVariables: boolean;
  /** Whether it gets the variables of this job's pipeline. */
  forwardsPipelineVariables: boolean;
}

/** The release of a job after its success. */
export interface ReleaseSpec {
  tagName: string;
  /** Makes a new tag an annotated one. */
  tagMessage: string | null;
  name: string | null;
  description: string;
  /** The target of a new tag; null for the commit of the pipeline. */
  ref: string | null;
  milestones: string[];
  releasedAt: string | null;
  /** Each as JSON. */
  links: string[];
}

/** Artifacts of a job. */
export interface ArtifactSpec {
  paths: string[];
  exclude: string[];
  untracked: boolean;
  name: string | null;
  when: 'on_success' | 'on_failure' | 'always';
  /** As written in the file, or `never`; null for no expiry. */
  expireIn: string | null;
  /** Which readers of the job may read them. */
  access: 'all' | 'developer' | 'maintainer' | 'none';
  reports: { kind: ReportKind; paths: string[] }[];
}

/** Files that a runner stores for later jobs. */
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
  /** The whole file with its includes. */
  root: Record<string, unknown>;
}

/** Something in the pipeline file that cannot be; the text is for its author. */
export class PipelineFileError extends Error {
  override name = 'PipelineFileError';
}
