import { hostname } from 'node:os';
import { readWorkerName, workerName, workersOf } from './worker-name';

it('contains the process that works on a queue', () => {
  const { pid, concurrency, startedAt } = readWorkerName(workerName(8))!;
  expect([pid, concurrency]).toEqual([process.pid, 8]);
  const now = Date.now();
  expect(startedAt.getTime()).toBeLessThanOrEqual(now);
  expect(readWorkerName('host.of.many.dots.7.1700000000000.2')).toEqual({
    ...{ hostname: 'host.of.many.dots', pid: 7, startedAt: new Date(1_700_000_000_000), concurrency: 2 },
  });
  expect(workerName(1)).toContain(hostname().slice(0, 3));
});

it.each(['', 'worker', 'a.b.c.d', '1.2.3', `x.1.2.${'9'.repeat(9)}`])('refuses %j', (name) => {
  expect(readWorkerName(name)).toBeUndefined();
});

it('finds workers among the connections to Redis, each once', () => {
  const queue = Buffer.from('ci.schedules').toString('base64');
  const line = (name: string) => `id=3 addr=127.0.0.1:5 laddr=127.0.0.1:6 name=${name} age=1 cmd=bzpopmin`;
  const list = ['', `moothall:${queue}`, `moothall:${queue}:w:h.1.2.3`, `moothall:${queue}:w:h.1.2.3`, 'other:x:w:y'];
  expect(workersOf(list.map(line).join('\n'))).toEqual([{ queue: 'ci.schedules', name: 'h.1.2.3' }]);
});
