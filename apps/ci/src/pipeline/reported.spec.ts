import { cancelReported, type StatusReport, withReport } from './reported';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const said = (status: StatusReport['status'], over: Partial<StatusReport> = {}): StatusReport => ({
  name: 'build',
  userId: 7,
  status,
  ...over,
});
let newId = 0;
const after = (...all: StatusReport[]) =>
  all.reduce<ReturnType<ReturnType<typeof withReport>>>((known, one, n) => withReport(one, ++newId)(known, at(n)), []);

it('is one status from its beginning to its end', () => {
  const [one, ...others] = after(
    said('pending', { description: 'soon' }),
    said('running', { targetUrl: 'https://ci.test/1' }),
    said('success', { coverage: 12.5 }),
  );
  expect(others).toEqual([]);
  expect(one).toMatchObject({
    status: 'success',
    description: 'soon',
    targetUrl: 'https://ci.test/1',
    coverage: 12.5,
    createdAt: at(0),
    startedAt: at(1),
    finishedAt: at(2),
  });
});

it('is a new status if the previous one has ended, or has another name', () => {
  const all = after(said('failed'), said('running', { name: 'lint' }), said('pending'));
  expect(all.map(({ name, status, isRetried }) => [name, status, isRetried])).toEqual([
    ['build', 'failed', true],
    ['lint', 'running', false],
    ['build', 'pending', false],
  ]);
});

it.each<[StatusReport['status'], StatusReport['status'], string]>([
  ['pending', 'pending', 'enqueue'],
  ['running', 'running', 'run'],
  ['running', 'pending', 'enqueue'],
])('refuses the transition from %s to %s', (from, to, event) => {
  expect(() => after(said(from), said(to))).toThrow(`Cannot transition status via :${event} from :${from}`);
});

it('deletes the oldest replaced statuses, and accepts only as many as fit', () => {
  const names = Array.from({ length: 499 }, (_, n) => said('success', { name: `job ${n}` }));
  const full = after(...names, said('failed'), said('failed'), said('success'));
  expect(full).toHaveLength(500);
  expect(full.filter(({ name }) => name === 'build').map(({ status }) => status)).toEqual(['success']);
  expect(() => withReport(said('success', { name: 'one more' }), 1)(full, at(0))).toThrow('commit_status.too_many');
});

it('is canceled with its pipeline, unless it has ended', () => {
  const all = cancelReported(after(said('failed'), said('running', { name: 'lint' })), at(9));
  expect(all.map(({ status, finishedAt }) => [status, finishedAt])).toEqual([
    ['failed', at(0)],
    ['canceled', at(9)],
  ]);
});
