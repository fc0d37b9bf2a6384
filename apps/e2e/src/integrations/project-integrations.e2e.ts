import { ask, clientFor, newUser, uniqueName } from '../server/connection';

/* Integrations through the gateway, by a third-party client and by raw calls. */

const webhook = 'https://8.8.8.8/hook';
const put = (token: string, path: string, given: Record<string, string>) =>
  ask(`/api/v4${path}`, { method: 'PUT', token, body: new URLSearchParams(given) });

async function newProject() {
  const { token } = await newUser('maintainer');
  const client = clientFor(token);
  const project = await client.Projects.create({ name: uniqueName('connected') });
  return { token, client, id: project.id, path: `/projects/${project.id}` };
}

it('are set, shown, listed and disabled', async () => {
  const { client, id } = await newProject();
  expect(await client.Integrations.show(id, 'slack')).toMatchObject({ id: null, active: false, push_events: true });
  const made = await client.Integrations.edit(id, 'slack', { webhook, channel: '#all', pushEvents: false } as object);
  expect(made).toMatchObject({ slug: 'slack', active: true, push_events: false, properties: { channel: '#all' } });
  expect(await client.Integrations.all(id)).toEqual([expect.objectContaining({ id: made.id, slug: 'slack' })]);
  await client.Integrations.disable(id, 'slack');
  expect(await client.Integrations.all(id)).toEqual([]);
});

it.each(['services', 'integrations'])('answer at /%s', async (name) => {
  const { token, path } = await newProject();
  const at = `${path}/${name}`;
  const set = await put(token, `${at}/hangouts_chat`, { webhook, notify_only_broken_pipelines: '1' });
  expect([set.status, await set.json()]).toMatchObject([
    200,
    { slug: 'hangouts-chat', properties: { notify_only_broken_pipelines: true } },
  ]);
  const listed = await (await ask(`/api/v4${at}`, { token })).json();
  expect(listed).toHaveLength(1);
  const removed = await ask(`/api/v4${at}/hangouts-chat`, { token, method: 'DELETE' });
  expect([removed.status, await removed.text()]).toEqual([204, '']);
});

it('return errors with the messages of the interface', async () => {
  const { token, path } = await newProject();
  const refused = async (slug: string, given: Record<string, string>) => {
    const answer = await put(token, `${path}/services/${slug}`, given);
    return [answer.status, await answer.json()];
  };
  expect(await refused('bamboo', { username: '' })).toEqual([
    400,
    { error: 'bamboo_url is missing, build_key is missing, username is empty, password is missing' },
  ]);
  expect(await refused('slack', { webhook: 'nowhere' })).toEqual([
    400,
    { message: '400 Bad request - webhook must be a valid URL' },
  ]);
  expect(await refused('slack', { webhook, branches_to_be_notified: 'some' })).toEqual([
    400,
    { error: 'branches_to_be_notified does not have a valid value' },
  ]);
  expect(await refused('slack', { webhook: 'http://127.0.0.2:1/' })).toMatchObject([400, {}]);
  expect(await refused('nothing', {})).toEqual([404, { message: '404 Integration Not Found' }]);
});

it('are for maintainers', async () => {
  const { client, id, path } = await newProject();
  const levels = { developer: 30, maintainer: 40 } as const;
  const statuses = async (token?: string) =>
    Promise.all(
      ['GET', 'PUT', 'DELETE'].map(async (method) => {
        const body = method === 'PUT' ? new URLSearchParams({ external_wiki_url: webhook }) : null;
        return (await ask(`/api/v4${path}/integrations/external-wiki`, { token, method, body })).status;
      }),
    );
  for (const [name, level] of Object.entries(levels)) {
    const user = await newUser(name);
    await client.ProjectMembers.add(id, level, { userId: user.id });
    expect(await statuses(user.token)).toEqual(name === 'maintainer' ? [200, 200, 204] : [403, 403, 403]);
  }
  const stranger = await newUser('stranger');
  expect(await statuses(stranger.token)).toEqual([404, 404, 404]);
  expect(await statuses()).toEqual([401, 401, 401]);
});
