import { event } from '@moothall/contracts';
import { startTestInfrastructure } from '@moothall/infrastructure';
import type { NatsConnection } from 'nats';
import { z } from 'zod';
import { connectNats } from '../src';
import { CachedAnswer } from '../src/cached-answer';

const changed = event({ name: 'test.answer.changed', data: z.object({}) });

let infrastructure: Awaited<ReturnType<typeof startTestInfrastructure>>;
let connection: NatsConnection;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  connection = await connectNats(infrastructure.natsUrl, 'test');
});
afterAll(async () => {
  jest.useRealTimers();
  await connection?.close();
  await infrastructure?.stop();
});

/** An answer that grows with each call, and the number of calls. */
function counting() {
  const state = { asked: 0, fails: false };
  const kept = new CachedAnswer(connection, changed, async () => {
    state.asked += 1;
    if (state.fails) throw new Error('nobody is there');
    return state.asked;
  });
  return { state, kept };
}

describe('a cached answer', () => {
  it('is read once, and again after the event', async () => {
    const { state, kept } = counting();
    expect(await Promise.all([kept.read(), kept.read()])).toEqual([1, 1]);
    connection.publish('events.test.answer.changed', JSON.stringify({ id: '1', name: changed.name, data: {} }));
    await connection.flush();
    expect(await kept.read()).toBe(2);
    expect(kept.latest).toBe(2);
    expect(state.asked).toBe(2);
    kept.close();
  });

  it('caches no failure, and returns the previous answer to callers that do not wait', async () => {
    const { state, kept } = counting();
    expect(kept.latest).toBeUndefined();
    await kept.read();
    state.fails = true;
    jest.useFakeTimers({ now: Date.now() + 61_000, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    await expect(kept.read()).rejects.toThrow('nobody is there');
    expect(kept.latest).toBe(1);
    state.fails = false;
    // The background request has failed by then.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await kept.read()).toBeGreaterThan(1);
    kept.close();
    jest.useRealTimers();
  });

  it('is read again after a gap in the connection', async () => {
    const { kept } = counting();
    expect(await kept.read()).toBe(1);
    await infrastructure.restart('nats');
    const deadline = Date.now() + 60_000;
    while ((await kept.read()) === 1 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await kept.read()).toBeGreaterThan(1);
    kept.close();
  });

  // An event that was missed is felt for a minute at most.
  it('expires after a minute without an event', async () => {
    const { kept } = counting();
    expect(await kept.read()).toBe(1);
    jest.useFakeTimers({ now: Date.now() + 61_000, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    expect(await kept.read()).toBe(2);
    jest.useRealTimers();
    kept.close();
  });
});
