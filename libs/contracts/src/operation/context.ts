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

/** What opens packages: of deploy tokens alone. */
export const packageScopes = ['read_package_registry', 'write_package_registry'] as const;

/** Scopes of deploy tokens. See docs/api/tokens.md#5. */
export const deployTokenScopes = ['read_repository', 'read_registry', 'write_registry', ...packageScopes] as const;

/** What a replication node may do by its application, and nothing else opens to it. See docs/api/geo.md#2. */
export const nodeScope = 'geo';

/** What credentials of all kinds may carry. */
export type AnyScope = Scope | (typeof packageScopes)[number] | typeof nodeScope;

/** How a caller proved who they are. */
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
  /** Primary address; stands in commits that the caller makes. */
  email: string;
  isAdmin: boolean;
  /** External users see only what they are explicitly members of. See docs/api/access.md#3. */
  isExternal: boolean;
  credential: CredentialKind;
  /** Id of the token, where the credential is one. */
  tokenId?: number | undefined;
  scopes: AnyScope[];
  /** The one project that the credential opens, by git and to few operations: that of the job a job token belongs to. */
  projectId?: number | undefined;
  /** What a deploy token opens, to the level of developers as far as its scopes go: a project, or all below a group. */
  opens?: { kind: 'project' | 'group'; id: number } | undefined;
}

/** What the rest of the house needs to know of a project; resolved once by the gateway. */
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
  /** Name of the storage that holds the repository; part of the repository service's subjects. */
  storage: string;
  /** While a storage move switches over, the repository takes no writes. */
  isReadOnly: boolean;
  features: Record<Feature, FeatureAccess>;
  publicBuilds: boolean;
  /** How its pipelines are made; absent where an earlier version answered. */
  ci?: ProjectCi | undefined;
  /** Whether it takes files of Git LFS; absent, and so true, where an earlier version answered. */
  lfsEnabled?: boolean | undefined;
  /** Level of the caller, highest of all ways in; Access.None for others. Administrators have Access.Owner. */
  accessLevel: AccessLevel;
  /** What the caller's member roles add to that. */
  abilities?: Ability[] | undefined;
}

/** What a project's settings say of its pipelines. */
export interface ProjectCi {
  /** Where they are described, from the top of the repository; null for the usual place. */
  configPath: string | null;
  /** Whether a newer pipeline of a ref cancels those before it. */
  cancelsRedundant: boolean;
  /** How long a job may take that does not say. */
  timeoutSeconds: number;
  /** Commits that a job clones; 0 for all. */
  gitDepth: number;
}

/** What the rest of the house needs to know of a group; resolved once by the gateway. */
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

/** What travels with every operation, besides its input. */
export interface OperationContext {
  requestId: string;
  /** Absent for anonymous callers and for calls that a service makes for itself. */
  caller?: Caller | undefined;
  project?: ProjectRef | undefined;
  group?: GroupRef | undefined;
  /** W3C trace context of the caller's span. */
  traceparent?: string | undefined;
  /**
   * Address and agent of the HTTP client, for records that keep them. Cookie and authorization only for operations at
   * the root that answer raw: pages and OAuth endpoints, which read credentials themselves.
   */
  client?:
    | { ip: string; userAgent: string; cookie?: string | undefined; authorization?: string | undefined }
    | undefined;
}
