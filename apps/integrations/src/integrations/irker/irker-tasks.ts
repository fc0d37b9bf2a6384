import { once } from 'node:events';
import { connect } from 'node:net';
import { present } from '@moothall/contracts';
import { OutboundPolicies, permittedAddresses } from '@moothall/outbound';
import { Injectable } from '@nestjs/common';
import type { CustomTask } from '../../delivery/delivery-handler';
import type { OpenedIntegration } from '../opened-integrations';
import type { DeliveryPart } from '../payload/delivery-part';
import { setting } from '../request/outgoing';
import { irkerLines } from './irker-lines';

const usualPort = 6659;

/** Messages for IRC, through a gateway that does not use HTTP. */
@Injectable()
export class IrkerTasks {
  constructor(private readonly policies: OutboundPolicies) {}

  taskFor({ settings }: OpenedIntegration, { payload }: DeliveryPart): CustomTask | null {
    const lines = irkerLines(payload, settings);
    if (lines === '') return null;
    const host = setting(settings, 'server_host') || 'localhost';
    const port = Number(settings.server_port ?? usualPort);
    const target = `irker://${host}:${port}`;
    return { target, shownUrl: target, run: (signal) => this.send(host, port, lines, signal) };
  }

  /** The gateway sends no answer: accepted bytes count as delivered. */
  private async send(host: string, port: number, lines: string, signal: AbortSignal): Promise<void> {
    const [first] = await permittedAddresses(await this.policies.ofServices(), host, port);
    const socket = connect({ host: present(first, `an address of ${host}`).address, port, signal });
    try {
      await once(socket, 'connect', { signal });
      socket.end(lines);
      await once(socket, 'finish', { signal });
      socket.destroySoon();
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }
}
