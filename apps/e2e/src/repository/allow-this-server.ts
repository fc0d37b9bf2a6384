import { ask, connection } from '../server/connection';

/** Whether mirrors may use this server itself, which is in the local network. */
export async function allowThisServer(isAllowed: boolean, entry = new URL(connection.url).host): Promise<void> {
  const entries = isAllowed ? [entry] : ['192.0.2.1'];
  const answer = await ask('/api/v4/application/settings', {
    method: 'PUT',
    token: connection.token,
    body: JSON.stringify({ outbound_local_requests_whitelist: entries }),
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(200);
  // Settings take effect within a second.
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
