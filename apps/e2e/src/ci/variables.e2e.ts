import { newUser, root, uniqueName } from '../server/connection';

/* Variables for jobs, by @gitbeaker/rest. */

const key = uniqueName('KEY').replaceAll('-', '_');

it('ProjectVariables: make, change for one environment, remove', async () => {
  const { client } = await newUser('keeper');
  const { ProjectVariables } = client;
  const { id } = await client.Projects.create({ name: uniqueName('kept') });
  expect(await ProjectVariables.create(id, key, 'value-of-all', { masked: true })).toMatchObject({
    ...{ key, value: 'value-of-all', variable_type: 'env_var', masked: true, protected: false, environment_scope: '*' },
  });
  await ProjectVariables.create(id, key, 'one', { environmentScope: 'production' });
  const filter = { environment_scope: 'production' };
  await ProjectVariables.edit(id, key, 'other', { filter });
  expect(await ProjectVariables.show(id, key, { filter })).toMatchObject({ value: 'other' });
  expect((await ProjectVariables.all(id)).map(({ value }) => value)).toEqual(['value-of-all', 'other']);
  await expect(ProjectVariables.show(id, key)).rejects.toThrow('There are multiple variables');
  await ProjectVariables.remove(id, key, { filter });
  await ProjectVariables.remove(id, key);
  expect(await ProjectVariables.all(id)).toEqual([]);
});

it('GroupVariables: make, change, remove', async () => {
  const { client } = await newUser('keeper');
  const { GroupVariables } = client;
  const name = uniqueName('kept');
  const { id } = await client.Groups.create(name, name);
  await GroupVariables.create(id, key, 'first', { variableType: 'file' });
  await GroupVariables.edit(id, key, 'second', { protected: true, filter: { environment_scope: '*' } });
  expect(await GroupVariables.show(id, key)).toMatchObject({ value: 'second', variable_type: 'file', protected: true });
  await GroupVariables.remove(id, key);
  expect(await GroupVariables.all(id)).toEqual([]);
});

it('InstanceLevelCICDVariables: make, change, remove, by administrators', async () => {
  const { InstanceLevelCICDVariables } = root;
  await InstanceLevelCICDVariables.create(key, 'first');
  await InstanceLevelCICDVariables.edit(key, 'second', {});
  expect(await InstanceLevelCICDVariables.show(key)).toMatchObject({ key, value: 'second' });
  expect((await InstanceLevelCICDVariables.all()).map((one) => one.key)).toContain(key);
  await InstanceLevelCICDVariables.remove(key);
  const { client } = await newUser('keeper');
  await expect(client.InstanceLevelCICDVariables.all()).rejects.toThrow('Forbidden');
});
