import {
  deleteRegistryRepository,
  deleteRegistryTag,
  deleteRegistryTags,
  listProjectRegistryRepositories,
} from '@moothall/contracts';
import { eventually, meetFaults, shareBetweenTests, throughFaults } from '@moothall/testing';
import { describeWithRegistry, startRegistryService } from './registry-under-test';

meetFaults();

describeWithRegistry('tags and repositories', () => {
  const registry = shareBetweenTests(startRegistryService);

  // What the database or Redis failed at was told as done, or was half there.
  it('are gone when that was said', async () => {
    const { bed, parts, under } = registry;
    const { client } = under;
    const pushed = async () => {
      const image = await bed.image();
      const { body } = await parts.makeImage(image.image, '2020-01-01T00:00:00Z');
      for (const name of ['kept', 'gone']) await parts.tag(image.image, name, body);
      const find = async () => (await image.repositories()).find(({ tags_count }) => tags_count === 2);
      return { ...image, repository_id: (await eventually(find, 'the tags')).id };
    };
    const alone = async (operation: typeof deleteRegistryTag | typeof deleteRegistryTags, given: object) =>
      throughFaults(client, operation, async () => {
        const { id, image, as, repository_id } = await pushed();
        await bed.call(operation, { id, repository_id, ...given } as never, as);
        return image;
      });
    for (const image of await alone(deleteRegistryTag, { tag_name: 'gone' }))
      expect(await parts.names(image)).toEqual(['kept']);
    for (const image of await alone(deleteRegistryTags, { name_regex_delete: 'gone' }))
      await eventually(async () => String(await parts.names(image)) === 'kept', 'the deletion', 60_000);
    const removed = await throughFaults(client, deleteRegistryRepository, async () => {
      const { id, image, as, repository_id } = await pushed();
      await bed.call(deleteRegistryRepository, { id, repository_id }, as);
      return { id, image, as };
    });
    for (const { id, image, as } of removed) {
      await eventually(async () => (await parts.names(image)).length === 0, 'its end', 60_000);
      const listed = async () => (await bed.call(listProjectRegistryRepositories, { id }, as)).items;
      await eventually(async () => (await listed()).length === 0, 'the end of its record');
    }
  }, 300_000);
});
