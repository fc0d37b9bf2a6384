// Starts and stops the two compared servers, each in its own process and folder.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Ticks of the kernel's process clock a second; 100 on every Linux in use. */
const TICKS_PER_SECOND = 100;

export class ServerProcess {
  static async start(script, args, folder) {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise((resolve, reject) => {
      child.stdout.once('data', resolve);
      child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
    });
    return new ServerProcess(child, JSON.parse(line).uri, folder);
  }

  constructor(child, uri, folder) {
    Object.assign(this, { child, uri, folder });
  }

  /** Microseconds of processor time used so far, user and kernel. */
  get cpuMicros() {
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND;
  }

  async stop() {
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await exited;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const newFolder = () => mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'embedded-mongo-bench-'));

export function startServer() {
  const folder = newFolder();
  return ServerProcess.start(join(here, '..', 'dist', 'main.js'), ['--dbpath', folder], folder);
}

/** @param replies BSON by command name */
export function startFloor(replies) {
  const folder = newFolder();
  const path = join(folder, 'replies.json');
  const encoded = Object.entries(replies).map(([name, bson]) => [name, Buffer.from(bson).toString('base64')]);
  writeFileSync(path, JSON.stringify(Object.fromEntries(encoded)));
  return ServerProcess.start(join(here, 'floor-server.mjs'), [join(folder, 'floor.sock'), path], folder);
}
