import type { Job } from '../src/pipeline/pipeline.schema';

let lastId = 0;

/** A unique job number within a test file. */
export const nextJobId = (): number => ++lastId;

/** A new job with some given fields. */
export const sampleJob = (name: string, stageIndex: number, over: Partial<Job> = {}): Job => ({
  id: nextJobId(),
  name,
  stage: `stage ${stageIndex}`,
  stageIndex,
  status: 'created',
  when: 'on_success',
  allowFailure: false,
  needs: null,
  tags: [],
  retry: null,
  isRetried: false,
  userId: 1,
  timeoutSeconds: 60,
  variables: [],
  failureReason: null,
  runnerId: null,
  tokenSha256: null,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  queuedAt: null,
  startedAt: null,
  finishedAt: null,
  erasedAt: null,
  ...over,
});
