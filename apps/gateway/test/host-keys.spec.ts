import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { Redis } from 'ioredis';
import { areSameHostKeys } from '../src/ssh/same-host-keys';

let infrastructure: TestInfrastructure;
let redis: Redis;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  redis = new Redis(infrastructure.redisUrl);
});
afterAll(async () => {
  await redis.quit();
  await infrastructure.stop();
});

// Regression: gateways with different host keys look like an attack to clients, without any warning to the operator.
it('rejects a gateway whose host keys differ from those of the previous one', async () => {
  const [one, other] = [[Buffer.from('a'), Buffer.from('b')], [Buffer.from('c')]];
  expect(await areSameHostKeys(redis, one)).toBe(true);
  expect(await areSameHostKeys(redis, one)).toBe(true);
  expect(await areSameHostKeys(redis, other)).toBe(false);
  expect(await areSameHostKeys(redis, other)).toBe(true);
});
