import { randomBytes } from 'node:crypto';
import { describeWithoutFaults, SmallDisk } from '@moothall/testing';
import { prepareDeliveryReplicas, startDeliveryService } from './delivery-under-test';
import { LfsObjectClient, oidOf } from './lfs-object-client';

const disk = SmallDisk.tryMount(12);
afterAll(() => disk?.unmount());
const count = 30;

(disk ? it : it.skip)('refuses an object that a full disk has no room for, and takes it once there is', async () => {
  const small = await startDeliveryService({ OBJECT_STORAGE_DIR: disk!.folder });
  try {
    const lfs = new LfsObjectClient(small);
    const project = small.bed.project();
    const content = randomBytes(5 * 1024 ** 2);
    disk!.fill();
    expect(await lfs.send(project, content)).toBe('common.disk_full');
    disk!.makeRoom();
    expect(await lfs.send(project, content)).toBeUndefined();
  } finally {
    await small.stop();
  }
});

describeWithoutFaults(`${count} objects`, () => {
  let setup: Awaited<ReturnType<typeof prepareDeliveryReplicas>>;
  beforeAll(async () => {
    setup = await prepareDeliveryReplicas();
  });
  afterAll(() => setup?.stop());

  it('are complete if acknowledged, if one of two replicas is killed during uploads', async () => {
    const { replicas, bed } = setup;
    const lfs = new LfsObjectClient(setup);
    const [first] = await Promise.all([replicas.startReplica(), replicas.startReplica()]);
    const project = bed.project();
    const contents = Array.from({ length: count }, (_, at) => `${at} `.repeat(20_000));
    let answered = 0;
    const uploads = contents.map(async (content) => {
      expect(await lfs.send(project, content)).toBeUndefined();
      answered += 1;
      if (answered === 5) await first!.kill();
    });
    const kept = (await Promise.allSettled(uploads)).flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []));
    expect(kept.length).toBeGreaterThanOrEqual(5);
    for (const at of kept) expect((await lfs.contentOf(project, oidOf(contents[at]!))) === contents[at]).toBe(true);
    for (const content of contents) expect(await lfs.send(project, content)).toBeUndefined();
    for (const content of contents) expect(lfs.filesOf(content)).toBeGreaterThanOrEqual(1);
  }, 240_000);
});
