import { z } from 'zod';
import { event, id, snapshotField, time } from '../operation';
import { jobStatuses } from './job';
import { pipelineSources, pipelineStatuses } from './pipeline';

const pipelineFacts = {
  project_id: id,
  pipeline_id: id,
  ref: z.string(),
  tag: z.boolean(),
  sha: z.string(),
  user_id: id.nullable(),
};

/** A pipeline was created, or its state changed. */
export const pipelineChanged = event({
  name: 'ci.pipeline.changed',
  data: z.object({
    ...pipelineFacts,
    iid: id,
    name: z.string().optional().describe('`workflow:name` of its file, if it has one'),
    before_sha: z.string(),
    source: z.enum(pipelineSources),
    upstream_job_id: id.optional().describe('The job that created it'),
    status: snapshotField(z.enum(pipelineStatuses)),
    stages: z.array(z.string()),
    created_at: time,
    finished_at: time.nullable(),
    duration: z.number().nullable(),
  }),
});

/** A job was created, or its state changed. */
export const jobChanged = event({
  name: 'ci.job.changed',
  data: z.object({
    ...pipelineFacts,
    job_id: id,
    name: z.string(),
    stage: z.string(),
    status: snapshotField(z.enum(jobStatuses)),
    allow_failure: z.boolean(),
    failure_reason: z.string().nullable(),
    created_at: time,
    started_at: time.nullable(),
    finished_at: time.nullable(),
    duration: z.number().nullable(),
    runner_id: id.nullable(),
    resource_group: z.string().optional().describe('The resource group: one of its jobs runs at a time'),
    is_bridge: z.boolean().optional().describe('Whether it triggers a pipeline'),
    environment: z.string().optional().describe('The environment to which it deploys'),
    start_in: z.int().optional().describe('Seconds to wait before it starts'),
  }),
});
