import { hookErrors } from '@moothall/contracts';
import { mayReach, OutboundPolicies } from '@moothall/outbound';
import { SecretBox } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { Deliveries } from '../delivery/deliveries';
import { requireFilter } from './branch-filter';
import { type HookOwner, Hooks } from './hook.repository';
import type { Hook, Sealed } from './hook.schema';
import { queueOf } from './hook-delivery-handler';
import { isMoved, maskedUrl, parseHookUrl, unmaskedUrl, withVariables } from './hook-url';

interface Pair {
  key: string;
  value: string;
}

/** Input for a hook of any kind. */
export interface GivenHook {
  url?: string | undefined;
  token?: string | undefined;
  signing_token?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  enable_ssl_verification?: boolean | undefined;
  custom_headers?: Pair[] | undefined;
  url_variables?: Pair[] | undefined;
  push_events_branch_filter?: string | undefined;
  branch_filter_strategy?: Hook['branchFilterStrategy'] | undefined;
}

/** The given switches, by name. */
export type GivenSwitches = Readonly<Record<string, boolean | undefined>>;

const most: Record<Hook['kind'], number> = { system: 10_000, project: 1_000, group: 1_000 };

/** Creates and updates hooks of all kinds. */
@Injectable()
export class WriteHook {
  constructor(
    private readonly hooks: Hooks,
    private readonly policies: OutboundPolicies,
    private readonly deliveries: Deliveries,
    private readonly box: SecretBox,
  ) {}

  /** @throws hook.scheme_blocked, hook.address_blocked, hook.masked_credentials, hook.too_many, common.invalid_record */
  async create(owner: HookOwner, given: GivenHook & { url: string }, switches: GivenSwitches): Promise<Hook> {
    const filter = filterOf(given, { branchFilter: null, branchFilterStrategy: 'wildcard' });
    requireFilter(filter);
    const url = unmaskedUrl(given.url);
    await this.requirePermitted(owner, url, given.url_variables ?? []);
    if ((await this.hooks.count(owner)) >= most[owner.kind]) throw hookErrors.tooMany();
    return this.hooks.add({
      kind: owner.kind,
      parentId: owner.parentId,
      name: given.name ?? null,
      description: given.description ?? null,
      sealedUrl: this.box.seal(url),
      shownUrl: maskedUrl(url),
      ...withoutSecrets,
      verifiesTls: given.enable_ssl_verification ?? true,
      switches: givenOf(switches),
      ...filter,
      ...this.sealed(given),
    });
  }

  /** @throws hook.not_found, hook.scheme_blocked, hook.address_blocked, hook.masked_credentials, common.invalid_record */
  async change(owner: HookOwner, id: number, given: GivenHook, switches: GivenSwitches): Promise<Hook> {
    const hook = await this.hooks.get(owner, id);
    const kept = this.box.open(hook.sealedUrl);
    const url = given.url === undefined ? kept : unmaskedUrl(given.url, kept);
    const variables = this.opened(hook.urlVariables);
    const moved = isMoved(filledIn(kept, variables), filledIn(url, given.url_variables ?? variables));
    if (given.url !== undefined || given.url_variables)
      await this.requirePermitted(owner, url, given.url_variables ?? (moved ? [] : variables));
    const { push_events_branch_filter: filter, branch_filter_strategy: strategy } = given;
    requireFilter(filterOf(given, hook));
    const changes = {
      ...(given.name !== undefined && { name: given.name || null }),
      ...(given.description !== undefined && { description: given.description || null }),
      ...(given.url !== undefined && { sealedUrl: this.box.seal(url), shownUrl: maskedUrl(url) }),
      ...(given.enable_ssl_verification !== undefined && { verifiesTls: given.enable_ssl_verification }),
      ...(filter !== undefined && { branchFilter: filter || null }),
      ...(strategy && { branchFilterStrategy: strategy }),
      ...(moved && withoutSecrets),
      ...this.sealed(given),
    };
    const changed = await this.hooks.change(owner, id, changes, givenOf(switches));
    await this.deliveries.mend(queueOf(id));
    return changed;
  }

  /** Deletes its deliveries first: after the hook is deleted, nothing would delete the rest. @throws hook.not_found */
  async remove(owner: HookOwner, id: number): Promise<void> {
    await this.hooks.get(owner, id);
    await this.deliveries.forget(queueOf(id));
    await this.hooks.remove(id);
  }

  private sealed({ token, signing_token, custom_headers, url_variables }: GivenHook): Partial<Hook> {
    const seal = (text: string) => (text === '' ? null : this.box.seal(text));
    const sealAll = (all: readonly Pair[]): Sealed[] =>
      all.map(({ key, value }) => ({ key, sealedValue: this.box.seal(value) }));
    return {
      ...(token !== undefined && { sealedToken: seal(token) }),
      ...(signing_token !== undefined && { sealedSigningToken: seal(signing_token) }),
      ...(custom_headers && { customHeaders: sealAll(custom_headers) }),
      ...(url_variables && { urlVariables: sealAll(url_variables) }),
    };
  }

  private opened(sealed: readonly Sealed[]): Pair[] {
    return sealed.map(({ key, sealedValue }) => ({ key, value: this.box.open(sealedValue) }));
  }

  /** An early error. The outbound rules are checked again when a connection is made. */
  private async requirePermitted({ kind }: HookOwner, template: string, variables: readonly Pair[]): Promise<void> {
    const url = parseHookUrl(filledIn(template, variables));
    const policy = kind === 'system' ? await this.policies.ofSystemHooks() : await this.policies.ofServices();
    if (!(await mayReach(policy, url))) throw hookErrors.addressBlocked();
  }
}

const withoutSecrets = { urlVariables: [], customHeaders: [], sealedToken: null, sealedSigningToken: null };

const filledIn = (template: string, variables: readonly Pair[]): string =>
  withVariables(template, new Map(variables.map(({ key, value }) => [key, value])));

const givenOf = (switches: GivenSwitches): Hook['switches'] =>
  Object.fromEntries(Object.entries(switches).filter((one): one is [string, boolean] => one[1] !== undefined));

function filterOf(given: GivenHook, before: Pick<Hook, 'branchFilter' | 'branchFilterStrategy'>) {
  const { push_events_branch_filter: filter, branch_filter_strategy: strategy } = given;
  return {
    branchFilter: filter === undefined ? before.branchFilter : filter || null,
    branchFilterStrategy: strategy ?? before.branchFilterStrategy,
  };
}
