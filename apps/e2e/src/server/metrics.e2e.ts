import { connection } from './connection';

/* What is inside is shown to whoever runs the server, on a port of its own. */

it('shows the metrics of all processes on one page', async () => {
  const { metrics_url, url } = connection;
  await fetch(`${url}/api/v4/version`);
  const page = await (await fetch(metrics_url)).text();
  expect(page).toMatch(/^moothall_request_duration_seconds_count\{process="gateway[^"]*",/m);
  expect(page).toMatch(
    /^moothall_operation_duration_seconds_count\{process="(services|identity)[^"]*",.*service="identity"/m,
  );
  expect(page.match(/^# TYPE process_resident_memory_bytes /gm)).toHaveLength(1);
});

it('shows nothing of it to clients', async () => {
  const { url } = connection;
  for (const path of ['/-/metrics', '/-/health']) expect((await fetch(`${url}${path}`)).status).toBe(404);
  for (const path of ['/-/liveness', '/-/readiness']) {
    const response = await fetch(`${url}${path}`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  }
});
