import type { ChildProcess } from 'node:child_process';
import { MetricsPort } from '@moothall/processes';

interface Child {
  name: string;
  /** Port of its metrics, on loopback. */
  port: number;
}

const patienceMs = 5_000;

/** The metrics of all processes on one page. Each process has a port for them, and reports it when it is ready. */
export class ChildMetrics {
  private readonly children = new Map<ChildProcess, Child>();
  readonly port: MetricsPort;

  constructor(onError: (error: unknown) => void) {
    this.port = new MetricsPort(onError).show('/-/metrics', async () => ({
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      body: await this.page(),
    }));
  }

  watch(name: string, child: ChildProcess): void {
    child.on('message', (message: { metricsPort?: number }) => {
      if (message?.metricsPort) this.children.set(child, { name, port: message.metricsPort });
    });
    child.once('exit', () => this.children.delete(child));
  }

  private async page(): Promise<string> {
    // A process that does not answer is left out.
    const pages = await Promise.allSettled([...this.children.values()].map(read));
    return merged(pages.flatMap((page) => (page.status === 'fulfilled' ? [page.value] : [])));
  }
}

async function read({ name, port }: Child): Promise<{ name: string; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}/-/metrics`, { signal: AbortSignal.timeout(patienceMs) });
  if (!response.ok) throw new Error(`the metrics of ${name}: ${response.status}`);
  return { name, text: await response.text() };
}

interface Metric {
  /** The HELP and TYPE lines. */
  head: Map<string, string>;
  samples: string[];
}

/** Each metric once, as Prometheus requires, with a line for every process that has it. */
export function merged(pages: { name: string; text: string }[]): string {
  const metrics = new Map<string, Metric>();
  const metricOf = (name: string): Metric => {
    const metric = metrics.get(name) ?? { head: new Map(), samples: [] };
    metrics.set(name, metric);
    return metric;
  };
  for (const { name, text } of pages) {
    let metric: Metric | undefined;
    for (const line of text.split('\n')) {
      const [, kind, about] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (kind && about) {
        metric = metricOf(about);
        if (!metric.head.has(kind)) metric.head.set(kind, line);
      } else if (line !== '' && !line.startsWith('#')) {
        metric ??= metricOf(line.slice(0, line.search(/[{ ]/)));
        metric.samples.push(labelled(line, name));
      }
    }
  }
  const shown = [...metrics.values()].map(({ head, samples }) => [...head.values(), ...samples].join('\n'));
  return shown.map((metric) => `${metric}\n`).join('\n');
}

function labelled(sample: string, process: string): string {
  const end = sample.search(/[{ ]/);
  const rest = sample[end] === '{' ? `,${sample.slice(end + 1)}` : `}${sample.slice(end)}`;
  return `${sample.slice(0, end)}{process="${process}"${rest}`;
}
