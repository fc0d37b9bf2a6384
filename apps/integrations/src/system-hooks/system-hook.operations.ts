import {
  type ContextOf,
  createSystemHook,
  deleteSystemHook,
  getSystemHook,
  getSystemHookEvent,
  hookErrors,
  isError,
  listSystemHookEvents,
  listSystemHooks,
  type ParsedOf,
  present,
  resendSystemHookEvent,
  type SystemHook,
  testSystemHook,
  updateSystemHook,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Hooks } from '../hook/hook.repository';
import type { Hook } from '../hook/hook.schema';
import { HookViews } from '../hook/hook.view';
import { triggerOf } from '../hook/hook-deliveries';
import { HookHistory } from '../hook/hook-history';
import { WriteHook } from '../hook/write-hook';
import { ofInstance } from './of-instance';

/** The payload of a test. See docs/api/hooks.md#5. */
const sample = {
  event_name: 'project_create' as const,
  name: 'Ruby',
  path: 'ruby',
  project_id: 1,
  owner_name: 'Someone',
  owner_email: 'example@example.com',
};

@Controller()
export class SystemHookOperations {
  constructor(
    private readonly hooks: Hooks,
    private readonly views: HookViews,
    private readonly writeHook: WriteHook,
    private readonly history: HookHistory,
  ) {}

  @Handles(listSystemHooks)
  async list(_: ContextOf<typeof listSystemHooks>, input: ParsedOf<typeof listSystemHooks>) {
    const { items, ...rest } = await this.hooks.page(ofInstance, input);
    return { ...rest, items: await this.view(items) };
  }

  @Handles(getSystemHook)
  async get(_: ContextOf<typeof getSystemHook>, { id }: ParsedOf<typeof getSystemHook>) {
    return this.viewOne(await this.hooks.get(ofInstance, id));
  }

  @Handles(createSystemHook)
  async create(_: ContextOf<typeof createSystemHook>, input: ParsedOf<typeof createSystemHook>) {
    const switches = { ...switchesOf(input), repository_update_events: input.repository_update_events ?? true };
    return this.viewOne(await this.writeHook.create(ofInstance, input, switches));
  }

  @Handles(updateSystemHook)
  async update(_: ContextOf<typeof updateSystemHook>, input: ParsedOf<typeof updateSystemHook>) {
    return this.viewOne(await this.writeHook.change(ofInstance, input.id, input, switchesOf(input)));
  }

  @Handles(deleteSystemHook)
  async remove(_: ContextOf<typeof deleteSystemHook>, { id }: ParsedOf<typeof deleteSystemHook>) {
    await this.writeHook.remove(ofInstance, id);
  }

  /** Answers with the record even if the delivery fails: v4 has no error for that. */
  @Handles(testSystemHook)
  async test(_: ContextOf<typeof testSystemHook>, { id }: ParsedOf<typeof testSystemHook>) {
    const hook = await this.hooks.get(ofInstance, id);
    try {
      await this.history.test(hook._id, triggerOf(null), sample);
    } catch (error) {
      if (!isError(error, hookErrors.notDelivered)) throw error;
    }
    return sample;
  }

  @Handles(listSystemHookEvents)
  async events(_: ContextOf<typeof listSystemHookEvents>, input: ParsedOf<typeof listSystemHookEvents>) {
    return this.history.page((await this.hooks.get(ofInstance, input.id))._id, input);
  }

  @Handles(getSystemHookEvent)
  async event(_: ContextOf<typeof getSystemHookEvent>, input: ParsedOf<typeof getSystemHookEvent>) {
    return this.history.get((await this.hooks.get(ofInstance, input.id))._id, input.hook_event_id);
  }

  @Handles(resendSystemHookEvent)
  async resend(_: ContextOf<typeof resendSystemHookEvent>, input: ParsedOf<typeof resendSystemHookEvent>) {
    const hook = await this.hooks.get(ofInstance, input.id);
    return { response_status: await this.history.resend(hook._id, input.hook_event_id) };
  }

  private async viewOne(hook: Hook): Promise<SystemHook> {
    const [shown] = await this.view([hook]);
    return present(shown, 'a hook');
  }

  private async view(hooks: readonly Hook[]): Promise<SystemHook[]> {
    const facts = await this.views.views(hooks);
    return hooks.map((hook) => ({ ...present(facts.get(hook._id), 'what hooks show'), ...shownSwitches(hook) }));
  }
}

function switchesOf(input: ParsedOf<typeof createSystemHook> | ParsedOf<typeof updateSystemHook>) {
  const { push_events, tag_push_events, merge_requests_events, repository_update_events } = input;
  return { push_events, tag_push_events, merge_requests_events, repository_update_events };
}

const shownSwitches = ({ switches }: Hook) => ({
  push_events: switches.push_events ?? false,
  tag_push_events: switches.tag_push_events ?? false,
  merge_requests_events: switches.merge_requests_events ?? false,
  repository_update_events: switches.repository_update_events ?? false,
});
