import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endLeftover, readPidFile, writePidFile } from '@moothall/processes';
import { type ProgramOptions, startOnFreePort, startProgram } from '../src';

const obedient = 'console.log("hello"); setInterval(() => {}, 1000)';
const stubborn = 'process.on("SIGTERM", () => {}); console.log("hello"); setInterval(() => {}, 1000)';

describe('startProgram', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'moothall-program-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A Node program that counts as ready with its first line. */
  function options(script: string, more: Partial<ProgramOptions> = {}): ProgramOptions {
    let hear = () => {};
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    return {
      name: 'probe',
      command: process.execPath,
      args: ['-e', script],
      logFile: path.join(folder, 'probe.log'),
      pidFile: path.join(folder, 'probe.pid'),
      onLine: hear,
      waitUntilReady: () => heard,
      ...more,
    };
  }

  it('is ready when the program reports it, logs its output and removes the pid file after the end', async () => {
    const program = await startProgram(options(obedient));
    expect(readPidFile(path.join(folder, 'probe.pid'))).toBe(program.pid);
    await program.stop();
    expect(await program.exited).toEqual({ code: null, signal: 'SIGTERM' });
    expect(readFileSync(path.join(folder, 'probe.log'), 'utf8')).toBe('hello\n');
    expect(readPidFile(path.join(folder, 'probe.pid'))).toBeUndefined();
  });

  it('kills a program that ignores SIGTERM', async () => {
    const program = await startProgram(options(stubborn, { stopWithinMs: 50 }));
    await program.stop();
    expect(await program.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('stops the children of the program', async () => {
    const script = `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      console.log(String(pid)); setInterval(() => {}, 1000)`;
    const program = await startProgram(options(script));
    const grandchild = Number(await firstLine(folder));
    expect(isAlive(grandchild)).toBe(true);
    await program.stop();
    await until(() => !isAlive(grandchild));
  });

  it('reports a program that ends at its start, with the end of its log', async () => {
    const start = startProgram(options('console.error("no such option"); process.exit(3)', { onLine: undefined }));
    await expect(start).rejects.toThrow(/^probe ended at its start, with code 3\n {4}no such option$/);
  });

  it('reports a program that is not installed', async () => {
    const start = startProgram(options('', { command: 'moothall-no-such-program' }));
    await expect(start).rejects.toThrow('probe cannot be started: moothall-no-such-program is not installed');
  });

  it('reports a program that does not become ready in time, and ends it', async () => {
    const pidFile = path.join(folder, 'probe.pid');
    const start = startProgram(options('setInterval(() => {}, 1000)', { readyWithinMs: 100 }));
    await until(() => readPidFile(pidFile) !== undefined);
    const pid = readPidFile(pidFile)!;
    await expect(start).rejects.toThrow('probe is not ready after 100 ms');
    expect(isAlive(pid)).toBe(false);
  });

  it('stops a start when it is aborted', async () => {
    const controller = new AbortController();
    const start = startProgram(options('setInterval(() => {}, 1000)', { signal: controller.signal }));
    await until(() => readPidFile(path.join(folder, 'probe.pid')) !== undefined);
    controller.abort();
    await expect(start).rejects.toThrow('the start of probe was given up');
  });

  it('ends the program of an earlier run before it starts another', async () => {
    const leftover = spawn(process.execPath, ['-e', stubborn], { stdio: 'ignore' });
    const gone = new Promise((resolve) => leftover.once('exit', (_code, signal) => resolve(signal)));
    writePidFile(path.join(folder, 'probe.pid'), leftover.pid!);
    await endLeftover(path.join(folder, 'probe.pid'), 100);
    // A program so young may not have had its handler yet.
    expect(['SIGKILL', 'SIGTERM']).toContain(await gone);
    const program = await startProgram(options(obedient));
    await program.stop();
  });

  it('does not stop another process with the id of an earlier program', async () => {
    const pidFile = path.join(folder, 'probe.pid');
    writeFileSync(pidFile, JSON.stringify({ pid: process.pid, identity: 'an earlier boot/1' }));
    await endLeftover(pidFile);
    expect(readPidFile(pidFile)).toBeUndefined();
  });

  it.each(['', '{', '{"pid": 1}'])('ignores a pid file with %j', async (text) => {
    const pidFile = path.join(folder, 'probe.pid');
    writeFileSync(pidFile, text);
    await endLeftover(pidFile);
    expect(readPidFile(pidFile)).toBeUndefined();
  });

  it('tries another port if one is in use', async () => {
    const taken = createServer();
    let attempts = 0;
    const { program, port } = await startOnFreePort(async (free) => {
      attempts += 1;
      if (attempts === 1) await new Promise<void>((resolve) => taken.listen(free, '127.0.0.1', resolve));
      const script = `require('node:net').createServer().listen(${free}, '127.0.0.1', () => console.log('listening'))`;
      return startProgram(options(script, { onLine: undefined, waitUntilReady: () => connectTo(free, attempts) }));
    });
    expect(attempts).toBe(2);
    expect(port).not.toBe((taken.address() as { port: number }).port);
    await program.stop();
    taken.close();
  });
});

/** The first attempt must not count the other listener as the program. */
async function connectTo(port: number, attempt: number): Promise<void> {
  if (attempt === 1) return new Promise(() => {});
  await until(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(50) }).catch((error) => error);
    return answer.name === 'TimeoutError';
  });
}

async function firstLine(folder: string): Promise<string> {
  await until(() => readFileSync(path.join(folder, 'probe.log'), 'utf8').includes('\n'));
  return readFileSync(path.join(folder, 'probe.log'), 'utf8');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within a minute: ${condition}`);
    await delay(5);
  }
}
