import { setTimeout as wait } from 'node:timers/promises';
import { currentTask, waitingFor } from '../src/task';
import { Works } from '../src/works';

describe('a trace', () => {
  const works = new Works({ isFollowing: true });

  it('counts concurrent waits once', async () => {
    const waited = await works.do('job', 'a', {}, async () => {
      const started = performance.now();
      await Promise.all([
        waitingFor('database', 'find', () => wait(20)),
        waitingFor('database', 'find', () => wait(20)),
      ]);
      const [[partner, ms]] = currentTask()!.waited() as [[string, number]];
      return { partner, isOnce: ms > 15 && ms <= performance.now() - started };
    });
    expect(waited).toEqual({ partner: 'database', isOnce: true });
  });
});
