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

/** A job inside its pipeline's document, so that a change, all that follows from it and its events are one write. */
export interface Job {
  id: number;
  name: string;
  stage: string;
  /** Place of the stage, from 0. */
  stageIndex: number;
  status: JobStatus;
  when: When;
  /** How long a delayed job waits once its turn has come; absent for others. */
  startInSeconds?: number;
  /** When it begins by itself; counts while it is `scheduled`. */
  scheduledAt?: Date;
  allowFailure: boolean;
  /** Exit codes of its script with which it may fail; absent where it is all or none. */
  allowedExitCodes?: number[];
  /** Names of the jobs it waits for, instead of all of the stages before. */
  needs: string[] | null;
  tags: string[];
  /** When it is run again by itself after a failure; null for never. */
  retry: Retry | null;
  /** Whether a newer pipeline may stop it; absent in what earlier versions wrote. */
  isInterruptible?: boolean;
  /** What its log is searched for when it ends; absent where nobody wants to know. */
  coveragePattern?: string;
  /** Percent; null or absent where its log did not say. */
  coverage?: number | null;
  /** Its environment; absent without one, and in documents of earlier versions. */
  environment?: JobEnvironment;
  /** It triggers a pipeline, and no runner takes it; absent for others. */
  isBridge?: boolean;
  /** The pipeline that it made. */
  downstream?: Downstream;
  /** Key of the group of which one job runs at a time; absent where it may run beside any. */
  resourceGroup?: string;
  /** Another run has taken its place. */
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

/** A pipeline that a job has made. */
export interface Downstream {
  pipelineId: number;
  projectId: number;
}

/** The job that made a pipeline. */
export interface Upstream {
  jobId: number;
  pipelineId: number;
  /** The first of all that came of each other. */
  rootId: number;
  /** How many there are above it. */
  depth: number;
}

/** What a program elsewhere has reported of the commit. */
export interface ReportedStatus {
  id: number;
  name: string;
  status: (typeof reportedStates)[number];
  targetUrl: string | null;
  description: string | null;
  /** Percent. */
  coverage: number | null;
  /** A later one of its name has taken its place. */
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
  /** Whether the ref was protected when the pipeline was made. */
  isProtected: boolean;
  sha: string;
  beforeSha: string;
  /** Null when the ref was gone. */
  commit: PipelineCommit | null;
  source: PipelineSource;
  status: PipelineStatus;
  userId: number | null;
  /** What the file calls it; absent where it does not. */
  name?: string;
  /** Absent where the file does not say. */
  autoCancel?: AutoCancel;
  /** Why there are no jobs. */
  yamlErrors: string | null;
  /** What it was made for, where that is a merge request. */
  mergeRequest?: PipelineMergeRequest;
  /** What made it, where that is a job of another pipeline. */
  upstream?: Upstream;
  /** Jobs that have made, or are about to make, one of the pipelines that came of this one; of the first of them alone. */
  downstreamOf?: number[];
  scheduleId?: number;
  /** Schedule and due time it was made for: no two pipelines have the same. */
  triggerKey?: string;
  variables: SealedVariable[];
  /** JobSpec by name, as JSON; read only to hand a job out. */
  specs?: string;
  jobs: Job[];
  /** Oldest first; absent where nothing was reported. */
  reported?: ReportedStatus[];
  /** Incremented with each change of jobs and statuses: a writer with an older one starts again. */
  revision: number;
  startedAt: Date | null;
  finishedAt: Date | null;
  durationSeconds: number | null;
  /** Since when the longest waiting job waits for a runner; absent when none does. */
  pendingSince?: Date;
  /** When the next job is given up on; absent when none waits or runs. */
  deadlineAt?: Date;
  /** When the next delayed job begins; absent when none waits. */
  nextStartAt?: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** With what they are to do, CI_MAX_PIPELINE_SIZE, all jobs of a pipeline are one document of at most 16 MB. */
export const mostJobBytes = 6 * 1024 ** 2;
/** They are in the pipeline's document, which everything that happens to the pipeline reads. */
export const mostReported = 500;

const absent = { default: null };

/** Pipelines that come of one. */
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

// Lists of a project in the orders they are asked for; filters that few match come with the order by id.
pipelineSchema.index({ projectId: 1, _id: 1 });
pipelineSchema.index({ projectId: 1, status: 1, _id: 1 });
pipelineSchema.index({ projectId: 1, ref: 1, _id: 1 });
// The newest of a ref that succeeded, whose artifacts are asked for.
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
// What waits for a resource; few pipelines have such jobs.
pipelineSchema.index(
  { projectId: 1, 'jobs.resourceGroup': 1, status: 1, _id: 1 },
  { partialFilterExpression: { 'jobs.resourceGroup': { $exists: true } } },
);
// Those with jobs that trigger others and may be waiting for them.
pipelineSchema.index({ status: 1, _id: 1 }, { partialFilterExpression: { 'jobs.isBridge': true } });
// What runners ask for, longest waiting first; what is given up on; and what begins by itself.
pipelineSchema.index({ pendingSince: 1, _id: 1 }, { sparse: true });
pipelineSchema.index({ deadlineAt: 1 }, { sparse: true });
pipelineSchema.index({ nextStartAt: 1 }, { sparse: true });
// What a user made, when they go.
pipelineSchema.index({ userId: 1 });
pipelineSchema.plugin(outboxed);
pipelineSchema.plugin(sealedFields, ['variables.sealed', 'jobs.variables.sealed']);
