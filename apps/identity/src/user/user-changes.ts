import { invalidRecord, onlyGiven, type UserAttributes } from '@moothall/contracts';
import type { NewUser } from './new-user';
import { searchKeysOf } from './search-keys';
import { type Identity, mostIdentities, type Profile, type User } from './user.schema';

type Current = Pick<NewUser, 'profile' | 'identities'>;

/** Fields by parameter; absent parameters leave their field unchanged. */
export function changesOf(current: Current, given: UserAttributes): Partial<User> {
  return onlyGiven({
    isAdmin: given.admin,
    canCreateGroup: given.can_create_group,
    isExternal: given.external,
    // See docs/api/users.md#3: null is false.
    isPrivate: given.private_profile === null ? false : given.private_profile,
    projectsLimit: given.projects_limit ?? undefined,
    themeId: given.theme_id ?? undefined,
    colorSchemeId: given.color_scheme_id ?? undefined,
    sharedRunnersMinutesLimit: given.shared_runners_minutes_limit,
    extraSharedRunnersMinutesLimit: given.extra_shared_runners_minutes_limit,
    note: given.note,
    profile: { ...current.profile, ...profileOf(given) },
    identities: identitiesOf(current.identities, given),
  });
}

function profileOf(given: UserAttributes): Partial<Profile> {
  const plain = (text: string | null | undefined) => (text === null ? '' : text);
  return onlyGiven({
    bio: given.bio,
    location: given.location,
    // An empty text clears it, as in forms.
    publicEmail: given.public_email === '' ? null : given.public_email,
    skype: plain(given.skype),
    linkedin: plain(given.linkedin),
    twitter: plain(given.twitter),
    websiteUrl: plain(given.website_url),
    organization: given.organization,
    jobTitle: plain(given.job_title),
  });
}

/** A user has one identity per provider. @throws common.invalid_record for too many */
function identitiesOf(current: Identity[], given: UserAttributes): Identity[] {
  const { provider, extern_uid: externUid, group_id_for_saml: samlProviderId = null } = given;
  if (!provider || !externUid) return current;
  const others = current.filter((identity) => identity.provider !== provider);
  if (others.length >= mostIdentities)
    throw invalidRecord({ identities: [`are too many (maximum is ${mostIdentities})`] });
  return [...others, { provider, externUid, samlProviderId }];
}

/** Name and username, with derived fields. */
export function namingOf(name: string, username: string): Partial<User> {
  return {
    name,
    nameKey: name.toLowerCase(),
    username,
    usernameKey: username.toLowerCase(),
    searchKeys: searchKeysOf(name, username),
  };
}
