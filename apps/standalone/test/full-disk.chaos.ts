import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectDeleted } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import {
  findFreePort,
  natsUrl,
  type Placement,
  redisUrl,
  startNats,
  startRedis,
  watchJetStream,
} from '@moothall/infrastructure';
import { Jobs, jobQueue } from '@moothall/jobs';
import { connectNats, EventPublisher, ensureEventStream } from '@moothall/messaging';
import { eventually, SmallDisk } from '@moothall/testing';
import { Supervised } from '../src/process/supervised';

const disk = SmallDisk.tryMount(12);
const elsewhere = mkdtempSync(path.join(tmpdir(), 'moothall-full-disk-'));
afterAll(() => {
  disk?.unmount();
  rmSync(elsewhere, { recursive: true, force: true });
});
const place: Placement = { dataFolder: disk?.folder ?? '', logFolder: elsewhere, runFolder: elsewhere };
const most = 500;

/** Repeats the call until it is refused. @returns the number of successes */
async function untilRefused(work: () => Promise<unknown>): Promise<number> {
  for (let done = 0; done < most; done++) {
    const isDone = await work().then(
      () => true,
      () => false,
    );
    if (!isDone) return done;
  }
  throw new Error(`${most} times, and never refused`);
}

// It does not test whether queued jobs survive a full disk.
(disk ? describe : describe.skip)('a disk that is full', () => {
  it('loses no job that Redis has acknowledged, and accepts jobs again when there is space', async () => {
    const port = await findFreePort();
    const redis = new Supervised(
      'redis-server',
      (signal) => startRedis({ ...place, signal }, port, 'secret'),
      () => {},
    );
    await redis.start();
    const jobs = new Jobs(redisUrl(port, 'secret'));
    const queue = jobQueue<{ text: string }>({ name: 'test.full-disk' });
    const taken: string[] = [];
    const add = async () => {
      const id = randomUUID();
      await jobs.add(queue, { text: 'x'.repeat(2000) }, { id });
      taken.push(id);
    };
    try {
      for (let n = 0; n < 20; n++) await add();
      disk!.fill();
      await untilRefused(add);
      disk!.makeRoom();
      await eventually(
        () =>
          add().then(
            () => true,
            () => false,
          ),
        'a queue that takes jobs',
      );
      const kept = await jobs.open(queue).getWaiting();
      expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(taken));
    } finally {
      disk!.makeRoom();
      await jobs.onApplicationShutdown();
      await redis.stop();
    }
  }, 120_000);

  it('loses no event that NATS has acknowledged, and accepts events again when there is space', async () => {
    const port = await findFreePort();
    const url = natsUrl(port, 'secret');
    const nats = new Supervised(
      'nats-server',
      async (signal) => {
        const program = await startNats({ ...place, signal }, port, 'secret');
        void watchJetStream(program, url, 200);
        return program;
      },
      () => {},
    );
    await nats.start();
    const connection = await connectNats(url, 'test');
    const manager = await connection.jetstreamManager();
    await ensureEventStream(manager);
    const publisher = new EventPublisher(connection);
    let taken = 0;
    const publish = async () => {
      const event = newEvent(projectDeleted, { project_id: 1, full_path: 'x'.repeat(3000), storage: 'default' });
      await publisher.publish(event);
      taken++;
    };
    try {
      for (let n = 0; n < 20; n++) await publish();
      disk!.fill();
      await untilRefused(publish);
      disk!.makeRoom();
      const isTaken = () =>
        publish().then(
          () => true,
          () => false,
        );
      const deadline = Date.now() + 90_000;
      while (!(await isTaken())) expect(Date.now()).toBeLessThan(deadline);
      const { state } = await manager.streams.info('EVENTS');
      expect(state.messages).toBeGreaterThanOrEqual(taken);
    } finally {
      disk!.makeRoom();
      await connection.close();
      await nats.stop();
    }
  }, 180_000);
});
