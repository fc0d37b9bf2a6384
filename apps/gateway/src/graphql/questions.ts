import {
  getCurrentUser,
  getGroup,
  getMetadata,
  getProject,
  getUser,
  listDescendantGroups,
  listGroupIssues,
  listGroupMergeRequests,
  listGroupProjects,
  listGroups,
  listProjectIssues,
  listProjectMergeRequests,
  listProjects,
  listUsers,
  type Operation,
} from '@moothall/contracts';
import { type Arguments, type Asking, idOf, named, type Question, type Row } from './asking';
import { type Connection, connectionOf, type PageArguments } from './connection';
import { graphqlLimits, LimitExceeded } from './limits';
import { mutations } from './mutations';

const asksOnce = (ask: Question['ask']): Question => ({ ask, cost: () => 1 });

/** Values of a list filter. @throws above the limit */
function listed(values: unknown): string[] {
  const list = Array.isArray(values) ? values : [];
  if (list.length > graphqlLimits.listed) throw new LimitExceeded(`At most ${graphqlLimits.listed} may be listed`);
  return list.filter((value) => value !== null).map(String);
}

/** For filters of which the API accepts one value. @throws for several */
function theOnly(values: unknown): string | undefined {
  const [one, ...more] = listed(values);
  if (more.length > 0) throw new LimitExceeded('Only one branch may be given');
  return one;
}

/** Only given filters. */
function given(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));
}

const first = (connection: Connection<Row> | null): Row | null => connection?.nodes[0] ?? null;
const onlyOne: PageArguments = { first: 1 };

/** The number in `gid://gitlab/User/7`, or the number alone. */
function numberIn(globalId: unknown): string | undefined {
  return /^(?:gid:\/\/gitlab\/User\/)?(\d{1,15})$/.exec(String(globalId))?.[1];
}

const orders: Record<string, string> = {
  latest_activity: 'last_activity_at',
  created: 'created_at',
  updated: 'updated_at',
};

/** `name_asc` as the two parameters of the API. */
function orderOf(sort: unknown): Record<string, unknown> {
  const [, by = '', direction = ''] = /^([a-z_]+)_(asc|desc)$/i.exec(String(sort ?? '').toLowerCase()) ?? [];
  return by === '' ? {} : { order_by: orders[by] ?? by, sort: direction };
}

const mergeRequestFilters = (args: Arguments): Record<string, unknown> => ({
  ...given({
    author_username: args.authorUsername,
    reviewer_username: args.reviewerUsername,
    milestone: args.milestoneTitle,
    draft: args.draft,
    search: args.search,
    state: args.state,
    source_branch: theOnly(args.sourceBranches),
    target_branch: theOnly(args.targetBranches),
    assignee_username: args.assigneeUsername === undefined ? undefined : [args.assigneeUsername],
  }),
  ...withLists(args, args.labels),
});

const issueFilters = (args: Arguments): Record<string, unknown> => ({
  ...given({
    author_username: args.authorUsername,
    milestone: args.milestoneTitle,
    search: args.search,
    state: args.state,
    assignee_username: args.assigneeUsernames === undefined ? undefined : listed(args.assigneeUsernames),
  }),
  ...withLists(args, args.labelName),
});

/** Labels need full records. Invalid numbers match nothing. */
function withLists({ iids }: Arguments, labels: unknown): Record<string, unknown> {
  const numbers = Array.isArray(iids)
    ? listed(iids).map((iid) => (/^\d{1,9}$/.test(iid) ? Number(iid) : 0))
    : undefined;
  return {
    with_labels_details: true,
    ...(numbers && { iids: numbers }),
    ...(Array.isArray(labels) && { labels: listed(labels) }),
  };
}

const mergeRequestsOf = (operation: Operation): Question =>
  asksOnce((parent, args, asking) => asking.list(operation, { id: idOf(parent), ...mergeRequestFilters(args) }, args));

const issuesOf = (operation: Operation): Question =>
  asksOnce((parent, args, asking) => asking.list(operation, { id: idOf(parent), ...issueFilters(args) }, args));

const byNumber = (operation: Operation, filters: (args: Arguments) => Row): Question =>
  asksOnce(async (parent, { iid }, asking) =>
    first(await asking.list(operation, { id: idOf(parent), ...filters({ iids: [iid] }) }, onlyOne)),
  );

async function usersNamed(usernames: string[], args: Arguments, asking: Asking): Promise<Connection<Row>> {
  const found = await Promise.all(
    usernames.map(async (username) => first(await asking.list(listUsers, { username }, onlyOne))),
  );
  return connectionOf(
    found.filter((user) => user !== null),
    args,
  );
}

/** Fields that call services, by `Type.field`; all others read from their answers. */
export const questions = new Map<string, Question>(
  Object.entries({
    'Query.currentUser': asksOnce((_, _args, asking) => asking.one(getCurrentUser, {})),
    'Query.metadata': asksOnce((_, _args, asking) => asking.one(getMetadata, {})),
    'Query.user': asksOnce(async (_, { id, username }, asking) => {
      if (typeof username === 'string') return first(await asking.list(listUsers, { username }, onlyOne));
      const number = numberIn(id);
      return number === undefined ? null : asking.one(getUser, { id: Number(number) });
    }),
    'Query.users': {
      ask: (_: Row, args: Arguments, asking: Asking) =>
        Array.isArray(args.usernames)
          ? usersNamed(listed(args.usernames), args, asking)
          : asking.list(listUsers, given({ search: args.search }), args),
      cost: ({ usernames }: Arguments) => (usernames ? graphqlLimits.listed : 1),
    },
    'Query.project': asksOnce((_, args, asking) => named(getProject, 'path_with_namespace', args, asking)),
    'Query.projects': asksOnce((_, args, asking) => {
      const { membership, search, searchNamespaces: search_namespaces } = args;
      const topic = Array.isArray(args.topics) ? listed(args.topics) : undefined;
      return asking.list(
        listProjects,
        given({ membership, search, search_namespaces, topic, ...orderOf(args.sort) }),
        args,
      );
    }),
    'Query.group': asksOnce((_, args, asking) => named(getGroup, 'full_path', args, asking)),
    'Query.groups': asksOnce((_, args, asking) => asking.list(listGroups, given({ search: args.search }), args)),
    'Project.group': asksOnce(async ({ namespace }, _args, asking) => {
      const { kind, id } = namespace as { kind: string; id: number };
      return kind === 'group' ? asking.one(getGroup, { id: String(id) }) : null;
    }),
    'Project.mergeRequests': mergeRequestsOf(listProjectMergeRequests),
    'Project.mergeRequest': byNumber(listProjectMergeRequests, mergeRequestFilters),
    'Project.issues': issuesOf(listProjectIssues),
    'Project.issue': byNumber(listProjectIssues, issueFilters),
    'Group.projects': asksOnce(async (parent, args, asking) => {
      const input = given({ id: idOf(parent), include_subgroups: args.includeSubgroups, search: args.search });
      return (await asking.list(listGroupProjects, input, args)) ?? connectionOf([], args);
    }),
    'Group.descendantGroups': asksOnce((parent, args, asking) =>
      asking.list(listDescendantGroups, given({ id: idOf(parent), search: args.search }), args),
    ),
    'Group.mergeRequests': mergeRequestsOf(listGroupMergeRequests),
    'Group.issues': issuesOf(listGroupIssues),
    ...mutations,
  }),
);
