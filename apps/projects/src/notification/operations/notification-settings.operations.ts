import {
  type ContextOf,
  getGroupNotificationSettings,
  getNotificationSettings,
  getProjectNotificationSettings,
  invalidRecord,
  type NotificationLevel,
  type NotificationSettings as NotificationSettingsView,
  notificationEvents,
  type ParsedOf,
  updateGroupNotificationSettings,
  updateNotificationSettings,
  updateProjectNotificationSettings,
  usersByConfirmedEmail,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { groupKey, projectKey, type SourceKey } from '../../member/source';
import type { NotificationSettingDocument } from '../notification-setting.schema';
import { NotificationSettings } from '../notification-settings';

type Change = Omit<ParsedOf<typeof updateProjectNotificationSettings>, 'id'>;

/** Notification settings. See docs/api/members.md#5. */
@Controller()
export class NotificationSettingsOperations {
  constructor(
    private readonly settings: NotificationSettings,
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
  ) {}

  @Handles(getNotificationSettings)
  async own({ caller }: ContextOf<typeof getNotificationSettings>, _: ParsedOf<typeof getNotificationSettings>) {
    const setting = await this.settings.find(caller.id, 'everywhere');
    const { email } = await this.users.get(caller.id);
    return { ...view(setting, 'participating'), notification_email: setting?.email ?? email };
  }

  @Handles(updateNotificationSettings)
  async updateOwn(
    context: ContextOf<typeof updateNotificationSettings>,
    { level, notification_email: email, ...events }: ParsedOf<typeof updateNotificationSettings>,
  ) {
    const userId = context.caller.id;
    if (email !== undefined && !(await this.isOf(userId, email)))
      throw invalidRecord({ notification_email: ['must be an email you have verified'] });
    await this.settings.set(userId, 'everywhere', { level, email, events: eventsOf(events) });
    return this.own(context, {});
  }

  @Handles(getProjectNotificationSettings)
  async inProject(
    { project, caller }: ContextOf<typeof getProjectNotificationSettings>,
    _: ParsedOf<typeof getProjectNotificationSettings>,
  ) {
    return this.show(caller.id, projectKey(project.id));
  }

  @Handles(updateProjectNotificationSettings)
  async updateInProject(
    { project, caller }: ContextOf<typeof updateProjectNotificationSettings>,
    input: ParsedOf<typeof updateProjectNotificationSettings>,
  ) {
    return this.change(caller.id, projectKey(project.id), input);
  }

  @Handles(getGroupNotificationSettings)
  async inGroup(
    { group, caller }: ContextOf<typeof getGroupNotificationSettings>,
    _: ParsedOf<typeof getGroupNotificationSettings>,
  ) {
    return this.show(caller.id, groupKey(group.id));
  }

  @Handles(updateGroupNotificationSettings)
  async updateInGroup(
    { group, caller }: ContextOf<typeof updateGroupNotificationSettings>,
    input: ParsedOf<typeof updateGroupNotificationSettings>,
  ) {
    return this.change(caller.id, groupKey(group.id), input);
  }

  private async change(
    userId: number,
    place: SourceKey,
    { level, ...events }: Change,
  ): Promise<NotificationSettingsView> {
    await this.settings.set(userId, place, { level, events: eventsOf(events) });
    return this.show(userId, place);
  }

  private async show(userId: number, place: SourceKey): Promise<NotificationSettingsView> {
    return view(await this.settings.find(userId, place), 'global');
  }

  private async isOf(userId: number, email: string): Promise<boolean> {
    const found = await this.client.call(usersByConfirmedEmail, { emails: [email.toLowerCase()] });
    return found.some(({ user_id }) => user_id === userId);
  }
}

const eventsOf = (given: Omit<Change, 'level'>) =>
  Object.fromEntries(notificationEvents.map((name) => [name, given[name]]));

function view(setting: NotificationSettingDocument | null, usual: NotificationLevel): NotificationSettingsView {
  const level = setting?.level ?? usual;
  if (level !== 'custom') return { level };
  return {
    level,
    events: Object.fromEntries(notificationEvents.map((name) => [name, setting?.events?.[name] ?? false])),
  };
}
