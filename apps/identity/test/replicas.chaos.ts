import path from 'node:path';
import { authenticateToken, createUserToken, listTokens, listUsers, userCreated } from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { eventually, listAll, startTwoReplicas, type TwoReplicas, writeUnderLoad } from '@moothall/testing';
import { administrator, answerForProjects, asAdministrator, makeUser } from './service-under-test';

let two: TwoReplicas;
beforeAll(async () => {
  two = await startTwoReplicas(path.resolve(__dirname, '..'), {}, answerForProjects);
}, 120_000);
afterAll(() => two?.stop());

it('users and tokens exist once if one of two replicas is killed under load', async () => {
  const owner = await makeUser(two);
  const tokens: string[] = [];
  const write = async (number: number) => {
    const name = `chaos${number}`;
    if (number % 5 === 0) await makeUser(two, { username: name, email: `${name}@example.com` });
    else {
      const input = { user_id: owner.id, name, scopes: ['api' as const] };
      tokens.push((await two.client.call(createUserToken, input, asAdministrator)).token);
    }
    return name;
  };
  const { acknowledged, unknown } = await writeUnderLoad({ write, interrupt: () => two.replicas[0].kill(), each: 50 });

  const users = await listAll((page) => two.client.call(listUsers, { search: 'chaos', ...page }, asAdministrator));
  const listed = await listAll((page) =>
    two.client.call(listTokens, { user_id: owner.id, ...page }, { caller: administrator }),
  );
  const stored = [...users.map(({ username }) => username), ...listed.map(({ name }) => name)];
  expect(new Set(stored).size).toBe(stored.length);
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
  expect(stored.length).toBeLessThanOrEqual(acknowledged.length + unknown.length);
  for (const token of tokens)
    expect(await two.client.call(authenticateToken, { token_sha256: sha256(token) })).toBeTruthy();
  const areAllPublished = () => {
    const ids = new Set(two.events(userCreated).map(({ data }) => data.user_id));
    return users.every(({ id }) => ids.has(id));
  };
  await eventually(areAllPublished, 'the events of all users', 30_000);
}, 120_000);
