import {
  getNotificationSettings,
  type NotificationLevel,
  notificationEvents,
  type OutputOf,
  updateNotificationSettings,
} from '@moothall/contracts';
import { changesOf, type FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import type { SitePage } from '../../page/page';
import { Check, Choice, Form, Was } from '../../parts/form';
import { inAccount } from '../../parts/in-account';
import { Saved, savedAt } from '../../parts/saved';
import { confirmedAddresses } from './profile';

type Settings = OutputOf<typeof getNotificationSettings>;

const path = '/-/profile/notifications';

const levels: readonly { value: Exclude<NotificationLevel, 'global'>; label: string }[] = [
  { value: 'participating', label: 'Participating: what you take part in' },
  { value: 'watch', label: 'Watch: everything in your projects' },
  { value: 'mention', label: 'Mention: what mentions you' },
  { value: 'custom', label: 'Custom: what you take part in, and what you choose below' },
  { value: 'disabled', label: 'Disabled: no mails' },
];

/** When the signed-in user gets mails. */
export const notificationsPage: SitePage = {
  at: path,
  show: (visit, address) =>
    inAccount(visit, address, async () => {
      const [settings, addresses] = await Promise.all([
        visit.ask(getNotificationSettings, {}),
        confirmedAddresses(visit),
      ]);
      const values = settingsValues(settings);
      const known = [...new Set([settings.notification_email, ...addresses])];
      return {
        title: 'Notifications',
        body: (
          <>
            <Saved address={address} />
            <Form visit={visit} address={address} name="notifications">
              <Was values={values} />
              <Choice name="level" label="Level" value={values.level} options={levels} />
              <Choice
                name="notification_email"
                label="Mails go to"
                value={values.notification_email}
                options={known.map((value) => ({ value, label: value }))}
              />
              <fieldset>
                <legend>Mails of the level Custom</legend>
                {notificationEvents.map((event) => (
                  <Check key={event} name={event} label={wordsOf(event)} value={values[event] === 'true'} />
                ))}
              </fieldset>
              <button type="submit">Save</button>
            </Form>
          </>
        ),
      };
    }),
  forms: {
    notifications: async (visit, _address, sent) => {
      const current = settingsValues(await visit.ask(getNotificationSettings, {}));
      const changes = changesOf(sent, sentSettings(sent), current);
      await visit.submitChanges(updateNotificationSettings, {}, changes);
      return savedAt(path);
    },
  },
};

/** `New merge request`. */
const wordsOf = (event: string): string => {
  const words = event.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
};

const settingsValues = ({ level, notification_email, events = {} }: Settings): FieldValues => ({
  ...Object.fromEntries(notificationEvents.map((event) => [event, String(events[event] === true)])),
  level,
  notification_email,
});

const sentSettings = (sent: SentForm): FieldValues => ({
  ...Object.fromEntries(notificationEvents.map((event) => [event, sent.flag(event)])),
  level: sent.text('level'),
  notification_email: sent.text('notification_email'),
});
