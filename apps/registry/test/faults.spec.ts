import {
  createImageProtectionRule,
  createTagProtectionRule,
  deleteImageProtectionRule,
  deleteRegistryRepository,
  deleteRegistryTag,
  deleteRegistryTags,
  deleteTagProtectionRule,
  listImageProtectionRules,
  listProjectRegistryRepositories,
  listTagProtectionRules,
  updateImageProtectionRule,
  updateTagProtectionRule,
} from '@moothall/contracts';
import { eventually, meetFaults, shareBetweenTests, throughFaults } from '@moothall/testing';
import { describeWithRegistry, startRegistryService } from './registry-under-test';

meetFaults();

describeWithRegistry('tags and repositories', () => {
  const registry = shareBetweenTests(startRegistryService);

  // A failure of the database or Redis must not be answered as success, or leave a part.
  it('are deleted if the answer was success', async () => {
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

  it('are stored or deleted if acknowledged', async () => {
    const { bed, under } = registry;
    const fresh = () => {
      const project = bed.project();
      return { project, id: String(project.id), as: bed.as(project) };
    };
    const high = { minimum_access_level_for_push: 'owner', minimum_access_level_for_delete: 'owner' } as const;
    const change = { minimum_access_level_for_push: 'admin' } as const;
    const images = async () => {
      const { project, id, as } = fresh();
      const given = { id, repository_path_pattern: `${project.fullPath}*`, ...high };
      const { id: protection_rule_id } = await bed.call(createImageProtectionRule, given, as);
      return { id, as, protection_rule_id, levels: async () => levelsOf(listImageProtectionRules, id, as) };
    };
    const tags = async () => {
      const { id, as } = fresh();
      const { id: protection_rule_id } = await bed.call(
        createTagProtectionRule,
        { id, tag_name_pattern: 'v', ...high },
        as,
      );
      return { id, as, protection_rule_id, levels: async () => levelsOf(listTagProtectionRules, id, as) };
    };
    const levelsOf = async (
      list: typeof listImageProtectionRules | typeof listTagProtectionRules,
      id: string,
      as: ReturnType<typeof fresh>['as'],
    ) => (await bed.call(list, { id }, as)).items.map((rule) => rule.minimum_access_level_for_push);
    for (const [make, created, updated, deleted] of [
      [images, createImageProtectionRule, updateImageProtectionRule, deleteImageProtectionRule],
      [tags, createTagProtectionRule, updateTagProtectionRule, deleteTagProtectionRule],
    ] as const) {
      for (const { levels } of await throughFaults(under.client, created, make))
        expect(await levels()).toEqual(['owner']);
      const changed = await throughFaults(under.client, updated, async () => {
        const { id, as, protection_rule_id, levels } = await make();
        await bed.call(updated, { id, protection_rule_id, ...change }, as);
        return levels;
      });
      for (const levels of changed) expect(await levels()).toEqual(['admin']);
      const removed = await throughFaults(under.client, deleted, async () => {
        const { id, as, protection_rule_id, levels } = await make();
        await bed.call(deleted, { id, protection_rule_id }, as);
        return levels;
      });
      for (const levels of removed) expect(await levels()).toEqual([]);
    }
  }, 300_000);
});
