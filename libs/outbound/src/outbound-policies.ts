import { KnownSettings } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { OutboundPolicy } from './policy';

/** The policies of the current application settings. */
@Injectable()
export class OutboundPolicies {
  constructor(private readonly settings: KnownSettings) {}

  /** For hooks of projects, integrations, mirrors and imports. */
  async ofServices(): Promise<OutboundPolicy> {
    const settings = await this.settings.read();
    return {
      allowsLocal: settings.allow_local_requests_from_web_hooks_and_services,
      allowed: settings.outbound_local_requests_whitelist,
    };
  }

  /** For hooks of the instance, which only administrators create. */
  async ofSystemHooks(): Promise<OutboundPolicy> {
    const settings = await this.settings.read();
    return {
      allowsLocal: settings.allow_local_requests_from_system_hooks,
      allowed: settings.outbound_local_requests_whitelist,
    };
  }
}
