import { type ApplicationSettings, readApplicationSettings } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { OutboundPolicy } from './policy';

/** How long the settings count as known; an administrator sees a change take effect within it. */
const keptMs = 5000;

/** What the application settings allow at the moment. */
@Injectable()
export class OutboundPolicies {
  private known?: { settings: Promise<ApplicationSettings>; until: number };

  constructor(private readonly client: OperationClient) {}

  /** For hooks of projects, integrations, mirrors and imports. */
  async ofServices(): Promise<OutboundPolicy> {
    const settings = await this.settings();
    return {
      allowsLocal: settings.allow_local_requests_from_web_hooks_and_services,
      allowed: settings.outbound_local_requests_whitelist,
    };
  }

  /** For system hooks, which administrators set up. */
  async ofSystemHooks(): Promise<OutboundPolicy> {
    const settings = await this.settings();
    return {
      allowsLocal: settings.allow_local_requests_from_system_hooks,
      allowed: settings.outbound_local_requests_whitelist,
    };
  }

  private settings(): Promise<ApplicationSettings> {
    if (!this.known || this.known.until < Date.now()) {
      const settings = this.client.call(readApplicationSettings, {});
      this.known = { settings, until: Date.now() + keptMs };
      // A failure is not kept: nothing leaves then, and the next request asks again.
      settings.catch(() => {
        this.known = undefined;
      });
    }
    return this.known.settings;
  }
}
