import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, pipeline, type Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { failureOf, type GitRunner } from '../process/run-git';
import type { RefUpdate } from '../refs/refs';
import { inspectPush } from './inspect-push';
import { noticeOf, type PushRules, preparePush } from './judge-push';
import { FLUSH, packet } from './pkt-line';
import { type PushCommands, readPushCommands } from './push-commands';
import { PushReport, refusePush } from './push-report';
import { feed, inflate, readHead } from './request-body';

export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** One request or session of a git client. */
export interface ServiceRequest {
  repository: string;
  /** The client's `Git-Protocol` header or GIT_PROTOCOL variable. */
  protocol?: string | undefined;
  /** Also shows internal refs. */
  showsAll?: boolean | undefined;
  /** The user, for fair scheduling. */
  who?: string | undefined;
  /** Aborted when the caller disconnects: git is killed. */
  signal?: AbortSignal | undefined;
  /** A notice for the user who pushes. */
  notice?: string | undefined;
}

/** A running push: git's answer for the client, and the changes, known when the answer has ended. */
export interface Push {
  output: Readable;
  updates: Promise<RefUpdate[]>;
}

/** Limit of a fetch request after decompression: it is a list of ids. */
const MAX_FETCH_REQUEST_BYTES = 64 << 20;

/** Runs while pushed objects are in git's quarantine, where they can be read but are not yet part of the repository. */
const PRE_RECEIVE = `#!/bin/sh
set -f
is_kept() {
  for pattern in $MOOTHALL_KEPT_REFS; do
    case $1 in $pattern) return 0 ;; esac
  done
  return 1
}
while read -r before after ref; do
  is_kept "$ref" || continue
  case $after in *[!0]*) ;; *) echo "You can not delete the protected branch \${ref#refs/heads/}." >&2; exit 1 ;; esac
  case $before in *[!0]*) ;; *) continue ;; esac
  git merge-base --is-ancestor "$before" "$after" && continue
  echo "You are not allowed to force push to the protected branch \${ref#refs/heads/}." >&2
  exit 1
done
[ -n "$MOOTHALL_INSPECTS" ] || exit 0
printf '%s\n' "$GIT_OBJECT_DIRECTORY" >&3
while IFS= read -r line <&3; do
  case $line in
    ok) exit 0 ;;
    *) printf '%s\n' "\${line#-}" >&2 ;;
  esac
done
exit 1
`;

/** Git's fetch and push programs for HTTP requests and SSH sessions. */
export class GitTransport {
  constructor(
    private readonly git: GitRunner,
    /** Folder for the only hook. */
    private readonly hooksFolder: string,
  ) {}

  /** Number of active transfers. */
  get runningProcesses(): number {
    return this.git.queue.counts.running;
  }

  /** Writes the hook. Call it once before serving. */
  async prepare(): Promise<void> {
    await mkdir(this.hooksFolder, { recursive: true });
    const file = join(this.hooksFolder, 'pre-receive');
    await writeFile(file, PRE_RECEIVE);
    await chmod(file, 0o755);
  }

  /** The answer to `GET info/refs?service=`. Its content type is `application/x-<service>-advertisement`. */
  async advertise(service: GitService, request: ServiceRequest): Promise<Readable> {
    const child = await this.start(service, request, ['--stateless-rpc', '--http-backend-info-refs']);
    child.stdin.end();
    const output = new PassThrough();
    // Protocol v2 has no service line; its clients would refuse one.
    if (!isVersion2(service, request.protocol)) output.write(Buffer.concat([packet(`# service=${service}\n`), FLUSH]));
    this.deliver(child, child.stdout, output);
    return output;
  }

  /**
   * The answer to `POST git-upload-pack`. Git starts when the request has arrived: an announced request that is never
   * sent holds no process.
   * @throws request_malformed, request_too_large
   */
  async uploadPack(request: ServiceRequest & { input: Readable; isGzipped?: boolean }): Promise<Readable> {
    const input = inflate(request.input, request.isGzipped ?? false, MAX_FETCH_REQUEST_BYTES);
    const head = await readHead(input);
    const child = await this.start('git-upload-pack', request, ['--stateless-rpc']);
    const output = new PassThrough();
    child.stdin.write(head);
    feed(input, child, output);
    this.deliver(child, child.stdout, output);
    return output;
  }

  /**
   * The answer to `POST git-receive-pack`.
   * @param maxRequestBytes limit of the decompressed body
   * @throws request_malformed and request_too_large before git is started
   */
  async receivePack(
    request: ServiceRequest & { input: Readable; isGzipped?: boolean; maxRequestBytes?: number; rules?: PushRules },
  ): Promise<Push> {
    const input = inflate(
      request.input,
      request.isGzipped ?? false,
      request.maxRequestBytes ?? Number.POSITIVE_INFINITY,
    );
    const commands = await readPushCommands(input);
    const refusals = await preparePush(request.repository, commands, request.rules);
    if (refusals.size > 0) return refused(input, refusePush(commands, refusals));
    const child = await this.startPush(request, commands);
    const output = new PassThrough();
    const report = reportOf(commands, request);
    child.stdin.write(commands.head);
    feed(input, child, output);
    child.stderr.resume();
    sendReport(child, report, output);
    return { output, updates: exitCode(child).then(() => movedOf(commands, report.accepted)) };
  }

  /** A fetch over a two-way session such as SSH; ends with git's exit code. */
  async uploadPackSession(
    request: ServiceRequest & { input: Readable; output: Writable; errors: Writable },
  ): Promise<number> {
    const child = await this.start('git-upload-pack', request, []);
    child.stderr.pipe(request.errors, { end: false });
    feed(request.input, child, request.output);
    child.stdout.pipe(request.output, { end: false });
    return exitCode(child);
  }

  /**
   * A push over a two-way session such as SSH, with the same rules as over HTTP. No process waits for the client:
   * between reading the refs and pushing, it may run its own hooks for any time.
   */
  async receivePackSession(
    request: ServiceRequest & { input: Readable; output: Writable; errors: Writable; rules?: PushRules },
  ): Promise<{ exitCode: number; updates: RefUpdate[] }> {
    const advertised = await this.start('git-receive-pack', request, ['--stateless-rpc', '--http-backend-info-refs']);
    advertised.stdin.end();
    advertised.stdout.pipe(request.output, { end: false });
    advertised.stderr.resume();
    if ((await exitCode(advertised)) !== 0) throw failureOf(request.repository, 'git receive-pack ended early');
    const commands = await readPushCommands(request.input);
    const refusals = await preparePush(request.repository, commands, request.rules);
    if (refusals.size > 0) {
      request.input.resume();
      request.output.write(refusePush(commands, refusals));
      return { exitCode: 1, updates: [] };
    }
    if (commands.updates.length === 0) return { exitCode: 0, updates: [] };
    const child = await this.startPush(request, commands);
    const report = reportOf(commands, request);
    child.stderr.pipe(request.errors, { end: false });
    child.stdin.write(commands.head);
    feed(request.input, child, request.output);
    sendReport(child, report, request.output, { end: false });
    const [code] = await Promise.all([exitCode(child), finished(report)]);
    return { exitCode: code, updates: movedOf(commands, report.accepted) };
  }

  /** Starts git, whose hook checks the rules of the push. */
  private async startPush(
    request: ServiceRequest & { rules?: PushRules },
    commands: PushCommands,
  ): Promise<ChildProcessWithoutNullStreams> {
    const child = await this.start('git-receive-pack', request, ['--stateless-rpc'], request.rules);
    if (request.rules?.inspect) inspectPush(child, commands.updates, request.rules.inspect);
    return child;
  }

  private async start(
    service: GitService,
    request: ServiceRequest,
    flags: string[],
    rules: PushRules = {},
  ): Promise<ChildProcessWithoutNullStreams> {
    const env: Record<string, string> = { MOOTHALL_KEPT_REFS: (rules.keptRefs ?? []).join(' ') };
    if (rules.inspect) env.MOOTHALL_INSPECTS = 'yes';
    if (isProtocol(request.protocol)) env.GIT_PROTOCOL = request.protocol;
    const config: Record<string, string> = {};
    if (!request.showsAll) config['transfer.hideRefs'] = 'refs/merge-sources';
    if (service === 'git-receive-pack') config['core.hooksPath'] = this.hooksFolder;
    if (rules.maxPackBytes) config['receive.maxInputSize'] = String(rules.maxPackBytes);
    // A killed push would leave its quarantine; when its input ends, it removes it, or finishes if it has received
    // everything.
    const onAbort = service === 'git-receive-pack' ? 'end-input' : 'kill';
    return this.git.open(null, [service.slice('git-'.length), ...flags, request.repository], {
      repository: request.repository,
      who: request.who,
      signal: request.signal,
      onAbort,
      hasChannel: rules.inspect !== undefined,
      env,
      config,
    });
  }

  /** Sends git's output to the client; a disconnect of the client ends git. */
  private deliver(child: ChildProcessWithoutNullStreams, from: Readable, output: PassThrough): void {
    child.stderr.resume();
    pipeline(from, output, () => undefined);
    output.once('close', () => child.kill());
  }
}

/** The rest of the request is read and discarded: a client that is still writing would not read the answer. */
async function refused(input: Readable, answer: Buffer): Promise<Push> {
  input.resume();
  // Small requests have already been read completely.
  await finished(input, { writable: false }).catch(() => undefined);
  const output = new PassThrough();
  output.end(answer);
  return { output, updates: Promise.resolve([]) };
}

function exitCode(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

function isProtocol(text: string | undefined): text is string {
  return text !== undefined && /^[a-z0-9=:.-]{1,128}$/i.test(text);
}

function isVersion2(service: GitService, protocol = ''): boolean {
  return service === 'git-upload-pack' && protocol.split(':').includes('version=2');
}

function reportOf(commands: PushCommands, { notice = '', rules }: ServiceRequest & { rules?: PushRules }): PushReport {
  return new PushReport(() => commands.capabilities.has('side-band-64k'), {
    first: noticeOf(commands) + notice,
    last: (accepted) => rules?.noticeAfter?.(movedOf(commands, accepted)) ?? '',
  });
}

/** A push is not undone when its client disconnects: git's report is still read, and the events are published. */
function sendReport(
  child: ChildProcessWithoutNullStreams,
  report: PushReport,
  output: Writable,
  options?: { end: boolean },
): void {
  child.stdout.pipe(report).pipe(output, options);
  const readOn = () => report.unpipe(output).resume();
  if (output.destroyed) readOn();
  else output.once('close', readOn);
}

const movedOf = ({ updates }: PushCommands, accepted: ReadonlySet<string>): RefUpdate[] =>
  updates.filter(({ refName }) => accepted.has(refName));
