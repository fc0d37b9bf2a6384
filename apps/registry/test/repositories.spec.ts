import {
  Access,
  commonErrors,
  countContainerRepositories,
  deleteRegistryRepository,
  getRegistryRepository,
  listGroupRegistryRepositories,
  listProjectRegistryRepositories,
  projectDeleted,
  registryErrors,
  takeRegistryEvents,
} from '@moothall/contracts';
import {
  callerNamed,
  contextOf,
  eventually,
  groupNamed,
  projectNamed,
  shareBetweenTests,
  startServiceUnderTest,
} from '@moothall/testing';
import { service } from '../src';
import { describeWithRegistry, startRegistryService } from './registry-under-test';

const nobody = contextOf({});

describeWithRegistry('repositories of images', () => {
  const registry = shareBetweenTests(startRegistryService);

  it('are listed by project and by group, as far as images are open', async () => {
    const { bed, parts } = registry;
    const { project, id, image, as, claim } = await bed.image();
    const below = `${image}/server`;
    await claim(below);
    for (const name of [image, below]) await parts.push(name, 'v1');
    const closed = await bed.image({
      features: { ...project.features, container_registry: 'disabled' },
      visibility: 'public',
    });
    const list = (given: object) => bed.call(listProjectRegistryRepositories, { id, ...given }, as);
    await eventually(async () => (await list({})).items.length === 2, 'the repositories');
    const { container_repositories } = await bed.call(countContainerRepositories, {}, nobody);
    expect(container_repositories).toBeGreaterThanOrEqual(2);
    const { items } = await list({ name: 'SERVER', tags: true, tags_count: true });
    expect(items).toMatchObject([
      { name: 'server', path: below, tags_count: 1, tags: [{ name: 'v1', path: `${below}:v1` }] },
    ]);
    const group = groupNamed('group', { accessLevel: Access.Maintainer });
    const ofGroup = await bed.call(
      listGroupRegistryRepositories,
      { id: '1', per_page: 100, name: image },
      contextOf({ caller: callerNamed('ada'), group }),
    );
    expect(ofGroup.items.map(({ path }) => path)).toEqual([image, below]);
    expect(await closed.repositories()).toEqual([]);
    const repository_id = items[0]!.id;
    expect(await bed.call(getRegistryRepository, { repository_id, tags_count: true }, as)).toMatchObject({
      id: repository_id,
      tags_count: 1,
    });
    bed.removeProject(project);
    await expect(bed.call(getRegistryRepository, { repository_id }, as)).rejects.toMatchObject({
      code: registryErrors.repositoryNotFound.code,
    });
  });

  it('are deleted with all their tags, and may be pushed to again', async () => {
    const { bed, parts } = registry;
    const { id, image, as, repositories, claim } = await bed.image();
    const { body } = await parts.makeImage(image, '2020-01-01T00:00:00Z');
    for (const name of ['a', 'b', 'latest']) await parts.tag(image, name, body);
    const find = async () => (await repositories()).find(({ tags_count }) => tags_count === 3);
    const { id: repository_id } = await eventually(find, 'the tags');
    await bed.call(deleteRegistryRepository, { id, repository_id }, as);
    await eventually(async () => (await repositories()).length === 0, 'its end');
    expect(await parts.names(image)).toEqual([]);
    await claim();
    await parts.tag(image, 'a', body);
    const again = await eventually(async () => (await repositories())[0], 'the new one');
    expect(again.id).toBeGreaterThan(repository_id);
  });

  it('are deleted with their project', async () => {
    const { bed, parts } = registry;
    const { project, image, repositories } = await bed.image();
    await parts.push(image, 'a');
    await eventually(async () => (await repositories()).length === 1, 'the repository');
    bed.removeProject(project);
    await bed.bed.emit(projectDeleted, { project_id: project.id, full_path: image, storage: 'default' });
    await eventually(async () => (await parts.names(image)).length === 0, 'the end of its tags');
    await eventually(async () => (await repositories()).length === 0, 'the end of its record');
  });

  it('accept notifications from the registry only', async () => {
    const { bed, parts } = registry;
    const { image, repositories } = await bed.image();
    const event = { action: 'push', target: { repository: image, tag: 'forged' } };
    for (const secret of [undefined, '', 'of somebody else, as long as it']) {
      const answer = bed.call(takeRegistryEvents, { secret, events: [event] }, nobody);
      await expect(answer).rejects.toMatchObject({ code: commonErrors.unauthorized.code });
    }
    // A notification about a missing tag has no effect; invalid ones are harmless.
    const nonsense = [event, {}, { action: 'push' }, { action: 'push', target: { repository: '../x', tag: 'a' } }];
    await parts.tell(nonsense as never, parts.settings.REGISTRY_NOTIFICATION_SECRET);
    expect(await repositories()).toEqual([]);
  });
});

it('report a missing registry', async () => {
  const under = await startServiceUnderTest(service);
  try {
    const asked = under.client.call(
      listProjectRegistryRepositories,
      { id: '1' },
      contextOf({ project: projectNamed('any') }),
    );
    await expect(asked).rejects.toMatchObject({ code: registryErrors.notSetUp.code });
  } finally {
    await under.stop();
  }
});
