import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { connect } from 'nats';
import { startTestInfrastructure } from '../src';
import { readNatsUrl } from '../src/nats/start-nats';

describe('startTestInfrastructure', () => {
  it('starts all three programs, separately for each test file', async () => {
    const [one, two] = await Promise.all([startTestInfrastructure(), startTestInfrastructure()]);
    for (const [index, { natsUrl, redisUrl, mongodbUri, mongodbPrefix }] of [one, two].entries()) {
      const nats = await connect(readNatsUrl(natsUrl));
      await nats.flush();
      await nats.close();
      const redis = new Redis(redisUrl);
      expect(await redis.incr('counter')).toBe(1);
      redis.disconnect();
      const mongodb = await new MongoClient(mongodbUri).connect();
      const things = mongodb.db(`${mongodbPrefix}_things`).collection('things');
      await things.insertOne({ index });
      expect(await things.countDocuments()).toBe(1);
      await mongodb.close();
    }
    await Promise.all([one.stop(), two.stop()]);
    const late = new Redis(one.redisUrl, { retryStrategy: null, lazyConnect: true });
    late.on('error', () => {});
    await expect(late.connect()).rejects.toThrow();
  });

  it('leaves no processes when the test runner is killed', async () => {
    const script = `require(${JSON.stringify(path.resolve(__dirname, '../dist/index.js'))}).startTestInfrastructure()
      .then(({ redisUrl }) => { console.log(redisUrl); setInterval(() => {}, 1000); })`;
    const runner = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [redisUrl] = await once(runner.stdout.setEncoding('utf8'), 'data');
    const redis = new Redis(redisUrl.trim(), { retryStrategy: null });
    redis.on('error', () => {});
    await redis.ping();
    const ended = once(redis, 'end');
    runner.kill('SIGKILL');
    await ended;
  });
});
