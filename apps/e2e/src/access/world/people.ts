import { connection, newUser } from '../../server/connection';
import { asRoot } from './send';

type User = Awaited<ReturnType<typeof newUser>>;

export interface People {
  /** Undefined for the anonymous role. */
  tokens: { [role: string]: string | undefined };
  /** By role. */
  ids: { [role: string]: string };
  owner: User;
  developer: User;
  /** A member of each project and group, in addition to the roles. */
  bystander: User;
  self: User;
  foreign: User;
  /** Adds users with a level to a project or group, up to maintainers. */
  addMembers(place: string): Promise<void>;
}

const levels = { guest: 10, reporter: 20, developer: 30, maintainer: 40 };

/** Users in every role. */
export async function makePeople(): Promise<People> {
  const [external, outsider, self] = [await newUser(), await newUser(), await newUser()];
  const bystander = await newUser();
  const [blocked, foreign, owner] = [await newUser(), await newUser(), await newUser()];
  const members = { guest: await newUser(), reporter: await newUser(), developer: await newUser() };
  const maintainer = await newUser();
  await asRoot('PUT', `/users/${external.id}`, { external: true });
  await asRoot('POST', `/users/${blocked.id}/block`);
  const all = { ...members, maintainer };
  const addMembers = async (place: string) => {
    for (const [role, access_level] of Object.entries(levels))
      await asRoot('POST', `${place}/members`, { user_id: all[role as keyof typeof all].id, access_level });
  };
  const users = { external, outsider, self, blocked, foreign, owner, ...all };
  // Exports of vulnerabilities are behind a feature flag; exports.e2e.ts tests them switched off.
  const trial = '/features/first_class_vulnerabilities';
  for (const user of [...Object.values(users), connection])
    await asRoot('POST', trial, { value: true, user: user.username });
  const tokens = Object.fromEntries(Object.entries(users).map(([role, { token }]) => [role, token]));
  return {
    ids: Object.fromEntries(Object.entries(users).map(([role, { id }]) => [role, String(id)])),
    tokens: { ...tokens, anonymous: undefined, administrator: connection.token },
    ...{ owner, self, foreign, addMembers, developer: all.developer, bystander },
  };
}
