import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = join(__dirname, '..', 'dist', 'main.js');

/** The server as it runs in production: a separate process, which may be killed. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly uri: string,
  ) {}

  static start(folder: string, ...options: string[]): Promise<ServerProcess> {
    return ServerProcess.startWith(['--dbpath', folder, ...options]);
  }

  /** @throws Error with the output of the process if it ends instead of starting */
  static async startWith(options: string[]): Promise<ServerProcess> {
    const child = spawn(process.execPath, [MAIN, ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaint = '';
    child.stderr!.on('data', (chunk) => {
      complaint += chunk;
    });
    const line = await new Promise<string>((resolve, reject) => {
      createInterface(child.stdout!).once('line', resolve);
      child.once('close', (code) => reject(new Error(`exit ${code}: ${complaint.trim()}`)));
    });
    return new ServerProcess(child, (JSON.parse(line) as { uri: string }).uri);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** @returns the exit code, or the signal that ended it */
  async end(signal: NodeJS.Signals): Promise<number | string> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) return exitCode ?? signalCode!;
    const ended = new Promise<number | string>((resolve) =>
      this.child.once('exit', (code, by) => resolve(code ?? by!)),
    );
    this.child.kill(signal);
    return ended;
  }
}
