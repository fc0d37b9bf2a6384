/**
 * `npm run attack [-- --minutes 5]`: runs all attacks on a server at once, on loopback, and measures a client that only
 * reads. Fails if the p99 of this client is a second or more, if one of its requests fails, if a process ends, or if
 * memory does not return to within 200 MB.
 */
import './help.mjs';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { attacks } from './attack/attacks.mjs';
import { startHostileRemote } from './attack/hostile-remote.mjs';
import { Innocent, percentile } from './attack/innocent.mjs';
import { prepareVictims } from './attack/victims.mjs';
import { memoryByProcess, memoryOf, nodesOf, startStack } from './bench/stack.mjs';
import { print, runTool, setUp } from './set-up.mjs';

const mostMs = 1000;
const mostMegabytes = 200;
/** Time limit for the return of memory after the attacks. */
const longestRestMs = 60_000;

async function attack(minutes, only) {
  const stack = await startStack();
  const remote = await startHostileRemote();
  try {
    const prepared = await prepareVictims(stack);
    const target = { ...prepared, url: stack.url, sshPort: stack.ssh_port, remoteUrl: remote.url };
    const { id, path_with_namespace } = prepared.victim;
    const paths = ['/api/v4/user', `/api/v4/projects/${id}`, `/api/v4/projects/${id}/repository/tree`];
    const innocent = new Innocent(stack, { paths, repository: `${stack.url}/${path_with_namespace}.git` });
    const before = { processes: nodesOf(stack.pid), megabytes: memoryOf(stack.pid), each: memoryByProcess(stack.pid) };
    innocent.start();
    const names = Object.keys(attacks).filter((name) => !only || only.includes(name));
    print(`${names.length} attacks for ${minutes} minutes: ${names.join(', ')}`);
    await carryOut({ names, milliseconds: minutes * 60_000, target });
    await innocent.stop();
    const peak = memoryOf(stack.pid);
    await delay(Math.min(longestRestMs, minutes * 60_000));
    return judge(stack, innocent, before, peak);
  } finally {
    remote.stop();
    await stack.stop();
  }
}

async function carryOut(order) {
  const attacker = fork(new URL('./attack/attacker.mjs', import.meta.url));
  attacker.send(order);
  const [code] = await once(attacker, 'exit');
  if (code !== 0) throw new Error(`the attackers ended with ${code}`);
}

function judge(stack, { times, gitTimes, failures }, before, peak) {
  const ended = before.processes.filter((pid) => !nodesOf(stack.pid).includes(pid));
  const after = memoryOf(stack.pid);
  const p99 = percentile(times, 0.99);
  print(
    `reads: ${times.length}, p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
  );
  print(`git ls-remote: ${gitTimes.length}, longest ${Math.max(...gitTimes).toFixed(0)} ms`);
  print(`failed: ${failures.length} ${[...new Set(failures)].slice(0, 5).join('; ')}`);
  print(`memory: ${before.megabytes} MB before, ${peak} MB at the end, ${after} MB after a rest`);
  for (const [name, megabytes] of memoryByProcess(stack.pid)) {
    print(`  ${name}: ${before.each.get(name) ?? 0} MB before, ${megabytes} MB after`);
  }
  print(`processes that ended: ${ended.length}`);
  return p99 < mostMs && failures.length === 0 && ended.length === 0 && after - before.megabytes <= mostMegabytes;
}

await runTool(async () => {
  const { minutes, only } = parseArgs({
    options: { minutes: { type: 'string', default: '5' }, only: { type: 'string' } },
  }).values;
  setUp();
  process.exitCode = (await attack(Number(minutes), only?.split(','))) ? 0 : 1;
});
