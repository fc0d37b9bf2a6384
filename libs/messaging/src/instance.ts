import {
  type ApplicationSettings,
  appearanceChanged,
  applicationSettingsChanged,
  defaultApplicationSettings,
  defaultPlanLimits,
  type HeldPlanLimit,
  type PlanLimits,
  planLimitsChanged,
  readAppearance,
  readApplicationSettings,
  readPlanLimits,
  type ShownAppearance,
} from '@moothall/contracts';
import { Logger } from '@nestjs/common';
import type { NatsConnection } from 'nats';
import { CachedAnswer } from './cached-answer';
import type { OperationClient } from './operation-client';

/** The settings of the instance, in every service, a moment after a change. */
export class KnownSettings {
  private readonly answer: CachedAnswer<ApplicationSettings>;

  constructor(client: OperationClient, connection: NatsConnection) {
    const ask = () => client.call(readApplicationSettings, {});
    this.answer = new CachedAnswer(connection, applicationSettingsChanged, ask);
  }

  /** @throws common.unavailable if they cannot be read: an operation that they may forbid is then refused */
  read(): Promise<ApplicationSettings> {
    return this.answer.read();
  }

  /** The last known settings, for uses that must not wait and tolerate old values. */
  get latest(): ApplicationSettings {
    return this.answer.latest ?? defaultApplicationSettings;
  }

  onApplicationShutdown(): void {
    this.answer.close();
  }
}

/** How the instance presents itself on pages. */
export class KnownAppearance {
  private readonly log = new Logger(KnownAppearance.name);
  private readonly answer: CachedAnswer<ShownAppearance>;

  constructor(client: OperationClient, connection: NatsConnection) {
    this.answer = new CachedAnswer(connection, appearanceChanged, () => client.call(readAppearance, {}));
  }

  /** Undefined if it cannot be read: pages then use the default. */
  read(): Promise<ShownAppearance | undefined> {
    return this.answer.read().catch((error: unknown) => {
      this.log.warn(`no appearance: ${error}`);
      return undefined;
    });
  }

  onApplicationShutdown(): void {
    this.answer.close();
  }
}

/** The plan limits, in every service, a moment after a change. */
export class KnownPlanLimits {
  private readonly answer: CachedAnswer<PlanLimits>;

  constructor(client: OperationClient, connection: NatsConnection) {
    this.answer = new CachedAnswer(connection, planLimitsChanged, () => client.call(readPlanLimits, {}));
  }

  /** If they cannot be read, the last known limits or the defaults: nothing waits for a limit. */
  async read(): Promise<PlanLimits> {
    return this.answer.read().catch(() => this.answer.latest ?? defaultPlanLimits);
  }

  /** One of them; infinity if it is disabled. */
  async most(name: HeldPlanLimit): Promise<number> {
    return (await this.read())[name] || Number.POSITIVE_INFINITY;
  }

  onApplicationShutdown(): void {
    this.answer.close();
  }
}
