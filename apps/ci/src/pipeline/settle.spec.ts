import type { JobStatus } from '@moothall/contracts';
import { sampleJob as job, nextJobId } from '../../test/sample-job';
import { cancelAll, fail, giveUp, play, repeat, repeatFailed, succeed, take } from './job-transitions';
import type { Job } from './pipeline.schema';
import { statusOf } from './pipeline-state';
import { moved, settle } from './settle';

const now = new Date('2026-01-01T00:00:00Z');
const statuses = (jobs: Job[]) =>
  Object.fromEntries(jobs.filter((one) => !one.isRetried).map(({ name, status }) => [name, status]));
const ended = (
  jobs: Job[],
  name: string,
  status: 'success' | 'failed',
  failure = { reason: 'script_failure' },
): Job[] => {
  const { id } = jobs.find((one) => one.name === name && one.status === 'pending')!;
  const transition = status === 'success' ? succeed(id) : fail(id, failure, nextJobId());
  return settle(transition(take((one) => one.id === id, 1, 'hash')(jobs, now), now), now);
};

describe('settle', () => {
  it('starts the first stage, and the next when it has succeeded', () => {
    let jobs = settle([job('a', 0), job('b', 0), job('c', 1)], now);
    expect(statuses(jobs)).toEqual({ a: 'pending', b: 'pending', c: 'created' });
    expect(statusOf(jobs)).toBe('pending');
    jobs = ended(jobs, 'a', 'success');
    expect(statuses(jobs)).toMatchObject({ c: 'created' });
    expect(statusOf(jobs)).toBe('running');
    jobs = ended(ended(jobs, 'b', 'success'), 'c', 'success');
    expect(statusOf(jobs)).toBe('success');
  });

  it('skips all jobs after a failure, except those that run on failure', () => {
    const rescue = { when: 'on_failure' as const };
    let jobs = settle(
      [job('a', 0), job('b', 1), job('c', 2), job('rescue', 2, rescue), job('end', 3, { when: 'always' })],
      now,
    );
    jobs = ended(jobs, 'a', 'failed');
    expect(statuses(jobs)).toEqual({ a: 'failed', b: 'skipped', c: 'skipped', rescue: 'pending', end: 'created' });
    jobs = ended(ended(jobs, 'rescue', 'success'), 'end', 'success');
    expect(statusOf(jobs)).toBe('failed');
  });

  it('continues after an allowed failure', () => {
    let jobs = settle([job('a', 0, { allowFailure: true }), job('b', 1)], now);
    jobs = ended(jobs, 'a', 'failed');
    expect(statuses(jobs)).toMatchObject({ b: 'pending' });
    expect(statusOf(ended(jobs, 'b', 'success'))).toBe('success');
  });

  it('starts the delay of a job when its stage begins', () => {
    const delayed = { when: 'delayed' as const, startInSeconds: 90 };
    let jobs = settle([job('a', 0), job('b', 1, delayed), job('c', 2)], now);
    expect(statuses(jobs)).toEqual({ a: 'pending', b: 'created', c: 'created' });
    jobs = ended(jobs, 'a', 'success');
    expect(statuses(jobs)).toEqual({ a: 'success', b: 'scheduled', c: 'created' });
    expect(jobs[1]!.scheduledAt).toEqual(new Date('2026-01-01T00:01:30Z'));
    const failed = ended(settle([job('a', 0), job('b', 1, delayed)], now), 'a', 'failed');
    expect(statuses(failed)).toMatchObject({ b: 'skipped' });
  });

  it('follows needs past stages', () => {
    let jobs = settle([job('a', 0), job('slow', 0), job('b', 1, { needs: ['a'] }), job('c', 2, { needs: ['b'] })], now);
    jobs = ended(jobs, 'a', 'failed');
    expect(statuses(jobs)).toEqual({ a: 'failed', slow: 'pending', b: 'skipped', c: 'skipped' });
    expect(statuses(settle([job('x', 3, { needs: [] }), job('y', 0)], now))).toEqual({ x: 'pending', y: 'pending' });
  });

  it('skips jobs that need a skipped job, but not later stages', () => {
    const skipped = job('a', 0, { status: 'skipped' });
    const after = [job('b', 1), job('c', 1, { needs: ['a'] })];
    // To be allowed to fail is not to have run.
    for (const a of [skipped, { ...skipped, allowFailure: true }])
      expect(statuses(settle([a, ...after], now))).toEqual({ a: 'skipped', b: 'pending', c: 'skipped' });
  });

  it('does not wait for needs that are not in the pipeline', () => {
    expect(statuses(settle([job('a', 1, { needs: ['gone'] })], now))).toEqual({ a: 'pending' });
  });

  it('waits for the latest run of a needed job', () => {
    const runs = [job('a', 0, { status: 'failed', isRetried: true }), job('a', 0, { status: 'success' })];
    expect(statuses(settle([...runs, job('b', 1, { needs: ['a'] })], now))).toMatchObject({ b: 'pending' });
    expect(statuses(settle([...runs, job('b', 1)], now))).toMatchObject({ b: 'pending' });
  });

  it('does not change retried jobs', () => {
    const history = job('a', 0, { isRetried: true });
    expect(settle([history], now)[0]).toBe(history);
  });

  it('does not change jobs that wait for nothing', () => {
    const jobs = [job('a', 0, { status: 'running' }), job('b', 1)];
    expect(settle(jobs, now)).toEqual(jobs);
  });

  it.each<[JobStatus, boolean, JobStatus]>([
    ['success', false, 'pending'],
    ['failed', false, 'skipped'],
    ['failed', true, 'pending'],
    ['canceled', false, 'skipped'],
    ['canceled', true, 'pending'],
    ['manual', false, 'created'],
    ['manual', true, 'pending'],
    ['pending', true, 'created'],
    ['running', false, 'created'],
  ])('after a job that is %s (failure allowed: %s) the next is %s', (status, allowFailure, expected) => {
    const jobs = settle([job('a', 0, { status, allowFailure }), job('b', 1)], now);
    expect(jobs[1]!.status).toBe(expected);
  });

  it.each<[JobStatus, boolean, JobStatus]>([
    ['failed', false, 'pending'],
    ['failed', true, 'skipped'],
    ['canceled', false, 'skipped'],
    ['success', false, 'skipped'],
  ])(
    'a job that runs on failure, after one that is %s (failure allowed: %s), is %s',
    (status, allowFailure, expected) => {
      const jobs = settle([job('a', 0, { status, allowFailure }), job('b', 1, { when: 'on_failure' })], now);
      expect(jobs[1]!.status).toBe(expected);
    },
  );

  it('does not offer a manual job if its previous stage failed', () => {
    const manual = (before: JobStatus) =>
      settle([job('a', 0, { status: before }), job('b', 1, { when: 'manual' })], now)[1]!.status;
    expect([manual('success'), manual('failed')]).toEqual(['manual', 'skipped']);
  });

  it('records when a job was queued, started and ended', () => {
    const [created] = [job('a', 0)];
    expect(moved(created!, 'pending', now)).toEqual({ ...created, status: 'pending', queuedAt: now });
    expect(moved(created!, 'running', now)).toEqual({ ...created, status: 'running', startedAt: now });
    expect(moved(created!, 'failed', now)).toEqual({ ...created, status: 'failed', finishedAt: now });
    expect(moved(created!, 'skipped', now)).toEqual({ ...created, status: 'skipped' });
    expect(moved(created!, 'manual', now)).toEqual({ ...created, status: 'manual' });
  });

  it('is blocked by a manual job only if that may not fail', () => {
    const optional = settle([job('a', 0, { when: 'manual', allowFailure: true }), job('b', 1)], now);
    expect(statuses(optional)).toEqual({ a: 'manual', b: 'pending' });
    const blocking = settle([job('a', 0, { when: 'manual' }), job('b', 1)], now);
    expect(statuses(blocking)).toEqual({ a: 'manual', b: 'created' });
    expect(statusOf(blocking)).toBe('manual');
    const played = play(blocking[0]!.id, 2, [])(blocking, now);
    expect(statuses(ended(played, 'a', 'success'))).toEqual({ a: 'success', b: 'pending' });
  });

  it('cancels unfinished jobs', () => {
    let jobs = ended(settle([job('a', 0), job('b', 1)], now), 'a', 'success');
    jobs = settle(cancelAll(jobs, now), now);
    expect(statuses(jobs)).toEqual({ a: 'success', b: 'canceled' });
    expect(statusOf(jobs)).toBe('canceled');
    expect(cancelAll(jobs, now)).toBe(jobs);
  });

  it('retries failed jobs, and jobs that were skipped after them', () => {
    let jobs = ended(settle([job('a', 0), job('b', 1)], now), 'a', 'failed');
    jobs = settle(repeatFailed(1000, 7)(jobs, now), now);
    expect(statuses(jobs)).toEqual({ a: 'pending', b: 'created' });
    expect(jobs.find(({ id }) => id === 1000)).toMatchObject({
      name: 'a',
      userId: 7,
      failureReason: null,
      runnerId: null,
    });
    expect(statusOf(ended(ended(jobs, 'a', 'success'), 'b', 'success'))).toBe('success');
  });

  // `retry` of a job was accepted and had no effect.
  describe('of a job that is tried again', () => {
    const retry = { max: 1, when: null, exitCodes: null };

    it('waits for the retries that `retry` allows', () => {
      let jobs = ended(settle([job('a', 0, { retry }), job('b', 1)], now), 'a', 'failed');
      expect(statuses(jobs)).toEqual({ a: 'pending', b: 'created' });
      jobs = ended(jobs, 'a', 'failed');
      expect(statuses(jobs)).toEqual({ a: 'failed', b: 'skipped' });
      expect(jobs.map(({ name, isRetried }) => [name, isRetried])).toEqual([
        ['a', true],
        ['b', false],
        ['a', false],
      ]);
    });

    it.each([
      [{ ...retry, when: ['script_failure'] }, { reason: 'script_failure' }, 'pending'],
      [{ ...retry, when: ['runner_system_failure'] }, { reason: 'script_failure' }, 'failed'],
      [{ ...retry, exitCodes: [137] }, { reason: 'script_failure', exitCode: 137 }, 'pending'],
      [{ ...retry, exitCodes: [137] }, { reason: 'script_failure', exitCode: 1 }, 'failed'],
      [{ ...retry, exitCodes: [137] }, { reason: 'script_failure' }, 'failed'],
      [{ ...retry, max: 0 }, { reason: 'script_failure' }, 'failed'],
    ])('%j: a failure %j is retried: %s', (given, failure, status) => {
      const jobs = ended(settle([job('a', 0, { retry: given })], now), 'a', 'failed', failure);
      expect(statuses(jobs)).toEqual({ a: status });
    });

    it('counts a timeout as a failure', () => {
      const pending = settle([job('a', 0, { retry }), job('b', 0)], now);
      const jobs = settle(giveUp(() => true, 5000)(pending, now), now);
      expect(statuses(jobs)).toEqual({ a: 'pending', b: 'failed' });
    });
  });

  it('hands a job to one runner only', () => {
    const [pending] = settle([job('a', 0)], now);
    const taken = take(() => true, 1, 'first')([pending!], now);
    expect(take(() => true, 2, 'second')(taken, now)).toBe(taken);
  });

  it.each<[JobStatus[], string]>([
    [['created', 'created'], 'created'],
    [['pending', 'created'], 'pending'],
    [['running', 'pending'], 'running'],
    [['success', 'failed', 'canceled'], 'failed'],
    [['success', 'canceled'], 'canceled'],
    [['success', 'skipped'], 'success'],
    [['skipped', 'skipped'], 'skipped'],
  ])('%j add up to %s', (given, expected) => {
    expect(statusOf(given.map((status) => job('x', 0, { status })))).toBe(expected);
  });
});

// A job that was retried forever filled the document, and then nothing of the pipeline could be written.
it('a job runs again as long as there is room for it', () => {
  let jobs = [job('a', 0, { status: 'failed', tags: ['x'.repeat(100_000)] })];
  const again = () => {
    const failed = jobs.at(-1)!.id;
    jobs = repeat(failed, nextJobId(), 1)(jobs, now).map((one) => ({ ...one, status: 'failed' }));
  };
  for (let times = 0; times < 50; times++) again();
  expect(jobs).toHaveLength(51);
  expect(() => {
    for (let times = 0; times < 50; times++) again();
  }).toThrow('job.not_retryable');
  expect(jobs.length).toBeLessThan(65);
});
