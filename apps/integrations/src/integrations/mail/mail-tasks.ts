import { compareRefs, isPassing, OperationError, type ProjectRef } from '@moothall/contracts';
import { Mailer } from '@moothall/mail';
import { OperationClient } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { CustomTask } from '../../delivery/delivery-handler';
import type { OpenedIntegration } from '../opened-integrations';
import type { DeliveryPart } from '../payload/delivery-part';
import { isGone, isNewRef, type PushPayload } from '../payload/payload';
import type { Settings } from '../request/outgoing';
import { pipelineMail } from './pipeline-mail';
import { type FileChange, pushMail, type Words } from './push-mail';
import { isOwnAddress } from './recipients';

/** Mails of pushes and pipelines, each to one recipient, so that recipients do not see each other. */
@Injectable()
export class MailTasks {
  private readonly host: string;

  constructor(
    private readonly mailer: Mailer,
    private readonly client: OperationClient,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    this.host = new URL(settings.EXTERNAL_URL).hostname;
  }

  taskFor(
    { settings }: OpenedIntegration,
    project: ProjectRef,
    { payload, part: recipient }: DeliveryPart,
  ): CustomTask | null {
    if (!recipient) return null;
    if (payload.object_kind === 'pipeline') return this.mailTo(recipient, async () => pipelineMail(payload));
    if (payload.object_kind !== 'push' && payload.object_kind !== 'tag_push') return null;
    const compose = async () => pushMail(payload, await this.changes(payload, project, settings));
    return this.mailTo(recipient, compose, this.senderOf(payload, settings));
  }

  private mailTo(to: string, compose: () => Promise<Words>, from?: { name: string; address: string }): CustomTask {
    return {
      target: 'smtp',
      shownUrl: `mailto:${to}`,
      run: async () => this.mailer.send({ to, ...(from && { from }), ...(await compose()) }),
    };
  }

  private senderOf({ user_name: name, user_email: address }: PushPayload, settings: Settings) {
    if (settings.send_from_committer_email !== true || !name || !address) return undefined;
    return isOwnAddress(address, this.host) ? { name, address } : undefined;
  }

  /** The changes of a push; none for a new branch, which would be everything. */
  private async changes(
    payload: PushPayload,
    project: ProjectRef,
    settings: Settings,
  ): Promise<readonly FileChange[] | undefined> {
    if (settings.disable_diffs === true || payload.object_kind === 'tag_push') return undefined;
    if (isGone(payload) || isNewRef(payload)) return undefined;
    try {
      const range = { id: String(project.id), from: payload.before, to: payload.after };
      return (await this.client.call(compareRefs, range, { project })).diffs;
    } catch (error) {
      // The commits no longer exist, as after a force push: the mail has no changes.
      if (error instanceof OperationError && !isPassing(error)) return undefined;
      throw error;
    }
  }
}
