import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metricsChecks } from './metrics';

/** The findings for a page of metrics. */
async function found(status: number, page: string) {
  const server = createServer((_, response) => response.writeHead(status).end(page));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const metricsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/-/metrics`;
  try {
    const findings = await Promise.all(metricsChecks({ metricsUrl }).map(({ look }) => look()));
    return findings.flat().map(({ state, says }) => `${state} ${says.replace(metricsUrl, 'The page')}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it('prints the metrics of processes', async () => {
  const page = [
    'process_resident_memory_bytes{process="gateway"} 1',
    'process_resident_memory_bytes{process="services"} 1',
    'moothall_missing_indexes{process="services",service="ci"} 2',
    'moothall_sweeps_leading{process="services",service="ci"} 0',
    'nodejs_eventloop_lag_p90_seconds{process="gateway"} 0.55',
    'nodejs_eventloop_lag_p90_seconds{process="services"} 1.6',
  ].join('\n');
  expect(await found(200, page)).toEqual([
    'fine 2 processes tell of themselves.',
    'warning ci lacks 2 indexes; see its log.',
    'fault No process of ci runs periodic jobs.',
    'warning services is 1.5 s late at what it has to do.',
  ]);
});

it('treats a missing page as an error', async () => {
  expect(await found(404, '')).toEqual(['fault The page answers 404.']);
});
