import { eventLoopLookMs } from '@moothall/processes';
import { type Check, fault, fine, warning } from './finding';
import type { Installation } from './installation';

const lateSeconds = 0.5;

/** Checks of the metrics of the processes. */
export const metricsChecks = ({ metricsUrl }: Installation): Check[] =>
  metricsUrl === undefined ? [] : [{ about: 'processes', look: () => processes(metricsUrl) }];

async function processes(url: string) {
  const answer = await fetch(url);
  if (!answer.ok) return [fault(`${url} answers ${answer.status}.`)];
  const page = await answer.text();
  const missing = [...byLabel(page, 'moothall_missing_indexes', 'service')].filter(([, count]) => count > 0);
  const periodicJobs = [...byLabel(page, 'moothall_sweeps_leading', 'service')];
  const idle = periodicJobs.filter(([, leaders]) => leaders === 0).map(([service]) => service);
  // One sample in ten: in a process that has just started, one in a hundred is the duration of its start.
  const late = [...byLabel(page, 'nodejs_eventloop_lag_p90_seconds', 'process')]
    .map(([name, between]) => [name, between - eventLoopLookMs / 1000] as const)
    .filter(([, lag]) => lag > lateSeconds);
  return [
    fine(`${byLabel(page, 'process_resident_memory_bytes', 'process').size} processes tell of themselves.`),
    ...missing.map(([service, count]) => warning(`${service} lacks ${count} indexes; see its log.`)),
    ...idle.map((service) => fault(`No process of ${service} runs periodic jobs.`)),
    ...late.map(([name, lag]) => warning(`${name} is ${lag.toFixed(1)} s late at what it has to do.`)),
  ];
}

/** Sums of a metric, by one of its labels. */
function byLabel(page: string, metric: string, label: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of page.split('\n')) {
    if (!line.startsWith(`${metric}{`)) continue;
    const labels = new Map(Array.from(line.matchAll(/[{,](\w+)="([^"]*)"/g), ([, name, value]) => [name, value]));
    const key = labels.get(label);
    if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + Number(line.slice(line.lastIndexOf(' '))));
  }
  return sums;
}
