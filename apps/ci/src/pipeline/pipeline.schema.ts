import {
  type JobStatus,
  mostVariables,
  type PipelineMergeRequest,
  type PipelineSource,
  type PipelineStatus,
  type reportedStates,
} from '@moothall/contracts';
import { type Outboxed, outboxed, sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';
import { type AutoCancel, type JobEnvironment, mostExitCodes, type Retry, type When } from '../pipeline-file/job-spec';
import { type SealedVariable, sealedVariableSchema } from '../variable/sealed-variable';

/** A job inside its pipeline's document, so that a change, all its effects and its events are one write. */
export interface Job {
  id: number;
  name: string;
  stage: string;
  /** Place of the stage, from 0. */
  stageIndex: number;
  status: JobStatus;
  when: When;
  /** Delay of a delayed job after its stage begins; absent for others. */
  startInSeconds?: number;
  /** Its start time; used while it is `scheduled`. */
  scheduledAt?: Date;
  allowFailure: boolean;
  /** Exit codes of its script with which it may fail; absent for all or none. */
  allowedExitCodes?: number[];
  /** Names of the jobs it waits for, instead of all of the earlier stages. */
  needs: string[] | null;
  tags: string[];
  /** When it is retried automatically after a failure; null for never. */
  retry: Retry | null;
  /** Whether a newer pipeline may stop it; absent in documents of earlier versions. */
  isInterruptible?: boolean;
  /** The pattern for its log at its end; absent without one. */
  coveragePattern?: string;
  /** Percent; null or absent without a match in its log. */
  coverage?: number | null;
  /** Its environment; absent without one, and in documents of earlier versions. */
  environment?: JobEnvironment;
  /** A trigger job, which no runner gets; absent for others. */
  isBridge?: boolean;
  /** The pipeline that it created. */
  downstream?: Downstream;
  /** Key of its resource group; absent without one. */
  resourceGroup?: string;
  /** Another run has replaced it. */
  isRetried: boolean;
  userId: number | null;
  timeoutSeconds: number;
  /** Given when a manual job was started. */
  variables: SealedVariable[];
  failureReason: string | null;
  runnerId: number | null;
  /** SHA-256 of the token of the run; null before it. */
  tokenSha256: string | null;
  createdAt: Date;
  queuedAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  erasedAt: Date | null;
}

/** A pipeline that a job has created. */
export interface Downstream {
  pipelineId: number;
  projectId: number;
}

/** The job that created a pipeline. */
export interface Upstream {
  jobId: number;
  pipelineId: number;
  /** The root of the downstream pipelines. */
  rootId: number;
  /** The number of pipelines above it. */
  depth: number;
}

/** An external status of the commit. */
export interface ReportedStatus {
  id: number;
  name: string;
  status: (typeof reportedStates)[number];
  targetUrl: string | null;
  description: string | null;
  /** Percent. */
  coverage: number | null;
  /** A later one with its name has replaced it. */
  isRetried: boolean;
  userId: number;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export interface PipelineCommit {
  id: string;
  message: string;
  authorName: string;
  authorEmail: string;
  committedAt: Date;
}

export interface Pipeline extends Outboxed {
  _id: number;
  iid: number;
  projectId: number;
  ref: string;
  isTag: boolean;
  /** Whether the ref was protected when the pipeline was created. */
  isProtected: boolean;
  sha: string;
  beforeSha: string;
  /** Null if the ref did not exist. */
  commit: PipelineCommit | null;
  source: PipelineSource;
  status: PipelineStatus;
  userId: number | null;
  /** The name from `workflow`; absent without one. */
  name?: string;
  /** Absent without the keyword. */
  autoCancel?: AutoCancel;
  /** Why there are no jobs. */
  yamlErrors: string | null;
  /** Its merge request, if it has one. */
  mergeRequest?: PipelineMergeRequest;
  /** The job of another pipeline that created it. */
  upstream?: Upstream;
  /** Jobs that have created, or will create, downstream pipelines; only in the root. */
  downstreamOf?: number[];
  scheduleId?: number;
  /** Unique key: the schedule and its due time. */
  triggerKey?: string;
  variables: SealedVariable[];
  /** JobSpec by name, as JSON; read only to hand a job out. */
  specs?: string;
  jobs: Job[];
  /** Oldest first; absent without any. */
  reported?: ReportedStatus[];
  /** Incremented with each change of jobs and statuses: a writer with an older one starts again. */
  revision: number;
  startedAt: Date | null;
  finishedAt: Date | null;
  durationSeconds: number | null;
  /** Since when the longest waiting job waits for a runner; absent without one. */
  pendingSince?: Date;
  /** When the next job times out; absent if none waits or runs. */
  deadlineAt?: Date;
  /** When the next delayed job starts; absent without one. */
  nextStartAt?: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** With their work, CI_MAX_PIPELINE_SIZE, all jobs of a pipeline are one document of at most 16 MB. */
export const mostJobBytes = 6 * 1024 ** 2;
/** They are in the pipeline's document, which is read by everything that concerns the pipeline. */
export const mostReported = 500;

const absent = { default: null };

/** Limit of downstream pipelines of a root. */
export const mostDownstream = 100;

const jobSchema = new Schema<Job>(
  {
    id: Number,
    name: String,
    stage: String,
    stageIndex: Number,
    status: String,
    when: String,
    startInSeconds: Number,
    scheduledAt: Date,
    allowFailure: Boolean,
    allowedExitCodes: { type: [Number], default: undefined, most: mostExitCodes },
    needs: { type: [String], default: null, mostBytes: mostJobBytes },
    tags: { type: [String], mostBytes: mostJobBytes },
    retry: { type: Object, ...absent },
    isInterruptible: Boolean,
    coveragePattern: String,
    coverage: { type: Number, ...absent },
    environment: Object,
    isBridge: Boolean,
    downstream: Object,
    resourceGroup: String,
    isRetried: Boolean,
    userId: { type: Number, ...absent },
    timeoutSeconds: Number,
    variables: { type: [sealedVariableSchema], default: [], most: mostVariables },
    failureReason: { type: String, ...absent },
    runnerId: { type: Number, ...absent },
    tokenSha256: { type: String, ...absent },
    createdAt: Date,
    queuedAt: { type: Date, ...absent },
    startedAt: { type: Date, ...absent },
    finishedAt: { type: Date, ...absent },
    erasedAt: { type: Date, ...absent },
  },
  { _id: false, id: false },
);

const reportedSchema = new Schema<ReportedStatus>(
  {
    id: Number,
    name: String,
    status: String,
    targetUrl: { type: String, ...absent },
    description: { type: String, ...absent },
    coverage: { type: Number, ...absent },
    isRetried: Boolean,
    userId: Number,
    createdAt: Date,
    startedAt: { type: Date, ...absent },
    finishedAt: { type: Date, ...absent },
  },
  { _id: false, id: false },
);

const commitSchema = new Schema<PipelineCommit>(
  { id: String, message: String, authorName: String, authorEmail: String, committedAt: Date },
  { _id: false, id: false },
);

export const pipelineSchema = new Schema<Pipeline>(
  {
    _id: Number,
    iid: Number,
    projectId: Number,
    ref: String,
    isTag: Boolean,
    isProtected: { type: Boolean, default: false },
    sha: String,
    beforeSha: String,
    commit: { type: commitSchema, ...absent },
    source: String,
    status: String,
    userId: { type: Number, ...absent },
    name: String,
    autoCancel: Object,
    yamlErrors: { type: String, ...absent },
    mergeRequest: Object,
    upstream: Object,
    downstreamOf: { type: [Number], default: undefined, most: mostDownstream },
    scheduleId: Number,
    triggerKey: String,
    variables: { type: [sealedVariableSchema], default: [], most: mostVariables },
    specs: { type: String, select: false },
    jobs: { type: [jobSchema], default: [], mostBytes: mostJobBytes },
    reported: { type: [reportedSchema], default: undefined, most: mostReported },
    revision: { type: Number, default: 0 },
    startedAt: { type: Date, ...absent },
    finishedAt: { type: Date, ...absent },
    durationSeconds: { type: Number, ...absent },
    pendingSince: Date,
    deadlineAt: Date,
    nextStartAt: Date,
  },
  { timestamps: true, versionKey: false, collection: 'pipelines' },
);

// Lists of a project in the requested orders; selective filters use the order by id.
pipelineSchema.index({ projectId: 1, _id: 1 });
pipelineSchema.index({ projectId: 1, status: 1, _id: 1 });
pipelineSchema.index({ projectId: 1, ref: 1, _id: 1 });
// The newest successful one of a ref, whose artifacts are downloaded.
pipelineSchema.index({ projectId: 1, ref: 1, status: 1, _id: 1 });
pipelineSchema.index({ projectId: 1, sha: 1, _id: 1 });
pipelineSchema.index({ projectId: 1, userId: 1, _id: 1 });
pipelineSchema.index({ projectId: 1, updatedAt: 1, _id: 1 });
// The pipelines of a schedule, and the last of them.
pipelineSchema.index({ scheduleId: 1, _id: 1 }, { sparse: true });
// One pipeline for a schedule and due time, after any kill and retry.
pipelineSchema.index({ triggerKey: 1 }, { unique: true, sparse: true });
// A job by its id, by the token of its run, and by its runner.
pipelineSchema.index({ 'jobs.id': 1 });
pipelineSchema.index({ 'jobs.tokenSha256': 1 });
pipelineSchema.index({ 'jobs.runnerId': 1, _id: 1 });
// Jobs that wait for a resource; few pipelines have them.
pipelineSchema.index(
  { projectId: 1, 'jobs.resourceGroup': 1, status: 1, _id: 1 },
  { partialFilterExpression: { 'jobs.resourceGroup': { $exists: true } } },
);
// Pipelines with trigger jobs that may wait.
pipelineSchema.index({ status: 1, _id: 1 }, { partialFilterExpression: { 'jobs.isBridge': true } });
// Pending jobs, longest waiting first; timeouts; and delayed starts.
pipelineSchema.index({ pendingSince: 1, _id: 1 }, { sparse: true });
pipelineSchema.index({ deadlineAt: 1 }, { sparse: true });
pipelineSchema.index({ nextStartAt: 1 }, { sparse: true });
// Pipelines of a deleted user.
pipelineSchema.index({ userId: 1 });
pipelineSchema.plugin(outboxed);
pipelineSchema.plugin(sealedFields, ['variables.sealed', 'jobs.variables.sealed']);
