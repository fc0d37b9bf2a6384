import { EventedCache } from '@moothall/access';
import {
  type ApplicationSettings,
  applicationSettingsChanged,
  commonErrors,
  type EventRecord,
  type FileLimit,
  type InstanceLimit,
  type PlanLimit,
  readApplicationSettings,
} from '@moothall/contracts';
import { KnownPlanLimits, OperationClient } from '@moothall/messaging';
import { Inject, Injectable } from '@nestjs/common';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';

/** Limits of files: from contracts, from settings of administrators, and never above MAX_UPLOAD. */
@Injectable()
export class FileLimits {
  private readonly instance = new EventedCache<ApplicationSettings>({ max: 1, seconds: 60 });

  constructor(
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
    private readonly operations: OperationClient,
    private readonly plans: KnownPlanLimits,
  ) {}

  async read({ bytes, tooLarge }: FileLimit): Promise<FileLimit<number>> {
    const limit = typeof bytes === 'number' ? bytes : await this.known(bytes);
    const { MAX_UPLOAD } = this.settings;
    return limit <= MAX_UPLOAD
      ? { bytes: limit, tooLarge }
      : { bytes: MAX_UPLOAD, tooLarge: () => commonErrors.tooLarge() };
  }

  private known(limit: InstanceLimit | PlanLimit): Promise<number> {
    return 'plan' in limit ? this.plans.most(limit.plan) : this.set(limit.setting);
  }

  private async set(name: InstanceLimit['setting']): Promise<number> {
    const ask = () => this.operations.call(readApplicationSettings, {});
    // If the setting is unknown, only the receiving service checks the limit, as it does in any case.
    const megabytes = await this.instance.get('', ask).then(
      (settings) => settings[name],
      () => 0,
    );
    return megabytes === 0 ? Number.POSITIVE_INFINITY : megabytes * 1024 ** 2;
  }

  onEvent(event: EventRecord): void {
    if (event.name === applicationSettingsChanged.name) this.forgetAll();
  }

  forgetAll(): void {
    this.instance.clear();
  }
}
