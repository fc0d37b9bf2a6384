import { keyChanged, signInRefused, userChanged, userCreated, userDeleted } from '@moothall/contracts';
import { asItWas, ofInstance, type Teller, tells, timesOf } from './teller';

/** What hooks of the instance are told of users and their keys. */
export const userTellers: readonly Teller[] = [
  tells(userCreated, async (event, facts) => {
    const { user_id, username, name, email } = event.data;
    const payload = async () => ({
      event_name: 'user_create',
      ...timesOf(event),
      name: asItWas(name),
      username: asItWas(username),
      email: email ? asItWas(email) : ((await facts.user(user_id))?.email ?? null),
      user_id,
    });
    return [ofInstance(event, payload)];
  }),

  tells(userChanged, async (event, facts) => {
    const { user_id, username, name, email, before } = event.data;
    // v4 hooks know no other changes of users.
    if (before?.username === undefined) return [];
    const payload = async () => {
      const user = await facts.user(user_id);
      return {
        event_name: 'user_rename',
        ...timesOf(event),
        name: name ? asItWas(name) : (user?.name ?? null),
        username: asItWas(username),
        old_username: before.username,
        email: email ? asItWas(email) : (user?.email ?? null),
        user_id,
      };
    };
    return [ofInstance(event, payload)];
  }),

  tells(userDeleted, async (event) => {
    const { user_id, username, name, email } = event.data;
    const payload = async () => ({
      event_name: 'user_destroy',
      ...timesOf(event),
      name: name ?? username,
      username,
      email: email ?? null,
      user_id,
    });
    return [ofInstance(event, payload)];
  }),

  tells(signInRefused, async (event) => {
    const payload = async () => ({ event_name: 'user_failed_login', ...timesOf(event), ...event.data });
    return [ofInstance(event, payload)];
  }),

  tells(keyChanged, async (event, facts) => {
    const { action, key_id, key, user_id } = event.data;
    const payload = async () => ({
      event_name: `key_${action}`,
      ...timesOf(event),
      username: (await facts.user(user_id))?.username ?? null,
      key,
      id: key_id,
    });
    return [ofInstance(event, payload)];
  }),
];
