import { ask, askJson, connection } from '../server/connection';

/**
 * Whether hooks and mirrors may use an address of the local network, by default that of this server. Entries of other
 * tests stay.
 */
export async function allowThisServer(isAllowed: boolean, entry = new URL(connection.url).host): Promise<void> {
  const { token } = connection;
  const { body } = await askJson('GET', '/application/settings', { token });
  const others = (body.outbound_local_requests_whitelist as string[]).filter((other) => other !== entry);
  const answer = await ask('/api/v4/application/settings', {
    method: 'PUT',
    token,
    body: JSON.stringify({ outbound_local_requests_whitelist: isAllowed ? [...others, entry] : others }),
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(200);
  // Settings take effect within a second.
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
