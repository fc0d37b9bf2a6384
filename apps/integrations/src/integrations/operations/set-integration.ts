import {
  type IntegrationKind,
  integrationErrors,
  integrationSwitches,
  type ParsedOf,
  readWebAddress,
  type setIntegration,
} from '@moothall/contracts';
import { mayReach, OutboundPolicies } from '@moothall/outbound';
import { SecretBox } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import type { UpdateQuery } from 'mongoose';
import { IntegrationRepository } from '../integration.repository';
import type { IntegrationDocument } from '../integration.schema';

type Given = ParsedOf<typeof setIntegration>;
type Value = string | number | boolean;

/** Creates or updates an integration of a project. See docs/api/integrations.md#3. */
@Injectable()
export class SetIntegration {
  constructor(
    private readonly integrations: IntegrationRepository,
    private readonly policies: OutboundPolicies,
    private readonly box: SecretBox,
  ) {}

  /** @throws integration.setting_refused */
  async set(projectId: number, kind: IntegrationKind, given: Given): Promise<IntegrationDocument> {
    const settings = settingsOf(kind, given);
    await this.requireFit(kind, settings);
    return this.integrations.change(projectId, kind.slug, (current) => this.updateOf(kind, settings, given, current));
  }

  private async requireFit(kind: IntegrationKind, settings: Map<string, Value>): Promise<void> {
    const policy = await this.policies.ofServices();
    for (const [name, value] of settings) {
      const form = kind.fields[name]?.form;
      if ((form !== 'link' && form !== 'address') || value === '') continue;
      const url = readWebAddress(String(value));
      if (!url) throw refused(`${name} must be a valid URL`);
      // An early check; the outbound rules are checked again when a connection is made.
      if (form === 'address' && !(await mayReach(policy, url)))
        throw refused(`${name} is blocked: Requests to the local network are not allowed`);
    }
  }

  private updateOf(
    { fields }: IntegrationKind,
    settings: Map<string, Value>,
    given: Given,
    current: IntegrationDocument,
  ): UpdateQuery<IntegrationDocument> {
    const set: Record<string, unknown> = { isActive: given.active, updatedAt: new Date() };
    const unset: Record<string, ''> = {};
    for (const [name, value] of settings) {
      const at = `${fields[name]?.isSecret ? 'sealed' : 'settings'}.${name}`;
      if (value === '') unset[at] = '';
      else set[at] = fields[name]?.isSecret ? this.box.seal(String(value)) : value;
    }
    // Secrets for one server are not sent to another: a new URL needs them again.
    if ([...settings].some(([name, value]) => isMoved(fields[name]?.form, current.settings[name], value)))
      for (const name of Object.keys(current.sealed)) if (!settings.has(name)) unset[`sealed.${name}`] = '';
    for (const name of integrationSwitches) if (given[name] !== undefined) set[`switches.${name}`] = given[name];
    return { $set: set, ...(Object.keys(unset).length > 0 && { $unset: unset }) };
  }
}

/** The given settings of the kind; a blank value removes one. */
const settingsOf = ({ fields }: IntegrationKind, given: Given): Map<string, Value> =>
  new Map(
    Object.keys(fields).flatMap((name): [string, Value][] => {
      const value = (given as Record<string, Value | undefined>)[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const isMoved = (form: string | undefined, before: Value | undefined, after: Value): boolean =>
  form === 'address' && before !== undefined && before !== after;

const refused = (reason: string) => integrationErrors.settingRefused(`400 Bad request - ${reason}`);
