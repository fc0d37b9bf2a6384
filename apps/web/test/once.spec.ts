import { openRedis } from '@moothall/access';
import { commonErrors } from '@moothall/contracts';
import { openTestBed, type TestBed } from '@moothall/testing';
import type { Redis } from 'ioredis';
import { Once, resultUnknown } from '../src/forms/once';

/* Forms that are sent twice, to replicas with the same Redis. */

let bed: TestBed;
let redis: Redis;
let replicas: [Once, Once];
let forms = 0;

beforeAll(async () => {
  bed = await openTestBed('web');
  redis = openRedis(bed.env.REDIS_URL!);
  replicas = [new Once(redis), new Once(redis)];
});
afterAll(async () => {
  await redis?.quit();
  await bed?.stop();
});

const newForm = () => ['a user', `form ${forms++}`];
const unused = () => Promise.reject(new Error('called again'));

describe('a form', () => {
  it('is taken once by two replicas at the same time, and both know the result', async () => {
    const form = newForm();
    let calls = 0;
    let finish: (path: string) => void = () => undefined;
    const work = () => {
      calls += 1;
      return new Promise<string>((resolve) => {
        finish = resolve;
      });
    };
    const first = replicas[0].take(form, work);
    while (calls === 0) await new Promise(setImmediate);
    const second = replicas[1].take(form, work);
    finish('/result');
    expect(await Promise.all([first, second])).toEqual(['/result', '/result']);
    expect(await replicas[1].take(form, unused)).toBe('/result');
    expect(calls).toBe(1);
  });

  it('that was refused can be sent again, the same one', async () => {
    const form = newForm();
    const refusal = commonErrors.notFound();
    await expect(replicas[0].take(form, () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(await replicas[1].take(form, async () => '/result')).toBe('/result');
  });

  it.each([commonErrors.timeout(), commonErrors.unavailable(), new Error('a bug')])(
    'that failed with %s has perhaps been taken, so it is not taken again',
    async (failure) => {
      const form = newForm();
      await expect(replicas[0].take(form, () => Promise.reject(failure))).rejects.toBe(failure);
      await expect(replicas[1].take(form, unused)).rejects.toEqual(resultUnknown());
    },
  );

  it('is not taken again after the process died that took it', async () => {
    const form = newForm();
    const dying = replicas[0].take(form, () => new Promise(() => undefined));
    await expect(replicas[1].take(form, unused, 300)).rejects.toEqual(resultUnknown());
    expect(await Promise.race([dying, 'no result'])).toBe('no result');
  });

  it('with other fields is another one', async () => {
    const [user, token] = newForm();
    expect(await replicas[0].take([user, token, 'a'], async () => '/a')).toBe('/a');
    expect(await replicas[0].take([user, token, 'b'], async () => '/b')).toBe('/b');
  });
});

it('keeps results in Redis that nobody can read without the form', async () => {
  const form = newForm();
  const before = new Set(await redis.keys('form:*'));
  expect(await replicas[0].take(form, async () => ({ secret: 'plain-text' }))).toEqual({ secret: 'plain-text' });
  expect(await replicas[1].take(form, unused)).toEqual({ secret: 'plain-text' });
  const [key = '', ...others] = (await redis.keys('form:*')).filter((one) => !before.has(one));
  expect(others).toEqual([]);
  expect(await redis.get(key)).not.toContain('plain-text');
});

it('without Redis no form is taken, and nothing is called', async () => {
  const lost = openRedis('redis://127.0.0.1:1');
  lost.options.maxRetriesPerRequest = 0;
  await expect(new Once(lost).take(newForm(), unused)).rejects.toThrow(/max retries|Connection is closed/);
  lost.disconnect();
});
