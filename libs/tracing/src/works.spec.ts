import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { currentTask, requestOfLine, waitingFor } from './task';
import { Works } from './works';

/** What is logged at a level, from here on. */
function lines(level: 'warn' | 'debug'): string[] {
  const written: string[] = [];
  jest.spyOn(Logger.prototype, level).mockImplementation((...said: unknown[]) => {
    written.push(String(said[0]));
  });
  return written;
}

describe('what is followed', () => {
  const works = new Works({ isFollowing: true });

  it('is known in all that follows from it, and beside others at the same time', async () => {
    const seen = async (requestId: string) =>
      works.do('operation', 'a.b', { requestId }, async () => {
        await wait(1);
        await Promise.all([wait(1)]);
        return requestOfLine();
      });
    expect(await Promise.all([seen('1'), seen('2')])).toEqual([{ requestId: '1' }, { requestId: '2' }]);
    expect(currentTask()).toBeUndefined();
  });

  it('is known to what it is not waited for by', async () => {
    let later: Promise<unknown> = Promise.resolve();
    works.as({ requestId: '3' }, () => {
      later = wait(1).then(() => currentTask()?.requestId);
    });
    expect(await later).toBe('3');
  });

  it('counts what is waited for at once but once', async () => {
    const waited = await works.do('job', 'a', {}, async () => {
      const started = performance.now();
      await Promise.all([waitingFor('database', () => wait(20)), waitingFor('database', () => wait(20))]);
      const [[partner, ms]] = currentTask()!.waited() as [[string, number]];
      return { partner, isOnce: ms > 15 && ms <= performance.now() - started };
    });
    expect(waited).toEqual({ partner: 'database', isOnce: true });
  });
});

describe('what is not followed', () => {
  it('has no task, and says so of nothing', async () => {
    const works = new Works({});
    expect(await works.do('operation', 'a.b', { requestId: '1' }, async () => currentTask())).toBeUndefined();
    expect(works.as({ requestId: '1' }, requestOfLine)).toEqual({});
    expect(await waitingFor('git', async () => 5)).toBe(5);
  });
});

describe('what takes long', () => {
  it('is logged once, in one line, with what it waited for', async () => {
    const written = lines('warn');
    const slow: string[] = [];
    const works = new Works({ slowMs: 1, isFollowing: true, onSlow: (kind) => slow.push(kind) });
    await works.do('operation', 'a.b', { requestId: '5' }, () => waitingFor('git', () => wait(10)));
    expect(written).toEqual([expect.stringMatching(/^operation a\.b took \d+ ms, waited for git \d+ ms; request 5$/)]);
    expect(slow).toEqual(['operation']);
  });

  it('is logged where it failed, too', async () => {
    const written = lines('warn');
    const failing = new Works({ slowMs: 1 }).do('job', 'a', {}, async () => {
      await wait(10);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(written).toEqual([expect.stringMatching(/^job a took \d+ ms; request internal$/)]);
  });

  it('is not logged where that is switched off, nor what takes no longer', async () => {
    const written = [lines('warn'), lines('debug')];
    await new Works({ slowMs: 0 }).do('job', 'a', {}, () => wait(5));
    await new Works({ slowMs: 60_000 }).do('job', 'a', {}, () => wait(5));
    expect(written).toEqual([[], []]);
  });
});

it('tells of everything where all is to be logged', async () => {
  const written = lines('debug');
  await new Works({ isVerbose: true }).do('event', 'a-b', { requestId: '6' }, async () => undefined);
  expect(written).toEqual([expect.stringMatching(/^event a-b took 0 ms; request 6$/)]);
});
