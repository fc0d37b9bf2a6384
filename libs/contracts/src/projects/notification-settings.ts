import { z } from 'zod';
import {
  get,
  ofGroups,
  ofProjects,
  operation,
  type Parent,
  type ParentRule,
  put,
  signedIn,
  someChangeOf,
} from '../operation';

/** In the order of the numbers in project answers. */
export const notificationLevels = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const;
export type NotificationLevel = (typeof notificationLevels)[number];

export const notificationEvents = [
  'new_release',
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'change_reviewer_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
  'moved_project',
  'merge_when_pipeline_succeeds',
  'new_epic',
] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/** See docs/api/members.md#5. */
const Settings = z.object({
  level: z.enum(notificationLevels),
  events: z.record(z.string(), z.boolean()).optional().describe('Of the level `custom`'),
});
export type NotificationSettings = z.infer<typeof Settings>;
const OwnSettings = Settings.extend({ notification_email: z.string() });

const events = Object.fromEntries(
  notificationEvents.map((name) => [
    name,
    z
      .boolean()
      .optional()
      .describe(`Whether to get mails about ${name.replaceAll('_', ' ')}, at the level custom`),
  ]),
) as Record<NotificationEvent, z.ZodOptional<z.ZodBoolean>>;

export const getNotificationSettings = operation({
  name: 'projects.notification-settings.get',
  summary: 'Global notification settings of the caller',
  http: get('/notification_settings'),
  access: signedIn(),
  input: z.object({}),
  output: OwnSettings,
});

export const updateNotificationSettings = operation({
  name: 'projects.notification-settings.update',
  summary: 'Change the global notification settings of the caller',
  refusals: ['common.invalid_record for an address that is not a confirmed one of the caller'],
  http: put('/notification_settings'),
  access: signedIn(),
  input: z
    .object({
      level: z.enum(notificationLevels).exclude(['global']).optional().describe('Notification level'),
      notification_email: z.string().max(255).optional().describe('A confirmed address of the caller'),
      ...events,
    })
    .refine(...someChangeOf('level', 'notification_email', ...notificationEvents)),
  output: OwnSettings,
});

function settingsOf<R extends ParentRule>({ kind, path, ref, on }: Parent<R>) {
  return {
    get: operation({
      name: `projects.${kind}-notification-settings.get`,
      summary: `Notification settings of the caller in a ${kind}`,
      http: get(`${path}/notification_settings`),
      access: on(),
      input: z.object(ref),
      output: Settings,
    }),
    update: operation({
      name: `projects.${kind}-notification-settings.update`,
      summary: `Change the notification settings of the caller in a ${kind}`,
      description: 'At the level `global` it is as the caller has it for everything.',
      http: put(`${path}/notification_settings`),
      access: on(),
      input: z
        .object({ ...ref, level: z.enum(notificationLevels).optional().describe('Notification level'), ...events })
        .refine(...someChangeOf('level', ...notificationEvents)),
      output: Settings,
    }),
  };
}

export const { get: getProjectNotificationSettings, update: updateProjectNotificationSettings } =
  settingsOf(ofProjects);
export const { get: getGroupNotificationSettings, update: updateGroupNotificationSettings } = settingsOf(ofGroups);
