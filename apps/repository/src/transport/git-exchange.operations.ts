import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  Access,
  type Caller,
  type ContextOf,
  exitCodeTrailer,
  gitExchange,
  isFeatureOpen,
  type ParsedOf,
  type ProjectRef,
} from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles, shareOf } from '@moothall/messaging';
import { Controller, Logger, type OnModuleInit } from '@nestjs/common';
import type { RefUpdate } from '../git/refs/refs';
import { asksForAllRefs } from '../git/transport/all-refs';
import type { PushRules } from '../git/transport/judge-push';
import type { ServiceRequest } from '../git/transport/transport';
import { actorOf } from '../protection/protections';
import { PushRulebook } from '../protection/push-rules';
import { requireWritable } from '../push/code-writer';
import { PushJournal } from '../push/push-journal';
import { PushChecks } from '../push-check/push-checks';
import { ensureWiki } from '../storage/ensure-wiki';
import { type Located, Storages } from '../storage/storages';
import { WriteGate } from '../storage/write-gate';
import { MergeRequestNotices } from './merge-request-notices';

interface PresignedExchange {
  project: Pick<ProjectRef, 'id' | 'storage' | 'fullPath' | 'accessLevel' | 'lfsEnabled'>;
  caller?: Caller | undefined;
  service: 'git-upload-pack' | 'git-receive-pack';
  phase: 'advertise' | 'rpc' | 'session';
  kind: 'code' | 'wiki';
  protocol?: string | undefined;
  showsAll?: boolean;
  who?: string | undefined;
  notice?: string | undefined;
  /** Whether the caller may open merge requests. */
  mayMerge?: boolean;
}

/** A client that pushes over SSH runs its own hooks, such as tests, while the session is already open. */
const patience = ({ phase, service }: PresignedExchange) =>
  phase === 'session' && service === 'git-receive-pack' ? 10 : 1;

/** Git over HTTP and SSH: the gateway authenticates the caller and forwards the bytes here. */
@Controller()
export class GitExchangeOperations implements OnModuleInit {
  private readonly log = new Logger(GitExchangeOperations.name);

  constructor(
    private readonly storages: Storages,
    private readonly journal: PushJournal,
    private readonly rulebook: PushRulebook,
    private readonly checks: PushChecks,
    private readonly gate: WriteGate,
    private readonly dataPort: DataPort,
    private readonly notices: MergeRequestNotices,
  ) {}

  onModuleInit(): void {
    this.dataPort.serve<PresignedExchange>(
      'git',
      (asked, request, response) => this.exchange(asked, request, response),
      patience,
    );
  }

  @Handles(gitExchange)
  async presign(context: ContextOf<typeof gitExchange>, input: ParsedOf<typeof gitExchange>) {
    const { project, caller } = context;
    if (input.service === 'git-receive-pack') requireWritable(project);
    const { id, storage, fullPath, accessLevel, lfsEnabled } = project;
    const kind = input.repository === 'wiki' ? 'wiki' : 'code';
    if (kind === 'wiki') await this.requireWiki({ id, storage });
    return this.dataPort.presign('git', {
      project: { id, storage, fullPath, accessLevel, lfsEnabled },
      caller,
      service: input.service,
      phase: input.phase,
      kind,
      protocol: input.protocol,
      showsAll: caller?.isAdmin === true && asksForAllRefs(input.protocol),
      who: shareOf(context, input.deploy_key_id),
      notice: input.notice,
      mayMerge: caller !== undefined && accessLevel >= Access.Developer && isFeatureOpen(project, 'merge_requests'),
    } satisfies PresignedExchange);
  }

  /** A wiki is created when it is first cloned. */
  private async requireWiki(project: Pick<ProjectRef, 'id' | 'storage'>): Promise<void> {
    const { engine, path } = this.storages.locate(project, 'wiki');
    await ensureWiki(engine, path, project.id);
  }

  private async exchange(asked: PresignedExchange, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const located = this.storages.locate(asked.project, asked.kind);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { protocol, showsAll, who, notice } = asked;
    const common = { repository: located.path, protocol, showsAll, who, notice, signal: gone.signal };
    if (asked.phase === 'session') {
      await this.session(asked, located, { ...common, input: request }, response);
      return;
    }
    if (asked.phase === 'advertise') {
      await send(
        response,
        `${asked.service}-advertisement`,
        await located.engine.transport.advertise(asked.service, common),
      );
      return;
    }
    const incoming = { ...common, input: request, isGzipped: request.headers['content-encoding'] === 'gzip' };
    if (asked.service === 'git-upload-pack') {
      await send(response, 'git-upload-pack-result', await located.engine.transport.uploadPack(incoming));
    } else {
      await this.gate.write(asked.project, () => this.receive(asked, located, incoming, response));
    }
  }

  /** Publishes events of the push before git gets its answer, so that the next read sees the new state. */
  private async receive(
    asked: PresignedExchange,
    located: Located,
    incoming: Parameters<Located['engine']['transport']['receivePack']>[0],
    response: ServerResponse,
  ): Promise<void> {
    const receiving = await this.rulesOf(asked);
    const push = await located.engine.transport.receivePack({ ...incoming, rules: receiving.rules });
    const announced = push.updates.then(receiving.end);
    response.writeHead(200, contentType('git-receive-pack-result'));
    try {
      await pipeline(push.output, response, { end: false });
    } finally {
      // Also after the client disconnected: its push is stored.
      await announced;
    }
    response.end();
  }

  /** An SSH session: both directions at once, with git's exit code as a trailer. */
  private async session(
    asked: PresignedExchange,
    { engine }: Located,
    common: ServiceRequest & { input: IncomingMessage },
    response: ServerResponse,
  ): Promise<void> {
    response.writeHead(200, { 'content-type': 'application/octet-stream', trailer: exitCodeTrailer });
    response.flushHeaders();
    const streams = {
      ...common,
      output: response,
      errors: new Writable({ write: (_chunk, _encoding, done) => done() }),
    };
    const run = async (): Promise<number> => {
      if (asked.service === 'git-upload-pack') return engine.transport.uploadPackSession(streams);
      const receiving = await this.rulesOf(asked);
      const { exitCode, updates } = await engine.transport.receivePackSession({ ...streams, rules: receiving.rules });
      await receiving.end(updates);
      return exitCode;
    };
    const code = await (asked.service === 'git-upload-pack' ? run() : this.gate.write(asked.project, run));
    response.addTrailers({ [exitCodeTrailer]: String(code) });
    response.end();
  }

  /** The rules of a push, and the function that publishes its events once git has reported the moved refs. */
  private async rulesOf({ project, caller, kind, mayMerge }: PresignedExchange) {
    const actor = actorOf(project, caller);
    const rules = await (kind === 'wiki'
      ? this.rulebook.makeWikiRules(project)
      : this.rulebook.makeCodeRules(project, actor));
    const change = { project, caller, isByInterface: false };
    let end: ((moved: readonly RefUpdate[]) => Promise<void>) | undefined;
    let noticeAfter: PushRules['noticeAfter'];
    const authorize = async (updates: readonly RefUpdate[], options?: readonly string[]) => {
      const refusals = new Map([
        ...(kind === 'code' ? await this.checks.objectionsToNames(change, updates) : []),
        ...((await rules.authorize?.(updates, options)) ?? []),
      ]);
      if (refusals.size > 0) return refusals;
      if (kind === 'code' && mayMerge) noticeAfter = await this.notices.prepare(project, updates);
      end = await this.journal.expect({ project, caller, kind }, updates, options);
      return refusals;
    };
    const inspect: PushRules['inspect'] = async (updates, quarantine) =>
      this.checks.objectionToContent(change, updates, quarantine).catch((error: unknown) => {
        this.log.error(`a push to project ${project.id} could not be checked: ${error}`);
        throw error;
      });
    return {
      rules: {
        ...rules,
        authorize,
        noticeAfter: (moved: readonly RefUpdate[]) => noticeAfter?.(moved) ?? '',
        ...(kind === 'code' && { inspect }),
      },
      end: async (moved: readonly RefUpdate[]) => end?.(moved),
    };
  }
}

async function send(response: ServerResponse, type: string, body: Readable): Promise<void> {
  response.writeHead(200, contentType(type));
  await pipeline(body, response);
}

const contentType = (type: string) => ({ 'content-type': `application/x-${type}`, 'cache-control': 'no-cache' });
