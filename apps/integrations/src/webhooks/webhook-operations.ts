import { type Caller, type GroupRef, type Page, type ProjectRef, present } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { Facts } from '../events/facts';
import { type HookOwner, Hooks } from '../hook/hook.repository';
import type { Hook } from '../hook/hook.schema';
import { HookViews } from '../hook/hook.view';
import { triggerOf } from '../hook/hook-deliveries';
import { HookHistory } from '../hook/hook-history';
import { type GivenHook, WriteHook } from '../hook/write-hook';
import { sampleOf } from './sample';

/** The owner of the hooks. */
export interface HookContext {
  caller: Caller;
  project?: ProjectRef | undefined;
  group?: GroupRef | undefined;
}

type Switches = Readonly<Record<string, boolean>>;
type Paged = { page: number; per_page: number };
type Given = GivenHook & Partial<Record<string, unknown>>;
type One = { hook_id: number };

/** Dependencies of operations on hooks. */
@Injectable()
export class WebhookTools {
  constructor(
    readonly hooks: Hooks,
    readonly views: HookViews,
    readonly writeHook: WriteHook,
    readonly history: HookHistory,
    readonly facts: Facts,
  ) {}
}

/** Operations that hooks of projects and of groups share. @typeParam H the view of a hook */
export abstract class WebhookOperations<H> {
  constructor(
    private readonly tools: WebhookTools,
    /** With their defaults. */
    private readonly switches: Switches,
  ) {}

  async list(context: HookContext, input: Paged): Promise<Page<H>> {
    const { items, ...rest } = await this.tools.hooks.page(ownerOf(context), input);
    return { ...rest, items: await this.view(items) };
  }

  async get(context: HookContext, { hook_id }: One): Promise<H> {
    return this.viewOne(await this.tools.hooks.get(ownerOf(context), hook_id));
  }

  async create(context: HookContext, input: Given & { url: string }): Promise<H> {
    const switches = { ...this.switches, ...this.given(input) };
    return this.viewOne(await this.tools.writeHook.create(ownerOf(context), input, switches));
  }

  async update(context: HookContext, input: Given & One): Promise<H> {
    return this.viewOne(await this.tools.writeHook.change(ownerOf(context), input.hook_id, input, this.given(input)));
  }

  async delete(context: HookContext, { hook_id }: One): Promise<void> {
    await this.tools.writeHook.remove(ownerOf(context), hook_id);
  }

  async test(context: HookContext, { hook_id, trigger }: One & { trigger: string }): Promise<{ message: string }> {
    const { _id } = await this.tools.hooks.get(ownerOf(context), hook_id);
    const user = await this.tools.facts.user(context.caller.id);
    await this.tools.history.test(_id, triggerOf(trigger), sampleOf(trigger, this.tools.facts, { ...context, user }));
    return { message: '201 Created' };
  }

  async listEvents(context: HookContext, input: One & Paged & { status?: string | undefined }) {
    const { _id } = await this.tools.hooks.get(ownerOf(context), input.hook_id);
    return this.tools.history.page(_id, input);
  }

  async getEvent(context: HookContext, { hook_id, hook_event_id }: One & { hook_event_id: number }) {
    const { _id } = await this.tools.hooks.get(ownerOf(context), hook_id);
    return this.tools.history.get(_id, hook_event_id);
  }

  async resend(context: HookContext, { hook_id, hook_event_id }: One & { hook_event_id: number }) {
    const { _id } = await this.tools.hooks.get(ownerOf(context), hook_id);
    return { response_status: await this.tools.history.resend(_id, hook_event_id) };
  }

  private given(input: Partial<Record<string, unknown>>): Record<string, boolean | undefined> {
    return Object.fromEntries(
      Object.keys(this.switches).flatMap((name) => (typeof input[name] === 'boolean' ? [[name, input[name]]] : [])),
    );
  }

  private async viewOne(hook: Hook): Promise<H> {
    const [shown] = await this.view([hook]);
    return present(shown, 'a hook');
  }

  private async view(hooks: readonly Hook[]): Promise<H[]> {
    const facts = await this.tools.views.views(hooks);
    return hooks.map((hook) => {
      const on = Object.keys(this.switches).map((name) => [name, hook.switches[name] ?? false]);
      const context = { [`${hook.kind}_id`]: hook.parentId };
      // The contract has one field for each switch.
      return { ...facts.get(hook._id), ...context, ...Object.fromEntries(on) } as H;
    });
  }
}

function ownerOf({ project, group }: HookContext): HookOwner {
  if (project) return { kind: 'project', parentId: project.id };
  return { kind: 'group', parentId: present(group, 'a project or group').id };
}
