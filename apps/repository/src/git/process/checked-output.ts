import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { failureOf } from './run-git';

/**
 * The output of a git process as a stream. It ends only after git exits, and an error of git destroys it: truncated
 * output must not look complete. Destroying it ends git.
 * @param command name in the log
 */
export function checkedOutput(child: ChildProcessWithoutNullStreams, repository: string, command: string): Readable {
  const ended = explainExit(child, repository, command);
  // A reader that stops early does not wait for git's exit; an error is expected then.
  ended.catch(() => undefined);
  const output = new PassThrough({
    highWaterMark: 1 << 18,
    flush: (done) => {
      ended.then(() => done(), done);
    },
  });
  pipeline(child.stdout, output, () => undefined);
  output.once('close', () => child.kill('SIGKILL'));
  return output;
}

async function explainExit(child: ChildProcessWithoutNullStreams, repository: string, command: string): Promise<void> {
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(0, 4096);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw failureOf(repository, `git ${command}: ${stderr}`);
}
