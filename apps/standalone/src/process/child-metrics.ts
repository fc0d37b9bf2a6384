import type { ChildProcess } from 'node:child_process';
import { MetricsPort } from '@moothall/data-port';

interface Child {
  name: string;
  /** Where it shows its metrics, on loopback. */
  port: number;
}

const patienceMs = 5_000;

/** What all processes measure, on one page. Each has a port for it, and tells which when it is ready. */
export class ChildMetrics {
  private readonly children = new Map<ChildProcess, Child>();
  readonly port = new MetricsPort(() => undefined).show('/-/metrics', async () => ({
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    body: await this.page(),
  }));

  watch(name: string, child: ChildProcess): void {
    child.on('message', (message: { metricsPort?: number }) => {
      if (message?.metricsPort) this.children.set(child, { name, port: message.metricsPort });
    });
    child.once('exit', () => this.children.delete(child));
  }

  private async page(): Promise<string> {
    // A process that is silent now is missing now.
    const pages = await Promise.allSettled([...this.children.values()].map(read));
    return merged(pages.flatMap((page) => (page.status === 'fulfilled' ? [page.value] : [])));
  }
}

async function read({ name, port }: Child): Promise<{ name: string; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}/-/metrics`, { signal: AbortSignal.timeout(patienceMs) });
  return { name, text: await response.text() };
}

/** Each metric once, as Prometheus has it, with a line of every process that has it. */
export function merged(pages: { name: string; text: string }[]): string {
  const metrics = new Map<string, { head: string[]; samples: string[] }>();
  for (const { name, text } of pages) {
    let metric: { head: string[]; samples: string[] } | undefined;
    for (const line of text.split('\n')) {
      const [, kind, about] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (kind === 'HELP') {
        const known = metrics.get(about!);
        metric = known ?? { head: [], samples: [] };
        metrics.set(about!, metric);
        if (!known) metric.head.push(line);
      } else if (kind === 'TYPE') {
        if (metric!.head.length === 1) metric!.head.push(line);
      } else if (line !== '') metric!.samples.push(labelled(line, name));
    }
  }
  return [...metrics.values()].map(({ head, samples }) => `${[...head, ...samples].join('\n')}\n`).join('\n');
}

function labelled(sample: string, process: string): string {
  const end = sample.search(/[{ ]/);
  const rest = sample[end] === '{' ? `,${sample.slice(end + 1)}` : `}${sample.slice(end)}`;
  return `${sample.slice(0, end)}{process="${process}"${rest}`;
}
