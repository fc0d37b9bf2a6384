import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Caller, type ContextOf, gitExchange, type ParsedOf, type ProjectRef } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles } from '@moothall/messaging';
import { Controller, type OnModuleInit } from '@nestjs/common';
import { requireWritable } from '../repository/code-writer';
import { PushEvents } from '../repository/push-events';
import { type Located, Storages } from '../storage/storages';

interface ExchangeTicket {
  project: Pick<ProjectRef, 'id' | 'storage'>;
  caller?: Caller;
  service: 'git-upload-pack' | 'git-receive-pack';
  phase: 'advertise' | 'rpc';
  kind: 'code' | 'wiki';
  protocol?: string;
}

/** git over HTTP: the gateway has let the caller in and pipes the bytes here. */
@Controller()
export class GitExchangeOperations implements OnModuleInit {
  constructor(
    private readonly storages: Storages,
    private readonly events: PushEvents,
    private readonly dataPort: DataPort,
  ) {}

  onModuleInit(): void {
    this.dataPort.serve<ExchangeTicket>('git', (ticket, request, response) => this.exchange(ticket, request, response));
  }

  @Handles(gitExchange)
  async ticket({ project, caller }: ContextOf<typeof gitExchange>, input: ParsedOf<typeof gitExchange>) {
    if (input.service === 'git-receive-pack') requireWritable(project!);
    const { id, storage } = project!;
    return this.dataPort.ticket('git', {
      project: { id, storage },
      caller,
      service: input.service,
      phase: input.phase,
      kind: input.repository === 'wiki' ? 'wiki' : 'code',
      protocol: input.protocol,
    } satisfies ExchangeTicket);
  }

  private async exchange(ticket: ExchangeTicket, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const located = this.storages.locate(ticket.project, ticket.kind);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const common = { repository: located.path, protocol: ticket.protocol, signal: gone.signal };
    if (ticket.phase === 'advertise') {
      await send(
        response,
        `${ticket.service}-advertisement`,
        await located.engine.transport.advertise(ticket.service, common),
      );
      return;
    }
    const incoming = { ...common, input: request, isGzipped: request.headers['content-encoding'] === 'gzip' };
    if (ticket.service === 'git-upload-pack') {
      await send(response, 'git-upload-pack-result', await located.engine.transport.uploadPack(incoming));
    } else {
      await this.receive(ticket, located, incoming, response);
    }
  }

  /** The push is told to the others before git hears that it is done, so that whoever reads next reads the new state. */
  private async receive(
    ticket: ExchangeTicket,
    located: Located,
    incoming: Parameters<Located['engine']['transport']['receivePack']>[0],
    response: ServerResponse,
  ): Promise<void> {
    const push = await located.engine.transport.receivePack(incoming);
    const announced = push.updates.then((updates) =>
      ticket.kind === 'code' ? this.events.announce(located, ticket.project, ticket.caller, updates) : undefined,
    );
    response.writeHead(200, contentType('git-receive-pack-result'));
    await pipeline(push.output, response, { end: false });
    await announced;
    response.end();
  }
}

async function send(response: ServerResponse, type: string, body: Readable): Promise<void> {
  response.writeHead(200, contentType(type));
  await pipeline(body, response);
}

const contentType = (type: string) => ({ 'content-type': `application/x-${type}`, 'cache-control': 'no-cache' });
