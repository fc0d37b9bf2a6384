import { searchKeysOf } from './search-keys';
import type { Profile, User } from './user.schema';

export const emptyProfile: Profile = {
  bio: null,
  location: null,
  publicEmail: null,
  skype: '',
  linkedin: '',
  twitter: '',
  websiteUrl: '',
  organization: null,
  jobTitle: '',
};

type Given = Pick<User, '_id' | 'username' | 'name' | 'email'> & Partial<User>;
export type NewUser = Omit<User, 'createdAt' | 'updatedAt' | 'outbox'>;

/** A user with the default values of a new one. */
export function newUser(given: Given): NewUser {
  return {
    usernameKey: given.username.toLowerCase(),
    nameKey: given.name.toLowerCase(),
    searchKeys: searchKeysOf(given.name, given.username),
    emailKeys: [given.email.toLowerCase()],
    unconfirmedEmail: null,
    secondaryEmails: [],
    passwordHash: null,
    passwordExpiresAt: null,
    state: 'active',
    kind: 'human',
    isAdmin: false,
    isExternal: false,
    isPrivate: false,
    canCreateGroup: true,
    projectsLimit: 0,
    themeId: 1,
    colorSchemeId: 1,
    profile: emptyProfile,
    note: null,
    identities: [],
    customAttributes: [],
    twoFactor: null,
    avatar: null,
    sharedRunnersMinutesLimit: null,
    extraSharedRunnersMinutesLimit: null,
    confirmedAt: null,
    currentSignInAt: null,
    currentSignInIp: null,
    lastSignInAt: null,
    lastSignInIp: null,
    signInCount: 0,
    lastActivityOn: null,
    ...given,
  };
}
