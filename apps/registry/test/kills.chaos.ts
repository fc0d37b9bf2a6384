import { setTimeout as wait } from 'node:timers/promises';
import { deleteRegistryTags } from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { describeWithRegistry, prepareRegistryReplicas } from './registry-under-test';

// The full size is CHAOS_TAGS=10000. Fewer tags show the same faults in less time.
const count = Number(process.env.CHAOS_TAGS ?? 300);

describeWithRegistry(`a deletion of most of ${count} tags`, () => {
  let setup: Awaited<ReturnType<typeof prepareRegistryReplicas>>;
  beforeAll(async () => {
    setup = await prepareRegistryReplicas();
  });
  afterAll(() => setup?.stop());

  it('deletes exactly the right tags when each of two workers is killed in the middle', async () => {
    const { bed, parts, replicas } = setup;
    const [first, second] = await Promise.all([replicas.startReplica(), replicas.startReplica()]);
    const { id, image, as, repositories, names } = await bed.image();
    const { body } = await parts.makeImage(image, '2020-01-01T00:00:00Z');
    const all = Array.from({ length: count }, (_, index) => `build-${index}`);
    const queue = ['latest', 'release', ...all].values();
    // Half of the notifications are lost: the deletion finds all tags nevertheless.
    const push = async () => {
      for (const name of queue) {
        if (name === `build-${count >> 1}`) parts.setHearing(false);
        await parts.tag(image, name, body);
      }
    };
    await Promise.all(Array.from({ length: 8 }, push));
    const { id: repository_id } = await eventually(async () => (await repositories())[0], 'the repository');
    const rules = { name_regex_delete: '.*', name_regex_keep: 'rel.*|build-.*7', keep_n: 0 };
    await bed.call(deleteRegistryTags, { id, repository_id, ...rules }, as);

    const stay = ['latest', 'release', ...all.filter((name) => name.endsWith('7'))].sort();
    // Lists are expensive for a busy registry.
    const left = async () => {
      await wait(100);
      return (await parts.names(image)).length;
    };
    await eventually(async () => (await left()) < count * 0.8, 'the first part', 240_000);
    await first!.kill();
    parts.setHearing(true);
    await replicas.startReplica();
    await eventually(async () => (await left()) < count * 0.5, 'the second part', 240_000);
    // Whichever process had the deletion first was killed with it, and another one continued.
    await second!.kill();
    await eventually(async () => (await left()) <= stay.length, 'the end', 240_000);
    await eventually(async () => (await names(repository_id)).length === stay.length, 'the records', 120_000);
    expect(await parts.names(image)).toEqual(stay);
    expect((await names(repository_id)).sort()).toEqual(stay);
    for (const name of stay) expect(await parts.pulls(image, name)).toBe(true);
  }, 900_000);
});
