import { readFileSync } from 'node:fs';

/** Watches processes that should live as long as the server; git processes are short-lived. */
const lasting = /^(node|MainThread|nats-server|redis-server)/;

export class ProcessWatch {
  private readonly names: Map<number, string>;
  private readonly startMb: number;
  private peakMb = 0;
  private readonly deaths: string[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(pids: number[]) {
    this.names = new Map(pids.map((pid) => [pid, nameOf(pid)] as const).filter(([, name]) => lasting.test(name)));
    this.startMb = this.measure();
    this.timer = setInterval(() => this.measure(), 500).unref();
  }

  stop() {
    clearInterval(this.timer);
    const endMb = this.measure();
    return { deaths: this.deaths, startMb: this.startMb, peakMb: this.peakMb, endMb };
  }

  private measure(): number {
    let kilobytes = 0;
    for (const [pid, name] of this.names) {
      const resident = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1];
      if (resident) {
        kilobytes += Number(resident);
        continue;
      }
      this.deaths.push(`${name} ${pid}`);
      this.names.delete(pid);
    }
    const megabytes = Math.round(kilobytes / 1024);
    this.peakMb = Math.max(this.peakMb, megabytes);
    return megabytes;
  }
}

const nameOf = (pid: number): string => read(`/proc/${pid}/comm`).trim();

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
