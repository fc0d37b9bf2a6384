import { Access, deleteRegistryTag, getRegistryTag, registryErrors } from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { ReconcileTags } from '../src/reconciliation/reconcile-tags';
import type { ContainerRepository } from '../src/repository/container-repository.schema';
import { describeWithRegistry, digestOf, startRegistryService } from './registry-under-test';

const indexType = 'application/vnd.oci.image.index.v1+json';

describeWithRegistry('tags', () => {
  const registry = shareBetweenTests(startRegistryService);

  const only = async (
    repositories: () => Promise<{ id: number; tags_count?: number | undefined }[]>,
    count: number,
  ) => {
    const find = async () => (await repositories()).find(({ tags_count }) => tags_count === count);
    return (await eventually(find, `${count} tags`)).id;
  };

  it('are listed soon after a push, by name', async () => {
    const { bed, parts } = registry;
    const { image, repositories, names } = await bed.image();
    expect(await repositories()).toEqual([]);
    for (const name of ['b', 'latest', 'A']) await parts.push(image, name);
    const repositoryId = await only(repositories, 3);
    expect(await names(repositoryId)).toEqual(['A', 'b', 'latest']);
    expect(await repositories()).toMatchObject([{ name: '', path: image, location: `images.test:5050/${image}` }]);
  });

  it('contain the details of their image', async () => {
    const { bed, parts } = registry;
    const { id, image, as, repositories } = await bed.image();
    const made = await parts.makeImage(image, '2019-01-06T16:49:51.272Z', 'twelve bytes');
    await parts.tag(image, 'v1.0', made.body);
    const repository_id = await only(repositories, 1);
    const { config } = JSON.parse(made.body);
    expect(await bed.call(getRegistryTag, { id, repository_id, tag_name: 'v1.0' }, as)).toEqual({
      name: 'v1.0',
      path: `${image}:v1.0`,
      location: `images.test:5050/${image}:v1.0`,
      revision: config.digest.slice('sha256:'.length),
      short_revision: config.digest.slice('sha256:'.length, 'sha256:'.length + 9),
      digest: made.digest,
      created_at: '2019-01-06T16:49:51.272+00:00',
      total_size: 12,
    });
  });

  it('of several images are as new as the newest and as large as all', async () => {
    const { bed, parts } = registry;
    const { id, image, as, repositories } = await bed.image();
    const one = await parts.makeImage(image, '2019-01-01T00:00:00Z', 'ten bytes.');
    const other = await parts.makeImage(image, '2021-01-01T00:00:00Z', 'five.');
    await parts.tag(image, 'one', one.body);
    await parts.tag(image, 'other', other.body);
    const manifests = [one, other].map(({ digest, body }) => ({
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      digest,
      size: body.length,
    }));
    const body = JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests });
    await parts.tag(image, 'both', body, indexType);
    const repository_id = await only(repositories, 3);
    expect(await bed.call(getRegistryTag, { id, repository_id, tag_name: 'both' }, as)).toMatchObject({
      digest: digestOf(body),
      revision: digestOf(body).slice('sha256:'.length),
      created_at: '2021-01-01T00:00:00.000+00:00',
      total_size: 15,
    });
  });

  it('have no time if the image has none', async () => {
    const { bed, parts } = registry;
    const { id, image, as, repositories } = await bed.image();
    await parts.push(image, 'timeless', null);
    await parts.push(image, 'nonsense', 'yesterday');
    const repository_id = await only(repositories, 2);
    for (const tag_name of ['timeless', 'nonsense'])
      expect(await bed.call(getRegistryTag, { id, repository_id, tag_name }, as)).toMatchObject({ created_at: null });
  });

  it('that are deleted keep others of the same image', async () => {
    const { bed, parts } = registry;
    const { id, image, as, repositories, names } = await bed.image();
    const { body } = await parts.makeImage(image, '2020-01-01T00:00:00Z');
    for (const name of ['one', 'two', 'three']) await parts.tag(image, name, body);
    const repository_id = await only(repositories, 3);
    await bed.call(deleteRegistryTag, { id, repository_id, tag_name: 'two' }, as);
    expect(await parts.names(image)).toEqual(['one', 'three']);
    expect(await names(repository_id)).toEqual(['one', 'three']);
    for (const name of ['one', 'three']) expect(await parts.pulls(image, name)).toBe(true);
    const again = bed.call(deleteRegistryTag, { id, repository_id, tag_name: 'two' }, as);
    await expect(again).rejects.toMatchObject({ code: registryErrors.tagNotFound.code });
    // The name is free, also for the same image.
    await parts.tag(image, 'two', body);
    await eventually(async () => (await names(repository_id)).length === 3, 'the tag');
  });

  it('with invalid names are not found', async () => {
    const { bed, parts } = registry;
    const { id, image, as, repositories } = await bed.image();
    await parts.push(image, 'v1');
    const repository_id = await only(repositories, 1);
    const names = ['', '..', 'a/b', 'a b', '\u{1f600}', 'x'.repeat(129), 'none', '?n=1', '%2e%2e'];
    for (const tag_name of names)
      for (const operation of [getRegistryTag, deleteRegistryTag])
        await expect(bed.call(operation, { id, repository_id, tag_name }, as)).rejects.toMatchObject({
          code: registryErrors.tagNotFound.code,
        });
  });

  it('heal when notifications are lost', async () => {
    const { bed, parts, under } = registry;
    const { image, repositories, names } = await bed.image();
    for (const name of ['kept', 'gone']) await parts.push(image, name);
    const repositoryId = await only(repositories, 2);
    parts.setHearing(false);
    try {
      const digest = await parts.push(image, 'gone');
      await parts.ask(image, `manifests/${digest}`, { method: 'DELETE' });
      await parts.push(image, 'unheard');
      expect(await parts.names(image)).toEqual(['kept', 'unheard']);
      const runAll = under.running.app.get(ReconcileTags, { strict: false });
      await runAll.reconcile({
        _id: repositoryId,
        path: image,
        isShown: true,
        isPending: false,
      } as ContainerRepository);
    } finally {
      parts.setHearing(true);
    }
    expect(await names(repositoryId)).toEqual(['kept', 'unheard']);
  });

  it('that were just pushed are found before their notification', async () => {
    const { bed, parts } = registry;
    const { id, image, as, repositories } = await bed.image();
    await parts.push(image, 'first');
    const repository_id = await only(repositories, 1);
    parts.setHearing(false);
    try {
      await parts.push(image, 'second');
      const found = await bed.call(getRegistryTag, { id, repository_id, tag_name: 'second' }, as);
      expect(found.name).toBe('second');
    } finally {
      parts.setHearing(true);
    }
  });

  it('of another project are not found', async () => {
    const { bed, parts } = registry;
    const { image, repositories } = await bed.image();
    await parts.push(image, 'v1');
    const repository_id = await only(repositories, 1);
    const other = bed.project();
    const asked = { id: String(other.id), repository_id, tag_name: 'v1' };
    const wanted = { code: registryErrors.repositoryNotFound.code };
    await expect(bed.call(getRegistryTag, asked, bed.as(other))).rejects.toMatchObject(wanted);
    await expect(bed.call(deleteRegistryTag, asked, bed.as(other, Access.Owner))).rejects.toMatchObject(wanted);
  });

  it('are read from records while the registry is down, and deleted when it is back', async () => {
    const { bed, parts } = registry;
    const { id, image, as, repositories, names } = await bed.image();
    await parts.push(image, 'v1');
    const repository_id = await only(repositories, 1);
    await parts.stopRegistry();
    const deletion = () => bed.call(deleteRegistryTag, { id, repository_id, tag_name: 'v1' }, as);
    try {
      expect(await names(repository_id)).toEqual(['v1']);
      await expect(deletion()).rejects.toMatchObject({ code: registryErrors.unreachable.code });
    } finally {
      await parts.startRegistry();
    }
    await deletion();
    expect(await parts.names(image)).toEqual([]);
  });
});
