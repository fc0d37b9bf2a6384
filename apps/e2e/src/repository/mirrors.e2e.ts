import { ask, connection, newUser, uniqueName } from '../server/connection';

const put = (path: string, token: string, body: object) =>
  ask(path, { method: 'PUT', token, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

async function allowThisServer(isAllowed: boolean): Promise<void> {
  const entries = isAllowed ? [new URL(connection.url).host] : ['192.0.2.1'];
  const answer = await put('/api/v4/application/settings', connection.token, {
    outbound_local_requests_whitelist: entries,
  });
  expect(answer.status).toBe(200);
  // Services ask for the settings again after some seconds.
  await new Promise((resolve) => setTimeout(resolve, 5500));
}

async function until<T>(probe: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 25_000; Date.now() < end; ) {
    const found = await probe();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('it did not come about');
}

it('refuses mirrors into the local network until an administrator allows it, then pushes', async () => {
  const { client, username, token } = await newUser('mirror');
  const source = await client.Projects.create({ name: uniqueName('source'), initializeWithReadme: true });
  const target = await client.Projects.create({ name: uniqueName('target') });
  const url = new URL(`${connection.url}/${target.path_with_namespace}.git`);
  url.username = username;
  url.password = token;
  await expect(client.ProjectRemoteMirrors.createPushMirror(source.id, url.href)).rejects.toThrow(/is blocked/);
  await expect(client.ProjectRemoteMirrors.createPushMirror(source.id, 'file:///etc')).rejects.toThrow(/is blocked/);

  await allowThisServer(true);
  try {
    const made = await client.ProjectRemoteMirrors.createPushMirror(source.id, url.href, { enabled: true });
    expect(made.url).toBe(`http://*****:*****@${url.host}/${target.path_with_namespace}.git`);
    const done = await until(async () => {
      const mirror = await client.ProjectRemoteMirrors.show(source.id, made.id);
      return mirror.update_status === 'finished' ? mirror : undefined;
    });
    expect(done.last_error).toBeNull();
    const [here, there] = await Promise.all([source, target].map(({ id }) => client.Branches.show(id, 'main')));
    expect(there!.commit.id).toBe(here!.commit.id);
    const [listed] = await client.ProjectRemoteMirrors.all(source.id);
    expect(JSON.stringify(listed)).not.toContain(token);
  } finally {
    await allowThisServer(false);
  }
});

it('says why a mirror fails', async () => {
  const { client } = await newUser('mirror');
  const source = await client.Projects.create({ name: uniqueName('source'), initializeWithReadme: true });
  const made = await client.ProjectRemoteMirrors.createPushMirror(source.id, 'https://nowhere.invalid/x.git', {
    enabled: true,
  });
  const failed = await until(async () => {
    const mirror = await client.ProjectRemoteMirrors.show(source.id, made.id);
    return mirror.update_status === 'to_retry' ? mirror : undefined;
  });
  expect(failed.last_error).toMatch(/.+/);
});
