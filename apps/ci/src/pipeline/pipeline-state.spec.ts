import type { JobStatus } from '@moothall/contracts';
import { sampleJob as job } from '../../test/sample-job';
import type { Job } from './pipeline.schema';
import { deadlineOf, stateOf, statusOf } from './pipeline-state';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const now = at(1000);
const fresh = { status: 'created', startedAt: null, finishedAt: null } as const;
const ran = (from: number, to: number, over: Partial<Job> = {}): Job =>
  job('a', 0, { status: 'success', startedAt: at(from), finishedAt: at(to), ...over });

describe('the status of a pipeline', () => {
  const allowed = (status: JobStatus) => job('x', 0, { status, allowFailure: true });
  const plain = (status: JobStatus) => job('x', 0, { status });

  it.each<[string, Job[], string]>([
    ['nothing but what may be left undone', [allowed('manual')], 'skipped'],
    ['what may fail and has failed', [allowed('failed')], 'success'],
    ['what may fail and was cancelled, and is optional', [allowed('canceled'), allowed('manual')], 'success'],
    ['nothing', [], 'skipped'],
    ['what may fail and succeeds', [allowed('success')], 'success'],
    ['a failure beside one that is allowed', [allowed('failed'), plain('failed')], 'failed'],
    ['one that runs beside a failure', [plain('failed'), plain('running')], 'running'],
    ['one that runs beside one that waits', [plain('pending'), plain('running')], 'running'],
    ['one that waits, after one that was skipped', [plain('skipped'), plain('pending')], 'pending'],
    ['one that waits, after one that ran', [ran(1, 2), plain('pending')], 'running'],
    ['one that waits beside one that waits by hand', [plain('manual'), plain('pending')], 'pending'],
    ['one that waits by hand, before more', [plain('manual'), plain('created')], 'manual'],
    ['one that waits for its time, before more', [plain('scheduled'), plain('created')], 'scheduled'],
    ['one that waits for its time beside one by hand', [plain('scheduled'), plain('manual')], 'manual'],
    ['what is to come', [plain('created'), plain('created')], 'created'],
    ['what is to come after what is done', [plain('success'), plain('created')], 'running'],
    ['a failure and what was cancelled', [plain('canceled'), plain('failed')], 'failed'],
    ['what was cancelled and what was skipped', [plain('skipped'), plain('canceled')], 'canceled'],
    ['success and what was skipped', [plain('skipped'), plain('success')], 'success'],
    ['what was skipped', [plain('skipped')], 'skipped'],
    ['a failure that was run again', [job('x', 0, { status: 'failed', isRetried: true }), plain('success')], 'success'],
  ])('with %s', (_, jobs, expected) => expect(statusOf(jobs)).toBe(expected));

  it('is that of a waiting job while an earlier one has not ended', () => {
    const begun = job('x', 0, { status: 'manual', startedAt: at(1) });
    expect(statusOf([begun, plain('pending')])).toBe('pending');
  });
});

describe('the times of a pipeline', () => {
  it('contain the start of the next delayed job', () => {
    const later = (seconds: number, status: JobStatus) => job('x', 0, { status, scheduledAt: at(seconds) });
    const jobs = [later(30, 'scheduled'), later(20, 'scheduled'), later(10, 'canceled')];
    expect(stateOf(jobs, fresh, now).nextStartAt).toEqual(at(20));
    expect(stateOf(jobs.slice(2), fresh, now).nextStartAt).toBeUndefined();
  });

  it('begin with the first job and end with the last', () => {
    const jobs = [ran(20, 30), ran(10, 25)];
    expect(stateOf(jobs, fresh, now)).toMatchObject({ startedAt: at(10), finishedAt: now, durationSeconds: 20 });
    expect(stateOf([job('a', 0)], fresh, now)).toMatchObject({
      startedAt: null,
      finishedAt: null,
      durationSeconds: null,
    });
  });

  it('stay unchanged if nothing has changed', () => {
    const before = { status: 'success', startedAt: at(5), finishedAt: at(40) } as const;
    expect(stateOf([ran(10, 30)], before, now)).toMatchObject({ startedAt: at(5), finishedAt: at(40) });
    expect(stateOf([ran(10, 30, { status: 'failed' })], before, now)).toMatchObject({ finishedAt: now });
    expect(stateOf([ran(10, 30)], { ...before, finishedAt: null }, now)).toMatchObject({ finishedAt: now });
    expect(stateOf([job('a', 0, { status: 'running' })], before, now)).toMatchObject({ finishedAt: null });
  });

  it('do not begin with a run that was repeated', () => {
    const jobs = [ran(10, 20, { isRetried: true }), ran(30, 40)];
    expect(stateOf(jobs, fresh, now)).toMatchObject({ startedAt: at(30) });
  });

  it.each<[string, [number, number][], number]>([
    [
      'one after another',
      [
        [0, 10],
        [10, 15],
      ],
      15,
    ],
    [
      'at the same time',
      [
        [0, 10],
        [2, 8],
      ],
      10,
    ],
    [
      'one into the other',
      [
        [0, 10],
        [5, 15],
      ],
      15,
    ],
    [
      'with a pause, in any order',
      [
        [50, 60],
        [0, 10],
      ],
      20,
    ],
    ['for no time', [[7, 7]], 0],
  ])('last as long as something runs: %s', (_, runs, seconds) => {
    const jobs = runs.map(([from, to]) => ran(from, to));
    expect(stateOf(jobs, fresh, now).durationSeconds).toBe(seconds);
  });

  it('omit jobs that never ran', () => {
    const never = [
      job('x', 0, { status: 'canceled', finishedAt: at(99) }),
      job('y', 0, { status: 'skipped', startedAt: at(98) }),
    ];
    expect(stateOf([ran(0, 10), ...never], fresh, now).durationSeconds).toBe(10);
  });

  it('contain the time since which a job waits for a runner', () => {
    const waiting = [30, 20, 40].map((seconds) => job('x', 0, { status: 'pending', queuedAt: at(seconds) }));
    const running = job('x', 0, { status: 'running', queuedAt: at(1), startedAt: at(900), timeoutSeconds: 60 });
    const state = stateOf([...waiting, running, job('x', 0, { status: 'pending' })], fresh, now);
    expect(state.pendingSince).toEqual(at(20));
    expect(state.deadlineAt).toEqual(at(900 + 60 + 300));
    expect(stateOf([ran(0, 1)], fresh, now)).toMatchObject({ pendingSince: undefined, deadlineAt: undefined });
  });
});

describe('a job times out', () => {
  it('a day after it began to wait', () => {
    expect(deadlineOf(job('x', 0, { status: 'pending', queuedAt: at(5) }))).toEqual(at(86_405));
    expect(deadlineOf(job('x', 0, { status: 'pending' }))).toBeUndefined();
  });

  it('five minutes after its timeout', () => {
    const started = { queuedAt: at(1), startedAt: at(10), timeoutSeconds: 60 };
    expect(deadlineOf(job('x', 0, { status: 'running', ...started }))).toEqual(at(370));
    expect(deadlineOf(job('x', 0, { status: 'running' }))).toBeUndefined();
    expect(deadlineOf(job('x', 0, { status: 'success', ...started }))).toBeUndefined();
  });
});
