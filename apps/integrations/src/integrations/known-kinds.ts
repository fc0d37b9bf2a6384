import { type IntegrationKind, integrationErrors, integrationKind } from '@moothall/contracts';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';

/** The kinds of integrations in this edition. */
@Injectable()
export class KnownKinds {
  private readonly hasTiers: boolean;

  constructor(@Inject(settingsToken) settings: ServiceSettings) {
    this.hasTiers = settings.EDITION === 'enterprise';
  }

  find(slug: string): IntegrationKind | undefined {
    const kind = integrationKind(slug);
    return kind?.tier === undefined || this.hasTiers ? kind : undefined;
  }

  /** @throws integration.not_found */
  get(slug: string): IntegrationKind {
    const kind = this.find(slug);
    if (!kind) throw integrationErrors.notFound();
    return kind;
  }
}
