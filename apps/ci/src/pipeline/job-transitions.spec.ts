import type { JobStatus } from '@moothall/contracts';
import { sampleJob as job } from '../../test/sample-job';
import { mirror, notTriggered, triggered } from './bridge-transitions';
import {
  cancel,
  cancelAll,
  cancelRedundant,
  erase,
  fail,
  giveBack,
  giveUp,
  play,
  repeat,
  repeatFailed,
  stopAtFailure,
  succeed,
  take,
} from './job-transitions';
import type { Job } from './pipeline.schema';
import { startDue } from './start-due';

const now = new Date('2026-01-01T12:00:00Z');
const every: JobStatus[] = [
  'created',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
];
const ended: JobStatus[] = ['success', 'failed', 'canceled', 'skipped'];
const others = [job('before', 0, { status: 'success' }), job('after', 1)];
const among = (status: JobStatus, over = {}) => [others[0]!, job('it', 0, { id: 7000, status, ...over }), others[1]!];

/** The job in the middle after a transition. The others must not change. */
function ofOne(transition: ReturnType<typeof cancel>, status: JobStatus, over = {}) {
  const jobs = transition(among(status, over), now);
  expect([jobs[0], jobs[2]]).toEqual(others);
  return jobs[1]!;
}

describe('a job', () => {
  it.each(every)('that is %s is cancelled unless it has ended', (status) => {
    const jobs = among(status);
    if (ended.includes(status)) expect(cancel(7000)(jobs, now)).toBe(jobs);
    else expect(ofOne(cancel(7000), status)).toMatchObject({ status: 'canceled', finishedAt: now });
  });

  it.each(every)('that is %s is started by hand only where it waits for that', (status) => {
    const variables = [{ key: 'A' }] as never;
    if (!['manual', 'scheduled'].includes(status))
      expect(() => play(7000, 9, variables)(among(status), now)).toThrow('job.not_playable');
    else expect(ofOne(play(7000, 9, variables), status)).toMatchObject({ status: 'pending', userId: 9, variables });
  });

  it.each(every)('that is %s starts automatically only after its delay', (status) => {
    const at = (ms: number) => ({ scheduledAt: new Date(now.getTime() + ms) });
    const early = among(status, at(1));
    expect(startDue(early, now)).toBe(early);
    const after = ofOne(startDue, status, at(0)).status;
    expect(after).toBe(status === 'scheduled' ? 'pending' : status);
  });

  it('that was delayed does not wait a second time', () => {
    const jobs = repeat(7000, 8000, 5)(among('failed', { when: 'delayed', startInSeconds: 60 }), now);
    expect(jobs[3]).toMatchObject({ id: 8000, when: 'on_success' });
  });

  it.each(every)('that is %s and triggers a pipeline gets its state only with strategy depend', (status) => {
    const downstream = { pipelineId: 1, projectId: 2 };
    const jobs = among(status, { isBridge: true });
    if (status !== 'pending') {
      expect(triggered(7000, downstream, true)(jobs, now)).toBe(jobs);
      expect(notTriggered(7000, 'why')(jobs, now)).toBe(jobs);
      return;
    }
    expect(ofOne(triggered(7000, downstream, true), status)).toMatchObject({ status: 'running', downstream });
    const done = { status: 'success', downstream, startedAt: now, finishedAt: now };
    expect(ofOne(triggered(7000, downstream, false), status)).toMatchObject(done);
    expect(ofOne(notTriggered(7000, 'why'), status)).toMatchObject({ status: 'failed', failureReason: 'why' });
  });

  it.each(every)('that is %s ends as the pipeline that it waits for only while it runs', (status) => {
    const jobs = among(status);
    if (status !== 'running') expect(mirror(7000, 'success')(jobs, now)).toBe(jobs);
    else expect(ofOne(mirror(7000, 'failed'), status)).toMatchObject({ status: 'failed', finishedAt: now });
  });

  it('that triggers a pipeline triggers another one when it is retried', () => {
    const downstream = { pipelineId: 1, projectId: 2 };
    const jobs = repeat(7000, 8000, 5)(among('failed', { isBridge: true, downstream }), now);
    expect(jobs[1]).toMatchObject({ downstream });
    expect(jobs[3]).toMatchObject({ isBridge: true });
    expect(jobs[3]).not.toHaveProperty('downstream');
  });

  it.each(every)('that is %s is erased only once it has ended', (status) => {
    if (!ended.includes(status)) expect(() => erase(7000)(among(status), now)).toThrow('job.not_erasable');
    else expect(ofOne(erase(7000), status)).toMatchObject({ status, erasedAt: now });
  });

  it.each(every)('that is %s succeeds or fails only while it runs', (status) => {
    const jobs = among(status);
    const failure = { reason: 'script_failure' };
    if (status !== 'running') {
      expect(succeed(7000)(jobs, now)).toBe(jobs);
      expect(fail(7000, failure, 1)(jobs, now)).toBe(jobs);
      return;
    }
    expect(ofOne(succeed(7000), status)).toMatchObject({ status: 'success', finishedAt: now });
    const failed = { status: 'failed', finishedAt: now, failureReason: 'script_failure' };
    expect(ofOne(fail(7000, failure, 1), status)).toMatchObject(failed);
  });

  it.each(every)('that is %s is repeated only once it has run', (status) => {
    if (!['success', 'failed', 'canceled'].includes(status)) {
      expect(() => repeat(7000, 8000, 5)(among(status), now)).toThrow('job.not_retryable');
      return;
    }
    const jobs = repeat(7000, 8000, 5)(among(status), now);
    expect(jobs).toHaveLength(4);
    expect(jobs.map(({ isRetried }) => isRetried)).toEqual([false, true, false, false]);
    expect(jobs[0]).toEqual(others[0]);
    expect(jobs[1]).toMatchObject({ id: 7000, status });
    expect(jobs[3]).toMatchObject({ id: 8000, name: 'it', status: 'created', userId: 5, createdAt: now });
    expect(() => repeat(7000, 8001, 5)(jobs, now)).toThrow('job.not_retryable');
  });

  it('that is missing is refused by name', () => {
    for (const transition of [cancel(0), play(0, 1, []), repeat(0, 2, 3), erase(0), succeed(0)]) {
      expect(() => transition(among('created'), now)).toThrow('job.not_found');
    }
  });

  it('that was started by hand need not be started again', () => {
    const whenOf = (when: 'manual' | 'always') => repeat(7000, 8000, 5)(among('failed', { when }), now).at(-1)!.when;
    expect([whenOf('manual'), whenOf('always')]).toEqual(['on_success', 'always']);
  });

  it('starts again when it is repeated', () => {
    const run = { failureReason: 'x', runnerId: 3, tokenSha256: 'x', queuedAt: now, startedAt: now, finishedAt: now };
    const copy = repeat(7000, 8000, 5)(among('failed', { ...run, erasedAt: now }), now).at(-1)!;
    const begun = Object.fromEntries([...Object.keys(run), 'erasedAt'].map((field) => [field, null]));
    expect(copy).toMatchObject(begun);
  });
});

describe('jobs of a pipeline', () => {
  it('that were skipped wait again, but for those that are history', () => {
    const skipped = [job('late', 1, { status: 'skipped' }), job('old', 1, { status: 'skipped', isRetried: true })];
    const jobs = repeat(7000, 8000, 5)([...among('failed'), ...skipped], now);
    expect(jobs.slice(3, 5).map(({ status }) => status)).toEqual(['created', 'skipped']);
  });

  it('that failed or were canceled are retried together, with new ids', () => {
    const jobs = [
      job('a', 0, { status: 'failed' }),
      job('b', 0, { status: 'canceled' }),
      job('c', 0, { status: 'success' }),
      job('d', 0, { status: 'failed', isRetried: true }),
    ];
    const copies = repeatFailed(9000, 5)(jobs, now).slice(4);
    expect(copies.map(({ id, name }) => [id, name])).toEqual([
      [9000, 'a'],
      [9001, 'b'],
    ]);
    const fine = [jobs[2]!, jobs[3]!];
    expect(repeatFailed(9000, 5)(fine, now)).toBe(fine);
  });

  it('are canceled if they have not ended, also if some were retried', () => {
    const jobs = [job('a', 0, { status: 'success' }), job('b', 0, { status: 'manual' }), job('c', 1)];
    expect(cancelAll(jobs, now).map(({ status }) => status)).toEqual(['success', 'canceled', 'canceled']);
    const over = [jobs[0]!, job('d', 0, { status: 'created', isRetried: true })];
    expect(cancelAll(over, now)).toBe(over);
  });

  it('are assigned in their order, to the runners that match', () => {
    const [first, second] = [job('a', 0, { status: 'pending' }), job('b', 0, { status: 'pending' })];
    const jobs = [job('x', 0), first!, second!];
    const [, a, b] = take(() => true, 4, 'hash')(jobs, now);
    expect(a).toMatchObject({ status: 'running', runnerId: 4, tokenSha256: 'hash', startedAt: now });
    expect(b).toBe(second);
    expect(take(({ name }) => name === 'b', 4, 'hash')(jobs, now)[2]).toMatchObject({ status: 'running' });
    expect(take(({ name }) => name === 'x', 4, 'hash')(jobs, now)).toBe(jobs);
  });

  it('are pending again in their place when the runner did not get them', () => {
    const queuedAt = new Date('2026-01-01T11:00:00Z');
    const waiting = [job('a', 0, { status: 'pending', queuedAt }), job('b', 0, { status: 'pending' })];
    const [first] = waiting;
    const running = take(() => true, 4, 'hash')(waiting, now);
    expect(giveBack(first!.id, 'hash')(running, now)).toEqual(waiting);
    // Another run of it, and an ended one, do not change.
    expect(giveBack(first!.id, 'other')(running, now)).toBe(running);
    const done = succeed(first!.id)(running, now);
    expect(giveBack(first!.id, 'hash')(done, now)).toBe(done);
  });

  it('that no runner takes or that never end time out', () => {
    const jobs = [job('a', 0, { status: 'pending' }), job('b', 0, { status: 'running' })];
    const over = giveUp(({ name }) => name === 'b', 9000)(jobs, now);
    expect(over[0]).toBe(jobs[0]);
    expect(over[1]).toMatchObject({ status: 'failed', failureReason: 'stuck_or_timeout_failure' });
    const retry = { max: 2, when: null, exitCodes: null };
    const both = giveUp(() => true, 9000)(
      jobs.map((one) => ({ ...one, retry })),
      now,
    );
    expect(both.slice(2).map(({ id, name }) => [id, name])).toEqual([
      [9000, 'a'],
      [9001, 'b'],
    ]);
  });

  it('may fail with some exit codes of their script', () => {
    const running = job('a', 0, { status: 'running', allowedExitCodes: [3, 4] });
    const after = (exitCode?: number) => fail(running.id, { reason: 'script_failure', exitCode }, 9000)([running], now);
    expect(after(4)).toMatchObject([{ status: 'failed', allowFailure: true }]);
    expect(after(5)).toMatchObject([{ status: 'failed', allowFailure: false }]);
    expect(after()).toMatchObject([{ status: 'failed', allowFailure: false }]);
    // The next run is evaluated by its own exit code.
    expect(repeat(running.id, 9001, 1)(after(4), now).at(-1)).toMatchObject({ id: 9001, allowFailure: false });
  });

  it.each([
    [undefined, 'canceled', 'canceled', 'created'],
    ['conservative', 'canceled', 'canceled', 'created'],
    ['interruptible', 'canceled', 'created', 'created'],
    ['none', 'created', 'created', 'created'],
  ] as const)('of a redundant pipeline are canceled by `on_new_commit`: %s', (how, first, second, begun) => {
    const jobs = [job('a', 0, { isInterruptible: true }), job('b', 0)];
    expect(cancelRedundant(how)(jobs, now).map(({ status }) => status)).toEqual([first, second]);
    const running = job('c', 0, { status: 'running', startedAt: now });
    const others = how === 'interruptible' ? 'canceled' : begun;
    expect(cancelRedundant(how)([jobs[0]!, running], now).map(({ status }) => status)).toEqual([others, 'running']);
  });

  it('end when a required one fails, if the file requests it', () => {
    const [a, b, c] = [job('a', 0, { status: 'running' }), job('b', 0, { status: 'running' }), job('c', 1)];
    const before = [a!, b!, c!];
    const statusesAfter = (over: Partial<Job>) => {
      const after = [{ ...a!, ...over }, b!, c!];
      return stopAtFailure(before)(after, now).map(({ status }) => status);
    };
    expect(statusesAfter({ status: 'failed' })).toEqual(['failed', 'canceled', 'canceled']);
    expect(statusesAfter({ status: 'failed', allowFailure: true })).toEqual(['failed', 'running', 'created']);
    expect(statusesAfter({ status: 'failed', isRetried: true })).toEqual(['failed', 'running', 'created']);
    expect(statusesAfter({ status: 'success' })).toEqual(['success', 'running', 'created']);
    // An earlier failure does not stop jobs that were started since.
    const failed = [{ ...a!, status: 'failed' as const }, b!];
    expect(stopAtFailure(failed)(failed, now)).toBe(failed);
  });

  it('are retried as often as they define, independent of other jobs', () => {
    const retry = { max: 1, when: null, exitCodes: null };
    const history = job('other', 0, { status: 'failed', isRetried: true });
    const running = job('a', 0, { status: 'running', retry, userId: 6 });
    const again = fail(running.id, { reason: 'script_failure' }, 9000)([history, running], now);
    expect(again.at(-1)).toMatchObject({ id: 9000, status: 'created', userId: 6 });
    const spent = [...again.slice(0, 2), { ...again[2]!, status: 'running' as const }];
    expect(fail(9000, { reason: 'script_failure' }, 9001)(spent, now)).toHaveLength(3);
  });
});
