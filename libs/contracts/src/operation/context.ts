import type { Ability } from './ability';
import type { AccessLevel, Feature } from './access';

export type Visibility = 'private' | 'internal' | 'public';
export type FeatureAccess = 'disabled' | 'private' | 'enabled';

/** Scopes of tokens. See docs/api/requests.md#2. */
export const scopes = [
  'api',
  'read_api',
  'read_user',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'sudo',
  'openid',
  'profile',
  'email',
] as const;
export type Scope = (typeof scopes)[number];

/** Scopes for packages: of deploy tokens only. */
export const packageScopes = ['read_package_registry', 'write_package_registry'] as const;

/** Scopes of deploy tokens. See docs/api/tokens.md#5. */
export const deployTokenScopes = ['read_repository', 'read_registry', 'write_registry', ...packageScopes] as const;

/** The scope of a replication node by its application, which gives no other rights. See docs/api/geo.md#2. */
export const nodeScope = 'geo';

/** Scopes of credentials of all kinds. */
export type AnyScope = Scope | (typeof packageScopes)[number] | typeof nodeScope;

/** How a caller was authenticated. */
export type CredentialKind =
  | 'personal_access_token'
  | 'oauth_token'
  | 'password'
  | 'session'
  | 'deploy_key'
  | 'ssh_key'
  | 'job_token'
  | 'deploy_token'
  | 'geo_node';

/** The signed-in user on whose behalf an operation runs. */
export interface Caller {
  /** Negative for callers that are no users: minus the id of a deploy token, or of a replication node. */
  id: number;
  username: string;
  name: string;
  /** Primary address; used in commits of the caller. */
  email: string;
  isAdmin: boolean;
  /** External users see only what they are explicitly members of. See docs/api/access.md#3. */
  isExternal: boolean;
  credential: CredentialKind;
  /** Id of the token, if the credential is one. */
  tokenId?: number | undefined;
  scopes: AnyScope[];
  /** The one project that the credential opens, by git and to few operations: that of the job a job token belongs to. */
  projectId?: number | undefined;
  /**
   * What a deploy token gives access to, at the level of developers within its scopes: a project, or everything below
   * a group.
   */
  opens?: { kind: 'project' | 'group'; id: number } | undefined;
}

/** The facts of a project that other services need; resolved once by the gateway. */
export interface ProjectRef {
  id: number;
  name: string;
  path: string;
  /** `group/subgroup/project` as written by its owner. */
  fullPath: string;
  /** `Group / Subgroup / Project`. */
  nameWithNamespace: string;
  namespaceId: number;
  namespaceKind: 'group' | 'user';
  /** Ids of the groups above, nearest first; empty in a user's namespace. */
  groupIds: number[];
  /** Id of the user whose namespace this is; absent in a group. */
  ownerId?: number | undefined;
  creatorId: number;
  visibility: Visibility;
  isArchived: boolean;
  /** Null while the repository is empty and none was chosen. */
  defaultBranch: string | null;
  description: string | null;
  createdAt: string;
  /** Name of the storage of the repository; part of the repository service's subjects. */
  storage: string;
  /** While a storage move switches over, the repository refuses writes. */
  isReadOnly: boolean;
  features: Record<Feature, FeatureAccess>;
  publicBuilds: boolean;
  /** Its pipeline settings; absent in an answer of an earlier version. */
  ci?: ProjectCi | undefined;
  /** Whether Git LFS is enabled; absent, and so true, in an answer of an earlier version. */
  lfsEnabled?: boolean | undefined;
  /** Level of the caller, highest of all ways in; Access.None for others. Administrators have Access.Owner. */
  accessLevel: AccessLevel;
  /** Additional abilities of the caller's member roles. */
  abilities?: Ability[] | undefined;
}

/** Pipeline settings of a project. */
export interface ProjectCi {
  /** Path of the pipeline file from the root of the repository; null for the default. */
  configPath: string | null;
  /** Whether a newer pipeline of a ref cancels earlier ones. */
  cancelsRedundant: boolean;
  /** Default timeout of a job. */
  timeoutSeconds: number;
  /** Commits that a job clones; 0 for all. */
  gitDepth: number;
}

/** The facts of a group that other services need; resolved once by the gateway. */
export interface GroupRef {
  id: number;
  name: string;
  path: string;
  fullPath: string;
  fullName: string;
  parentId: number | null;
  /** Ids of the groups above, nearest first. */
  ancestorIds: number[];
  visibility: Visibility;
  createdAt: string;
  accessLevel: AccessLevel;
  abilities?: Ability[] | undefined;
  /** The caller is no member and reads a project in it or below: enough to read the group. */
  readsBelow?: boolean | undefined;
}

/** Sent with every operation, besides its input. */
export interface OperationContext {
  requestId: string;
  /** Absent for anonymous callers and for calls of a service itself. */
  caller?: Caller | undefined;
  project?: ProjectRef | undefined;
  group?: GroupRef | undefined;
  /** W3C trace context of the caller's span. */
  traceparent?: string | undefined;
  /** The answer contains at most so many characters of each text: for pages, which show the beginnings of long ones. */
  longestText?: number | undefined;
  /**
   * Address and agent of the HTTP client, for records that store them. Cookie and authorization only for raw
   * operations at the root: pages and OAuth endpoints, which read credentials themselves.
   */
  client?:
    | { ip: string; userAgent: string; cookie?: string | undefined; authorization?: string | undefined }
    | undefined;
}
