import {
  type ContextOf,
  getApplicationSettings,
  type ParsedOf,
  readApplicationSettings,
  updateApplicationSettings,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InstanceSettings } from './instance-settings';

@Controller()
export class ApplicationSettingsOperations {
  constructor(private readonly settings: InstanceSettings) {}

  @Handles(getApplicationSettings)
  async get(_: ContextOf<typeof getApplicationSettings>, __: ParsedOf<typeof getApplicationSettings>) {
    return this.settings.read();
  }

  @Handles(readApplicationSettings)
  async read(_: ContextOf<typeof readApplicationSettings>, __: ParsedOf<typeof readApplicationSettings>) {
    return this.settings.read();
  }

  @Handles(updateApplicationSettings)
  async update(_: ContextOf<typeof updateApplicationSettings>, input: ParsedOf<typeof updateApplicationSettings>) {
    return this.settings.set(input);
  }
}
