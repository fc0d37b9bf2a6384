import { askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { day, describeImages } from './image-client';

/* Images with skopeo and @gitbeaker/rest. */

/** Time limit of follow-up work after a push or an answer. */
const patienceMs = 60_000;

jest.setTimeout(240_000);

describeImages((clientOf) => {
  it('are pushed and pulled by skopeo, listed and deleted by the v4 client', async () => {
    const user = await newUser('pusher');
    const { id, path_with_namespace } = await user.client.Projects.create({ name: uniqueName('image') });
    const images = clientOf(connection.registry_url!);
    await expect(images.signIn(user.username, 'a wrong password')).rejects.toThrow();
    await images.signIn(user.username, user.password);
    const name = String(path_with_namespace);
    for (const [index, tag] of ['v1', 'v2', 'v3', 'latest'].entries())
      await images.push(`${name}:${tag}`, day(index + 1));
    await images.push(`${name}/server:v1`, day(9));
    await images.pull(`${name}:v2`);

    const { ContainerRegistry } = user.client;
    const [repository, server] = await until(
      'the repositories',
      async () => {
        const found = await ContainerRegistry.allRepositories({ projectId: id, tagsCount: true, tags: true });
        return found[0]?.tags_count === 4 && found.length === 2 ? found : undefined;
      },
      patienceMs,
    );
    expect(repository).toMatchObject({ name: '', path: name, location: `${images.host}/${name}` });
    expect(server).toMatchObject({ name: 'server', path: `${name}/server` });
    const repositoryId = repository!.id;
    expect(await ContainerRegistry.showRepository(repositoryId, { tagsCount: true })).toMatchObject({ tags_count: 4 });
    const listed = await ContainerRegistry.allTags(id, repositoryId);
    expect(listed.map((tag) => tag.name)).toEqual(['latest', 'v1', 'v2', 'v3']);
    expect(await ContainerRegistry.showTag(id, repositoryId, 'v2')).toMatchObject({
      name: 'v2',
      created_at: '2020-01-02T00:00:00.000+00:00',
      short_revision: expect.stringMatching(/^[0-9a-f]{9}$/),
    });
    await ContainerRegistry.removeTag(id, repositoryId, 'v1');
    expect((await images.tags(name)).sort()).toEqual(['latest', 'v2', 'v3']);
    await ContainerRegistry.removeTags(id, repositoryId, '.*', { keepN: '1' });
    await until('the deletion', async () => String((await images.tags(name)).sort()) === 'latest,v3', patienceMs);
    await expect(ContainerRegistry.removeTags(id, repositoryId, '.*')).rejects.toThrow(/once an hour/);
    await images.pull(`${name}:v3`);

    await ContainerRegistry.removeRepository(id, server!.id);
    await until(
      'the end of a repository',
      async () => {
        const found = await ContainerRegistry.allRepositories({ projectId: id });
        return found.length === 1;
      },
      patienceMs,
    );
    await expect(images.pull(`${name}/server:v1`)).rejects.toThrow();
    await root.Projects.remove(id);
  });

  it('are private, unless the project is public', async () => {
    const [owner, other] = await Promise.all([newUser('owner'), newUser('other')]);
    const { id, path_with_namespace } = await owner.client.Projects.create({ name: uniqueName('closed') });
    const name = String(path_with_namespace);
    const images = clientOf(connection.registry_url!);
    await images.signIn(owner.username, owner.token);
    await images.push(`${name}:v1`, day(1));
    const others = clientOf(connection.registry_url!);
    await others.signIn(other.username, other.password);
    await expect(others.pull(`${name}:v1`)).rejects.toThrow();
    await owner.client.Projects.edit(id, { visibility: 'public' });
    await others.pull(`${name}:v1`);
    await expect(others.push(`${name}:v2`, day(2))).rejects.toThrow();
  });

  it('are protected from lower levels by a rule, until it is deleted', async () => {
    const [owner, other] = await Promise.all([newUser('owner'), newUser('developer')]);
    const { id, path_with_namespace } = await owner.client.Projects.create({ name: uniqueName('guarded') });
    await owner.client.ProjectMembers.add(id, 30, { userId: other.id } as never);
    const name = String(path_with_namespace);
    const rules = `/projects/${id}/registry/protection/repository/rules`;
    const rule = { repository_path_pattern: `${name}/prod*`, minimum_access_level_for_push: 'maintainer' };
    const { body } = await askJson('POST', rules, { body: rule, token: owner.token });
    expect(body).toMatchObject(rule);
    const images = clientOf(connection.registry_url!);
    await images.signIn(other.username, other.token);
    await images.push(`${name}/test:v1`, day(1));
    await expect(images.push(`${name}/prod:v1`, day(1))).rejects.toThrow();
    const tagRules = `/projects/${id}/registry/protection/tag/rules`;
    const high = { minimum_access_level_for_push: 'owner', minimum_access_level_for_delete: 'owner' };
    const tagRule = { tag_name_pattern: '^v', ...high };
    expect((await askJson('POST', tagRules, { body: tagRule, token: owner.token })).status).toBe(201);
    await expect(images.push(`${name}/test:v2`, day(2))).rejects.toThrow();
    const [repository] = await until('the image', async () => {
      const found = await owner.client.ContainerRegistry.allRepositories({ projectId: id, tagsCount: true });
      return found[0]?.tags_count === 1 ? found : undefined;
    });
    await expect(other.client.ContainerRegistry.removeTag(id, repository!.id, 'v1')).rejects.toThrow(/403|Forbidden/);
    const asOwner = clientOf(connection.registry_url!);
    await asOwner.signIn(owner.username, owner.token);
    await asOwner.push(`${name}/prod:v1`, day(2));
    expect((await askJson('DELETE', `${rules}/${body.id}`, { token: owner.token })).status).toBe(204);
  });

  it('are listed for a group, unless the project has none, with the policy that deletes them', async () => {
    const user = await newUser('grouper');
    const group = await user.client.Groups.create('Images', uniqueName('images'));
    const policy = { enabled: true, cadence: '7d', keep_n: 5, name_regex_delete: 'build-.*' };
    const { id, path_with_namespace } = await user.client.Projects.create({
      name: 'app',
      namespaceId: group.id,
      container_expiration_policy_attributes: policy,
    } as never);
    const images = clientOf(connection.registry_url!);
    await images.signIn(user.username, user.password);
    await images.push(`${path_with_namespace}:v1`, day(1));
    const { ContainerRegistry } = user.client;
    const listed = () => ContainerRegistry.allRepositories({ groupId: group.id, tagsCount: true });
    // The repository exists since the first push token; the tag is read afterwards.
    const repository = await until(
      'the tag',
      async () => (await listed()).find(({ tags_count }) => tags_count === 1),
      patienceMs,
    );
    expect(repository).toMatchObject({ project_id: id, cleanup_policy_started_at: null });
    const seen = await ContainerRegistry.editRegistryVisibility(id);
    expect(seen).toMatchObject({
      container_registry_access_level: 'enabled',
      container_expiration_policy: {
        enabled: true,
        keep_n: 5,
        name_regex: 'build-.*',
        next_run_at: expect.any(String),
      },
    });
    await user.client.Projects.edit(id, { containerRegistryAccessLevel: 'disabled' } as never);
    expect(await listed()).toEqual([]);
    await expect(images.pull(`${path_with_namespace}:v1`)).rejects.toThrow();
  });
});
