import { eventually, shareBetweenTests } from '@moothall/testing';
import { describeWithRegistry, digestOf, startRegistryService } from './registry-under-test';

describeWithRegistry('tags', () => {
  const registry = shareBetweenTests(startRegistryService);

  const only = async (
    repositories: () => Promise<{ id: number; tags_count?: number | undefined }[]>,
    count: number,
  ) => {
    const find = async () => (await repositories()).find(({ tags_count }) => tags_count === count);
    return (await eventually(find, `${count} tags`)).id;
  };

  it('are not delayed by others that never end', async () => {
    const { bed, parts } = registry;
    const { image, repositories } = await bed.image();
    const pushOf = (tag: string) => ({
      action: 'push',
      timestamp: new Date(Date.now() + 23_000).toISOString(),
      target: { repository: image, tag, digest: digestOf(tag) },
    });
    const begun = Date.now();
    // Each is awaited for 25 seconds.
    for (let index = 0; index < 5; index++)
      await parts.tell([pushOf(`none-${index}`)] as never, parts.settings.REGISTRY_NOTIFICATION_SECRET);
    await parts.push(image, 'v1');
    await only(repositories, 1);
    expect(Date.now() - begun).toBeLessThan(25_000);
  });
});
