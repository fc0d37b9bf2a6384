import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { connection } from './connection';

/* Metrics for operators, on a port of their own. */

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

/** From the files for Prometheus and Grafana. */
function expressions(): string[] {
  const folder = path.resolve(__dirname, '../../../../k8s/components/monitoring');
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  const alerts: { rules: { expr: string }[] }[] = parse(read('alerts.yaml')).spec.groups;
  const dashboard: { targets: { expr: string }[] }[] = JSON.parse(read('dashboard.json')).panels;
  return [...alerts.flatMap(({ rules }) => rules), ...dashboard.flatMap(({ targets }) => targets)].map(
    ({ expr }) => expr,
  );
}

it('has every metric of the alerts and the dashboard, with its labels', async () => {
  const page = await (await fetch(connection.metrics_url)).text();
  const asked = expressions().flatMap((expr) => {
    const labels = [...expr.matchAll(/(?:by|on) \(([\w, ]+)\)|(\w+)[=!]~?"/g)].flatMap(
      ([, list, one]) => one ?? list!.split(', '),
    );
    const metrics = [...expr.matchAll(/\b(?:moothall|nodejs|process)_[a-z0-9_]+/g)];
    return metrics.map(([metric]) => ({ metric, labels }));
  });
  expect(asked.length).toBeGreaterThan(20);
  for (const { metric, labels } of asked) {
    expect(page).toMatch(new RegExp(`^# TYPE (${metric}|${metric.replace(/_(bucket|count)$/, '')}) `, 'm'));
    // A metric without values has no lines; Prometheus adds the pod.
    const sample = page.split('\n').find((line) => line.startsWith(`${metric}{`));
    for (const label of labels) if (sample && label !== 'pod') expect(sample).toMatch(new RegExp(`[{,]${label}="`));
  }
});

it('shows nothing of it to clients', async () => {
  const { url } = connection;
  for (const path of ['/-/metrics', '/-/health']) expect((await fetch(`${url}${path}`)).status).toBe(404);
  for (const path of ['/-/liveness', '/-/readiness']) {
    const response = await fetch(`${url}${path}`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  }
});
