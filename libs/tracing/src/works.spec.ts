import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { SpanEnd, SpanStart, Tracer } from './span';
import { currentTask, originOfTask, requestOfLine, waitingFor } from './task';
import { Works } from './works';

/** Log lines of a level, from now on. */
function lines(level: 'warn' | 'debug'): string[] {
  const written: string[] = [];
  jest.spyOn(Logger.prototype, level).mockImplementation((...said: unknown[]) => {
    written.push(String(said[0]));
  });
  return written;
}

describe('a trace', () => {
  const works = new Works({ isFollowing: true });

  it('is known in everything it calls, and separate from concurrent ones', async () => {
    const seen = async (requestId: string) =>
      works.do('operation', 'a.b', { requestId }, async () => {
        await wait(1);
        await Promise.all([wait(1)]);
        return requestOfLine();
      });
    expect(await Promise.all([seen('1'), seen('2')])).toEqual([{ requestId: '1' }, { requestId: '2' }]);
    expect(currentTask()).toBeUndefined();
  });

  it('is known to background work', async () => {
    let later: Promise<unknown> = Promise.resolve();
    works.as({ requestId: '3' }, () => {
      later = wait(1).then(() => currentTask()?.requestId);
    });
    expect(await later).toBe('3');
  });
});

describe('a transfer', () => {
  it('is not slow, since its client sets the pace', async () => {
    const warned = lines('warn');
    const works = new Works({ slowMs: 1, isFollowing: true });
    expect(await works.do('transfer', 'git', { requestId: 't1' }, () => wait(5, 'sent'))).toBe('sent');
    expect(warned).toEqual([]);
  });
});

describe('untraced work', () => {
  it('has no task and logs nothing', async () => {
    const works = new Works({});
    expect(await works.do('operation', 'a.b', { requestId: '1' }, async () => currentTask())).toBeUndefined();
    expect(works.as({ requestId: '1' }, requestOfLine)).toEqual({});
    expect(await waitingFor('git', 'git log', async () => 5)).toBe(5);
  });
});

describe('slow work', () => {
  it('is logged once, in one line, with its calls', async () => {
    const written = lines('warn');
    const slow: string[] = [];
    const works = new Works({ slowMs: 1, isFollowing: true, onSlow: (kind) => slow.push(kind) });
    await works.do('operation', 'a.b', { requestId: '5' }, () => waitingFor('git', 'git log', () => wait(10)));
    expect(written).toEqual([expect.stringMatching(/^operation a\.b took \d+ ms, waited for git \d+ ms; request 5$/)]);
    expect(slow).toEqual(['operation']);
  });

  it('is logged also after a failure', async () => {
    const written = lines('warn');
    const failing = new Works({ slowMs: 1 }).do('job', 'a', {}, async () => {
      await wait(10);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(written).toEqual([expect.stringMatching(/^job a took \d+ ms; request internal$/)]);
  });

  it('is not logged if that is disabled, nor if it is fast', async () => {
    const written = [lines('warn'), lines('debug')];
    await new Works({ slowMs: 0 }).do('job', 'a', {}, () => wait(5));
    await new Works({ slowMs: 60_000 }).do('job', 'a', {}, () => wait(5));
    expect(written).toEqual([[], []]);
  });
});

it('logs everything at the level debug', async () => {
  const written = lines('debug');
  await new Works({ isVerbose: true }).do('event', 'a-b', { requestId: '6' }, async () => undefined);
  expect(written).toEqual([expect.stringMatching(/^event a-b took \d+ ms; request 6$/)]);
});

it('logs everything even if slow lines are limited', async () => {
  const [slow, all] = [lines('warn'), lines('debug')];
  const works = new Works({ slowMs: 1, isVerbose: true });
  await Promise.all(Array.from({ length: 20 }, (_, at) => works.do('job', `a${at}`, {}, () => wait(10))));
  expect(all).toHaveLength(20);
  expect(slow.length).toBeLessThan(20);
});

/** Counts spans and stores their attributes. */
class RecordedSpans implements Tracer {
  readonly started: SpanStart[] = [];
  readonly ended: (SpanEnd & { span: string })[] = [];

  start(span: SpanStart) {
    const traceparent = `span ${this.started.push(span)}`;
    return { traceparent, end: (how: SpanEnd = {}) => void this.ended.push({ span: traceparent, ...how }) };
  }

  async stop(): Promise<void> {}
}

describe('spans', () => {
  it('have their caller as parent, and their calls as children', async () => {
    const tracer = new RecordedSpans();
    const asked: unknown[] = [];
    const work = () =>
      waitingFor('services', 'c.d', async (traceparent) => {
        asked.push(traceparent, originOfTask());
      });
    await new Works({ tracer }).do('job', 'a', { requestId: '7', traceparent: 'span of another' }, work);
    expect(tracer.started).toMatchObject([
      { kind: 'consumer', name: 'process a', parent: 'span of another' },
      { kind: 'client', name: 'c.d', parent: 'span 1' },
    ]);
    expect(asked).toEqual(['span 2', { requestId: '7', traceparent: 'span 1' }]);
    expect(tracer.ended).toEqual([{ span: 'span 2' }, { span: 'span 1', error: undefined }]);
  });

  it('contain an error code, and no text of the error', async () => {
    const tracer = new RecordedSpans();
    const works = new Works({ tracer });
    const failing = works.do('event', 'a', {}, () =>
      waitingFor('git', 'git log', () => Promise.reject(new TypeError('a secret'))),
    );
    await expect(failing).rejects.toThrow('a secret');
    const errorOf = (code: string) => code;
    await works.do('operation', 'a.b', {}, async () => 'projects.not_found', errorOf);
    expect(tracer.ended.map(({ error }) => error)).toEqual(['TypeError', 'TypeError', 'projects.not_found']);
  });
});
