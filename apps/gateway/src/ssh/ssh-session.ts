import { randomUUID } from 'node:crypto';
import { gitExchange, OperationError } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable, Logger } from '@nestjs/common';
import type { ServerChannel, Session } from 'ssh2';
import { CreateOnPush, noticeOf } from '../git-access/create-on-push';
import { explainRefusal } from '../git-access/explain-refusal';
import { GitAccess, type GitTarget, kindOf, nameOf } from '../git-access/git-access';
import type { KeyOwner } from '../git-access/key-owners';
import { lfsRefusal } from '../lfs/lfs-answers';
import { LfsCredentials } from '../lfs/lfs-credentials';
import { RequestGate } from '../reset/request-gate';
import { Copies } from '../secondary/copies';
import { Primary } from '../secondary/primary';
import { pipeSession } from './pipe-session';
import { isArchiveCommand, parseLfsCommand, parseSshCommand } from './ssh-command';

const failed = 1;
const noArchives = 'git archive --remote is not served here. GET /api/v4/projects/:id/repository/archive has archives.';

/** The owner of the key, and the IP address. */
type Client = KeyOwner & { ip: string };

/** Commands of an SSH connection: those of git and git-lfs only. */
@Injectable()
export class SshSessions {
  private readonly log = new Logger('ssh');
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly operations: OperationClient,
    private readonly access: GitAccess,
    private readonly creation: CreateOnPush,
    private readonly lfs: LfsCredentials,
    private readonly copies: Copies,
    private readonly primary: Primary,
    private readonly gate: RequestGate,
  ) {}

  serve(session: Session, holder: KeyOwner, ip: string): void {
    let protocol: string | undefined;
    session.on('env', (accept, _reject, { key, val }) => {
      if (key === 'GIT_PROTOCOL') protocol = val.slice(0, 100);
      accept?.();
    });
    session.on('pty', (accept) => accept?.());
    session.on('shell', (accept) => greet(open(accept), holder));
    session.on('exec', (accept, _reject, { command }) => {
      const channel = open(accept);
      const exec = () => this.exec(channel, command, { ...holder, ip }, protocol);
      const work = this.gate.pass(exec).finally(() => this.running.delete(work));
      this.running.add(work);
    });
  }

  /** Resolves when all running commands have ended. */
  async drained(): Promise<void> {
    await Promise.all(this.running);
  }

  private async exec(channel: ServerChannel, command: string, holder: Client, protocol?: string): Promise<void> {
    try {
      const forLfs = parseLfsCommand(command);
      if (forLfs && this.primary.isFollowed) return refuse(channel, this.primary.whereTo(nameOf(forLfs)));
      if (forLfs) return await this.handOut(channel, forLfs, holder);
      const asked = parseSshCommand(command);
      if (!asked) return refuse(channel, isArchiveCommand(command) ? noArchives : 'Only git can be used here.');
      const url = await this.presigned(asked, holder, protocol);
      if (url === undefined) return refuse(channel, this.primary.whereTo(nameOf(asked)));
      end(channel, await pipeSession(channel, url));
    } catch (error) {
      if (!(error instanceof OperationError)) this.log.error(error instanceof Error ? error.stack : error);
      refuse(channel, lfsRefusal(error) ?? explainRefusal(error));
    }
  }

  /** The credential with which git-lfs continues over HTTP. */
  private async handOut(channel: ServerChannel, asked: GitTarget, holder: KeyOwner): Promise<void> {
    const project = await this.access.requireForHolder(asked, holder);
    channel.write(`${JSON.stringify(this.lfs.handOut(asked, project, holder))}\n`);
    end(channel, 0);
  }

  /** @returns undefined if this site sends it to its primary: pushes, and repositories without a copy */
  private async presigned(asked: GitTarget, holder: Client, protocol?: string): Promise<string | undefined> {
    if (this.primary.isFollowed && asked.service === 'git-receive-pack') return undefined;
    const requestId = randomUUID();
    const { project, created } = await this.find(asked, holder, requestId);
    const located = this.primary.isFollowed ? await this.copies.find(project, kindOf(asked)) : project;
    if (!located) return undefined;
    const { service, repository } = asked;
    const presigned = await this.operations.call(
      gitExchange,
      {
        service,
        phase: 'session',
        repository,
        ...(protocol && { protocol }),
        ...(holder.deployKey && { deploy_key_id: holder.deployKey.id }),
        ...(created && { notice: noticeOf(created, created.ssh_url_to_repo) }),
      },
      { requestId, caller: holder.caller, client: { ip: holder.ip, userAgent: '' }, project: located },
    );
    return presigned.url;
  }

  /** A push creates a project if there is none. */
  private find(asked: GitTarget, holder: Client, requestId: string): ReturnType<CreateOnPush['begin']> {
    if (asked.service === 'git-receive-pack' && holder.caller)
      return this.creation.begin(asked, { caller: holder.caller, requestId });
    return this.access.requireForHolder(asked, holder).then((project) => ({ project }));
  }
}

/** A client that disconnects gets nothing, and unsent bytes are not an error. */
function open(accept: () => ServerChannel): ServerChannel {
  const channel = accept();
  channel.on('error', () => undefined);
  channel.stderr.on('error', () => undefined);
  return channel;
}

function greet(channel: ServerChannel, { caller }: KeyOwner): void {
  channel.write(`Welcome to Moothall${caller ? `, @${caller.username}` : ''}! There is no shell here.\r\n`);
  end(channel, failed);
}

function refuse(channel: ServerChannel, words: string): void {
  channel.stderr.write(`ERROR: ${words}\n`);
  end(channel, failed);
}

function end(channel: ServerChannel, exitCode: number): void {
  if (channel.destroyed) return;
  channel.exit(exitCode);
  channel.end();
}
