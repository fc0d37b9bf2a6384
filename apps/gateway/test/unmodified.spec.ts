import { deleteIssue, deleteProjectLabel, getIssue } from '@moothall/contracts';
import { callerNamed, projectNamed } from '@moothall/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

/* Deletions with If-Unmodified-Since. */

let gateway: GatewayUnderTest;
const deleted: string[] = [];

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  gateway.knowCaller('ada', callerNamed('ada'));
  gateway.knowProject(projectNamed('p', { id: 1, visibility: 'public', accessLevel: 50 }));
  gateway.stubs.respond(getIssue, () => ({ iid: 1, updated_at: '2020-10-15T08:12:01.700Z' }) as never);
  for (const operation of [deleteIssue, deleteProjectLabel])
    gateway.stubs.respond(operation, () => {
      deleted.push(operation.name);
    });
  await gateway.stubs.received();
});
afterAll(() => gateway.stop());

const remove = async (path: string, since: string) => {
  const headers = { 'if-unmodified-since': since };
  const answer = await gateway.fetch(`/api/v4/projects/1${path}`, { method: 'DELETE', token: 'ada', headers });
  return [answer.status, await answer.text(), deleted.splice(0).length];
};

it('refuses a change if the record was changed since', async () => {
  const refused = [412, '{"message":"412 Precondition Failed"}', 0];
  expect(await remove('/issues/1', 'Thu, 15 Oct 2020 08:12:00 GMT')).toEqual(refused);
  expect(await remove('/issues/1', 'Mon, 01 Jan 2018 00:00:00 GMT')).toEqual(refused);
});

it.each(['Thu, 15 Oct 2020 08:12:01 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT', 'nonsense', ''])(
  'ignores the header: %s',
  async (since) => {
    expect(await remove('/issues/1', since)).toEqual([204, '', 1]);
  },
);

it('passes on why there is nothing to be read', async () => {
  expect(await remove('/issues/x', 'Thu, 15 Oct 2020 08:12:00 GMT')).toEqual([400, expect.any(String), 0]);
});
