import { type Outboxed, outboxed, sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';

export type UserState = 'active' | 'blocked' | 'deactivated' | 'banned';

/**
 * Humans sign in; bots own the access tokens of projects and groups; service accounts act with tokens of their own; the
 * ghost user is the author of records of deleted users.
 */
export type UserKind = 'human' | 'project_bot' | 'service_account' | 'ghost';

export interface Profile {
  bio: string | null;
  location: string | null;
  publicEmail: string | null;
  skype: string;
  linkedin: string;
  twitter: string;
  websiteUrl: string;
  organization: string | null;
  jobTitle: string;
}

export interface Preferences {
  viewDiffsFileByFile: boolean;
  showWhitespaceInDiffs: boolean;
  passUserIdentitiesToCiJwt: boolean;
}

/** Status message of a user. */
export interface Status {
  /** Without colons. */
  emoji: string;
  message: string;
  availability: 'not_set' | 'busy';
  /** The status is empty from this time on. */
  clearAt: Date | null;
}

/** Identity of a user at a sign-in provider. */
export interface Identity {
  provider: string;
  externUid: string;
  samlProviderId: number | null;
}

/** An address besides the primary one. */
export interface SecondaryEmail {
  id: number;
  email: string;
  confirmedAt: Date | null;
}

export interface TwoFactor {
  /** TOTP secret, encrypted. */
  secret: string;
  /** SHA-256 of each unused recovery code. */
  recoveryCodes: string[];
  /** Time step of the last used code: no code is valid twice. */
  lastCounter: number;
  enabledAt: Date;
}

export interface User extends Outboxed {
  _id: number;
  username: string;
  /** In lower case: usernames differ in more than case. */
  usernameKey: string;
  name: string;
  /** In lower case, for the order by name. */
  nameKey: string;
  email: string;
  /** The address that becomes the primary one after confirmation. */
  unconfirmedEmail: string | null;
  secondaryEmails: SecondaryEmail[];
  /** Every address of the user, in lower case: no address belongs to two users. */
  emailKeys: string[];
  /** argon2id, absent for bots and the ghost. */
  passwordHash: string | null;
  /** From this time on the password must be changed at the next sign-in. */
  passwordExpiresAt: Date | null;
  state: UserState;
  kind: UserKind;
  /** For service accounts: the group that manages it, or null for the instance. */
  serviceAccountOf?: number | null;
  isAdmin: boolean;
  isExternal: boolean;
  isPrivate: boolean;
  canCreateGroup: boolean;
  projectsLimit: number;
  themeId: number;
  colorSchemeId: number;
  profile: Profile;
  /** Only values that the user has set. */
  preferences?: Partial<Preferences>;
  status?: Partial<Status>;
  note: string | null;
  identities: Identity[];
  customAttributes: { key: string; value: string }[];
  twoFactor: TwoFactor | null;
  /** File name of the avatar, the end of its URL. */
  avatar: string | null;
  sharedRunnersMinutesLimit: number | null;
  extraSharedRunnersMinutesLimit: number | null;
  confirmedAt: Date | null;
  currentSignInAt: Date | null;
  currentSignInIp: string | null;
  lastSignInAt: Date | null;
  lastSignInIp: string | null;
  signInCount: number;
  /** Last day of activity with a credential, `YYYY-MM-DD`. */
  lastActivityOn: string | null;
  /** See `searchKeysOf`. */
  searchKeys: string[];
  createdAt: Date;
  updatedAt: Date;
}

const optional = { default: null };

/** Limit of addresses besides the primary one. */
export const mostEmails = 100;
/** Limit of identities of one user. */
export const mostIdentities = 100;
/** Limit of custom attributes of one user. */
export const mostAttributes = 100;
/** Every suffix of a name and a username. */
const mostSearchKeys = 2 * 255;

export const userSchema = new Schema<User>(
  {
    _id: Number,
    username: String,
    usernameKey: String,
    name: String,
    nameKey: String,
    email: String,
    unconfirmedEmail: { type: String, ...optional },
    secondaryEmails: { type: [{ _id: false, id: Number, email: String, confirmedAt: Date }], most: mostEmails },
    emailKeys: { type: [String], most: mostEmails + 1 },
    passwordHash: { type: String, ...optional },
    passwordExpiresAt: { type: Date, ...optional },
    state: String,
    kind: String,
    serviceAccountOf: Number,
    isAdmin: Boolean,
    isExternal: Boolean,
    isPrivate: Boolean,
    canCreateGroup: Boolean,
    projectsLimit: Number,
    themeId: Number,
    colorSchemeId: Number,
    profile: { type: Object },
    preferences: { type: Object },
    status: { type: Object },
    note: { type: String, ...optional },
    identities: {
      type: [{ _id: false, provider: String, externUid: String, samlProviderId: { type: Number, ...optional } }],
      most: mostIdentities,
    },
    customAttributes: { type: [{ _id: false, key: String, value: String }], most: mostAttributes },
    twoFactor: { type: Object, ...optional },
    avatar: { type: String, ...optional },
    sharedRunnersMinutesLimit: { type: Number, ...optional },
    extraSharedRunnersMinutesLimit: { type: Number, ...optional },
    confirmedAt: { type: Date, ...optional },
    currentSignInAt: { type: Date, ...optional },
    currentSignInIp: { type: String, ...optional },
    lastSignInAt: { type: Date, ...optional },
    lastSignInIp: { type: String, ...optional },
    signInCount: { type: Number, default: 0 },
    lastActivityOn: { type: String, ...optional },
    searchKeys: { type: [String], select: false, most: mostSearchKeys },
  },
  { timestamps: true, versionKey: false, collection: 'users' },
);

userSchema.index({ usernameKey: 1 }, { unique: true });
userSchema.index({ emailKeys: 1 }, { unique: true });
// Serves search; see searchKeysOf.
userSchema.index({ searchKeys: 1 });
// Selective filters, newest first.
userSchema.index({ state: 1, kind: 1, _id: -1 });
userSchema.index({ kind: 1, _id: -1 });
// Service accounts, of all groups or of one, by id or name.
userSchema.index({ kind: 1, usernameKey: 1 });
userSchema.index({ serviceAccountOf: 1, _id: -1 }, { sparse: true });
userSchema.index({ isAdmin: 1, _id: -1 });
userSchema.index({ isExternal: 1, _id: -1 });
userSchema.index({ 'twoFactor.enabledAt': 1 });
userSchema.index({ 'customAttributes.key': 1, 'customAttributes.value': 1 });
userSchema.index({ 'identities.provider': 1, 'identities.externUid': 1 });
// Each identity belongs to one user; users without one have no entry.
userSchema.index(
  { 'identities.externUid': 1, 'identities.provider': 1 },
  { unique: true, partialFilterExpression: { 'identities.externUid': { $exists: true } } },
);
// Exact search by callers who may see only public addresses.
userSchema.index({ 'profile.publicEmail': 1 });
// Orders of the list; created_at also serves its range.
userSchema.index({ nameKey: 1, _id: 1 });
userSchema.index({ createdAt: 1, _id: 1 });
userSchema.index({ updatedAt: 1, _id: 1 });
// Users by last activity.
userSchema.index({ lastActivityOn: 1, _id: 1 });
userSchema.plugin(outboxed);
userSchema.plugin(sealedFields, ['twoFactor.secret']);
