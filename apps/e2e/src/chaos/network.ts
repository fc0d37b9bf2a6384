import { execFileSync } from 'node:child_process';

const forMs = 3_000;

/** Drops packets of some ports without closing connections: like an unplugged cable. */
export async function cutOff(ports: readonly string[]): Promise<void> {
  const rules = ports.flatMap((port) =>
    ['--sport', '--dport'].map((end) => ['INPUT', '-p', 'tcp', end, port, '-j', 'DROP']),
  );
  for (const rule of rules) execFileSync('iptables', ['-w', '-A', ...rule]);
  await new Promise((resolve) => setTimeout(resolve, forMs));
  for (const rule of rules) execFileSync('iptables', ['-w', '-D', ...rule]);
}

/** Local ports of a process's connections to a port. */
export function connectionsOf(pid: number, port: string): string[] {
  const found = execFileSync('ss', ['-Htnp', `dport = :${port}`], { encoding: 'utf8' }).split('\n');
  const own = found.filter((line) => line.includes(`pid=${pid},`));
  return own.map((line) => /\S+:(\d+)\s+\S+:\d+\s+users/.exec(line)![1]!);
}
