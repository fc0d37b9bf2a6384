import { keyChanged, signInRefused, userChanged, userCreated, userDeleted } from '@moothall/contracts';
import { type EventMapper, mapEvent, ofInstance, snapshotOf, timesOf } from './event-mapper';

/** Users and their keys, for system hooks. */
export const userMappers: readonly EventMapper[] = [
  mapEvent(userCreated, async (event, facts) => {
    const { user_id, username, name, email } = event.data;
    const payload = async () => ({
      event_name: 'user_create',
      ...timesOf(event),
      name: snapshotOf(name),
      username: snapshotOf(username),
      email: email ? snapshotOf(email) : ((await facts.user(user_id))?.email ?? null),
      user_id,
    });
    return [ofInstance(event, payload)];
  }),

  mapEvent(userChanged, async (event, facts) => {
    const { user_id, username, name, email, before } = event.data;
    // v4 hooks have no other events of users.
    if (before?.username === undefined) return [];
    const payload = async () => {
      const user = await facts.user(user_id);
      return {
        event_name: 'user_rename',
        ...timesOf(event),
        name: name ? snapshotOf(name) : (user?.name ?? null),
        username: snapshotOf(username),
        old_username: before.username,
        email: email ? snapshotOf(email) : (user?.email ?? null),
        user_id,
      };
    };
    return [ofInstance(event, payload)];
  }),

  mapEvent(userDeleted, async (event) => {
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

  mapEvent(signInRefused, async (event) => {
    const payload = async () => ({ event_name: 'user_failed_login', ...timesOf(event), ...event.data });
    return [ofInstance(event, payload)];
  }),

  mapEvent(keyChanged, async (event, facts) => {
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
