import type { IntegrationKind, ProjectRef } from '@moothall/contracts';
import { SecretBox } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { IntegrationRepository } from './integration.repository';
import type { IntegrationDocument } from './integration.schema';
import { KnownKinds } from './known-kinds';
import type { Settings } from './request/outgoing';
import { type Tracker, trackerOf } from './tracker/external-issues';

/** An integration with decrypted secrets. */
export interface OpenedIntegration {
  kind: IntegrationKind;
  document: IntegrationDocument;
  settings: Settings;
}

/** Decrypts the secrets of integrations when they are needed. */
@Injectable()
export class OpenedIntegrations {
  constructor(
    private readonly kinds: KnownKinds,
    private readonly integrations: IntegrationRepository,
    private readonly box: SecretBox,
  ) {}

  async active(projectId: number): Promise<OpenedIntegration[]> {
    return (await this.integrations.active(projectId)).flatMap((document) => this.open(document) ?? []);
  }

  /** @returns undefined if it is switched off or deleted */
  async find(id: number): Promise<OpenedIntegration | undefined> {
    const document = await this.integrations.findById(id);
    return document?.isActive ? this.open(document) : undefined;
  }

  /** The external issue tracker of a project; the last configured one of several. */
  trackerAmong(active: readonly OpenedIntegration[], project: ProjectRef): Tracker | undefined {
    const hasOwnIssues = project.features.issues !== 'disabled';
    const newestFirst = [...active].sort((a, b) => b.document.updatedAt.getTime() - a.document.updatedAt.getTime());
    for (const { kind, settings } of newestFirst) {
      const tracker = trackerOf(kind.slug, settings, hasOwnIssues);
      if (tracker) return tracker;
    }
    return undefined;
  }

  private open(document: IntegrationDocument): OpenedIntegration | undefined {
    const kind = this.kinds.find(document.slug);
    if (!kind) return undefined;
    const secrets = Object.entries(document.sealed).map(([name, sealed]) => [name, this.box.open(sealed)]);
    return { kind, document, settings: { ...document.settings, ...Object.fromEntries(secrets) } };
  }
}
