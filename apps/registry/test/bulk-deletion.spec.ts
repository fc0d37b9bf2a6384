import { deleteRegistryTags, registryErrors } from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { DeletionPages } from '../src/bulk-deletion/deletion-pages.repository';
import { ImageReader } from '../src/registry-client/image-reader';
import { RegistryClient } from '../src/registry-client/registry-client';
import { describeWithRegistry, startRegistryService } from './registry-under-test';

const dayMs = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

describeWithRegistry('a deletion in bulk', () => {
  const registry = shareBetweenTests(startRegistryService);

  /** An image with tags of the given ages. */
  async function imageWith(ages: Record<string, number | null>) {
    const { bed, parts } = registry;
    const image = await bed.image();
    for (const [name, days] of Object.entries(ages))
      await parts.push(image.image, name, days === null ? null : daysAgo(days));
    const count = Object.keys(ages).length;
    const find = async () => (await image.repositories()).find(({ tags_count }) => tags_count === count);
    const { id: repositoryId } = await eventually(find, 'the tags');
    const rules = { id: image.id, repository_id: repositoryId };
    const remove = (given: object) => bed.call(deleteRegistryTags, { ...rules, ...given }, image.as);
    const left = (expected: string[]) =>
      eventually(async () => String(await parts.names(image.image)) === String(expected.toSorted()), `${expected}`);
    return { ...image, repositoryId, remove, left };
  }

  it('deletes by the rules, in the registry and in the records', async () => {
    const ages = { latest: 400, 'v1.0': 300, 'a-1': 10, 'a-2': 20, 'a-3': 30, 'a-4': 40, 'a-keep': 50, 'a-none': null };
    const { repositoryId, names, image, left, remove } = await imageWith(ages);
    await remove({ name_regex_delete: 'a-.*|latest', name_regex_keep: '.*keep', keep_n: 2, older_than: '25d' });
    // The newest two are a-none, without a time, and a-1; a-2 is not old enough.
    const expected = ['a-1', 'a-2', 'a-keep', 'a-none', 'latest', 'v1.0'];
    await left(expected);
    await eventually(async () => String(await names(repositoryId)) === String(expected), 'the records');
    for (const name of expected) expect(await registry.parts.pulls(image, name)).toBe(true);
  });

  it('is accepted once an hour, else refused with a reason', async () => {
    const { left, remove } = await imageWith({ a: 1, b: 1 });
    const invalid = { code: 'common.invalid_parameters' };
    await expect(remove({ name_regex_delete: '(' })).rejects.toMatchObject(invalid);
    await expect(remove({ name_regex_delete: 'a', name_regex_keep: '[' })).rejects.toMatchObject(invalid);
    await expect(remove({ name_regex_delete: 'a', older_than: 'yesterday' })).rejects.toMatchObject(invalid);
    // Refused requests do not count; a catastrophic pattern takes no time.
    await remove({ name_regex_delete: '(a+)+$', keep_n: 0 });
    await left(['b']);
    await expect(remove({ name_regex_delete: 'b' })).rejects.toMatchObject({ code: registryErrors.deletedLately.code });
    await left(['b']);
  });

  it('counts tags without a notification', async () => {
    const { image, left, remove } = await imageWith({ a: 3, b: 2 });
    registry.parts.setHearing(false);
    try {
      await registry.parts.push(image, 'c', daysAgo(1));
      await remove({ name_regex_delete: '.*', keep_n: 1 });
      await left(['c']);
    } finally {
      registry.parts.setHearing(true);
    }
  });

  it('keeps a tag that was pushed again after the plan', async () => {
    const { parts, under } = registry;
    const { image, left, remove } = await imageWith({ a: 3, b: 2 });
    const pages = under.running.app.get(DeletionPages, { strict: false });
    const begin = pages.begin.bind(pages);
    const pushing = jest.spyOn(pages, 'begin').mockImplementation(async (...given) => {
      const page = await begin(...given);
      if (page?.tags.some(({ name }) => name === 'a')) await parts.push(image, 'a', daysAgo(30));
      return page;
    });
    try {
      await remove({ name_regex_delete: '.*' });
      await left(['a']);
    } finally {
      pushing.mockRestore();
    }
    await eventually(() => parts.pulls(image, 'a'), 'its image');
  });

  /** Pushes a tag of that name when the deletion is about to remove it; `before` runs between the two. */
  function pushBeforeRemoval(image: string, name: string, before: () => Promise<void> = async () => {}) {
    const { parts, under } = registry;
    const client = under.running.app.get(RegistryClient, { strict: false });
    const put = client.putManifest.bind(client);
    let hasPushed = false;
    return jest.spyOn(client, 'putManifest').mockImplementation(async (path, tag, manifest) => {
      if (path === image && tag === name && !hasPushed) {
        hasPushed = true;
        await parts.push(image, name, daysAgo(30));
        await before();
      }
      return put(path, tag, manifest);
    });
  }

  it('puts back a tag that was pushed between the look at it and its removal', async () => {
    const { image, left, remove } = await imageWith({ a: 3, b: 2 });
    const pushing = pushBeforeRemoval(image, 'a');
    try {
      await remove({ name_regex_delete: '.*' });
      await left(['a']);
    } finally {
      pushing.mockRestore();
    }
    await eventually(() => registry.parts.pulls(image, 'a'), 'its image');
  });

  it('puts back a tag that was seen before its removal, and recorded after all of it', async () => {
    const { app } = registry.under.running;
    const { image, left, remove } = await imageWith({ a: 3, b: 2 });
    const images = app.get(ImageReader, { strict: false });
    const pages = app.get(DeletionPages, { strict: false });
    const [read, end] = [images.read.bind(images), pages.end.bind(pages)];
    const ending = jest.spyOn(pages, 'end');
    const ended = new Promise<void>((resolve) => ending.mockImplementation((id) => end(id).then(resolve)));
    const reading = jest.spyOn(images, 'read');
    const seen = new Promise<void>((resolve) =>
      reading.mockImplementation(async (path, manifest) => {
        resolve();
        await ended;
        return read(path, manifest);
      }),
    );
    const pushing = pushBeforeRemoval(image, 'a', () => seen);
    try {
      await remove({ name_regex_delete: '.*' });
      await ended;
      await left(['a']);
    } finally {
      for (const spy of [ending, reading, pushing]) spy.mockRestore();
    }
    await eventually(() => registry.parts.pulls(image, 'a'), 'its image');
  });

  it.each([
    ['is to go', 'a'],
    ['was to stay, and is lost already', 'b'],
  ])('ends though the registry was killed as it wrote a tag that %s', async (_, cutOff) => {
    const { parts } = registry;
    const { image, left, remove } = await imageWith({ a: 4, b: 3, c: 2 });
    parts.cutOff(image, cutOff);
    await remove({ name_regex_delete: 'a' });
    await left(['b', 'c'].filter((name) => name !== cutOff));
    for (const name of await parts.names(image)) expect(await parts.pulls(image, name)).toBe(true);
  });

  it('waits for a registry that is down', async () => {
    const { left, remove } = await imageWith({ a: 3, b: 2 });
    await registry.parts.stopRegistry();
    try {
      await remove({ name_regex_delete: 'a' });
    } finally {
      await registry.parts.startRegistry();
    }
    await left(['b']);
  });
});
