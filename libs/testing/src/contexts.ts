import { Access, type Caller, type GroupRef, type OperationContext, type ProjectRef } from '@moothall/contracts';

let lastId = 1000;

/** A number no other record of this test file has. */
export const uniqueId = (): number => ++lastId;

/** A signed-in user of that name, as the gateway would hand on. */
export function callerNamed(username: string, over: Partial<Caller> = {}): Caller {
  return {
    id: uniqueId(),
    username,
    name: username,
    email: `${username}@example.com`,
    isAdmin: false,
    isExternal: false,
    credential: 'personal_access_token',
    scopes: ['api'],
    ...over,
  };
}

/** A private project in a group, in which the caller is a developer by default. */
export function projectNamed(path: string, over: Partial<ProjectRef> = {}): ProjectRef {
  const id = over.id ?? uniqueId();
  return {
    id,
    name: path,
    path,
    fullPath: `group/${path}`,
    nameWithNamespace: `Group / ${path}`,
    namespaceId: 1,
    namespaceKind: 'group',
    groupIds: [1],
    creatorId: 1,
    visibility: 'private',
    isArchived: false,
    defaultBranch: 'main',
    description: null,
    createdAt: '2020-10-15T08:12:01.123Z',
    storage: 'default',
    isReadOnly: false,
    features: {
      repository: 'enabled',
      issues: 'enabled',
      merge_requests: 'enabled',
      wiki: 'enabled',
      builds: 'enabled',
      snippets: 'enabled',
      container_registry: 'enabled',
    },
    publicBuilds: true,
    accessLevel: Access.Developer,
    ...over,
  };
}

/** A private top-level group, in which the caller is a developer by default. */
export function groupNamed(path: string, over: Partial<GroupRef> = {}): GroupRef {
  return {
    id: uniqueId(),
    name: path,
    path,
    fullPath: path,
    fullName: path,
    parentId: null,
    ancestorIds: [],
    visibility: 'private',
    createdAt: '2020-10-15T08:12:01.123Z',
    accessLevel: Access.Developer,
    ...over,
  };
}

/** A context as it reaches a service. */
export function contextOf(over: Partial<OperationContext>): OperationContext {
  return { requestId: 'test', ...over };
}
