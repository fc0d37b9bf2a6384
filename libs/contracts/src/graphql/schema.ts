/**
 * The schema of POST /api/graphql: the part of the v4 GraphQL interface that command line tools read, with the same
 * names, and mutations for which the REST interface has no operation. A table of the gateway maps each field that
 * calls a service to its operation. See docs/api/graphql.md#2.
 */
const connection = (type: string): string => `
  type ${type}Connection { count: Int nodes: [${type}] edges: [${type}Edge] pageInfo: PageInfo! }
  type ${type}Edge { cursor: String! node: ${type} }`;

/** In the form of all mutations of the v4 interface: one argument, and an answer with the errors. */
const mutation = (field: string): string => {
  const name = `${field[0]?.toUpperCase()}${field.slice(1)}`;
  return `\n    ${field}(input: ${name}Input!): ${name}Payload`;
};
const changed = 'clientMutationId: String errors: [String!]!';

const paging = 'first: Int, after: String';

const user = `
    id: UserID!
    username: String!
    name: String!
    state: UserState!
    avatarUrl: String
    webUrl: String!
    webPath: String!`;

const issuable = (kind: string): string => `
    id: ID!
    iid: String!
    title: String!
    description: String
    createdAt: Time!
    updatedAt: Time!
    closedAt: Time
    webUrl: String!
    webPath: String!
    reference(full: Boolean = false): String!
    discussionLocked: Boolean
    upvotes: Int!
    downvotes: Int!
    userNotesCount: Int!
    author: UserCore
    assignees(${paging}): UserCoreConnection
    labels(${paging}): LabelConnection
    milestone: Milestone
    state: ${kind}State!`;

const lists = `
    mergeRequests(
      iids: [String!], state: MergeRequestState, sourceBranches: [String!], targetBranches: [String!], labels: [String]
      authorUsername: String, assigneeUsername: String, reviewerUsername: String, milestoneTitle: String, draft: Boolean, search: String
      ${paging}
    ): MergeRequestConnection
    issues(
      iids: [String!], state: IssuableState, labelName: [String], authorUsername: String, assigneeUsernames: [String!]
      milestoneTitle: String, search: String, ${paging}
    ): IssueConnection`;

export const graphqlSchema = `
  "ISO 8601, in UTC"
  scalar Time
  "As gid://gitlab/User/1"
  scalar UserID

  scalar IterationID
  scalar IterationsCadenceID

  enum UserState { active blocked blocked_pending_approval banned deactivated ldap_blocked }
  enum MergeRequestState { opened closed locked merged all }
  enum IssuableState { opened closed all }
  enum IssueState { opened closed }
  enum IterationState { upcoming current closed }
  enum MergeStatus { UNCHECKED CHECKING CAN_BE_MERGED CANNOT_BE_MERGED }
  enum DetailedMergeStatus {
    UNCHECKED CHECKING MERGEABLE NOT_OPEN DRAFT_STATUS CONFLICT COMMITS_STATUS DISCUSSIONS_NOT_RESOLVED NOT_APPROVED NEED_REBASE
    CI_MUST_PASS CI_STILL_RUNNING STATUS_CHECKS_MUST_PASS
  }

  type Query {
    "The caller; null without a token"
    currentUser: CurrentUser
    user(id: UserID, username: String): UserCore
    "By their names, at most 20, or by a part of the name"
    users(usernames: [String!], search: String, ${paging}): UserCoreConnection
    project(fullPath: ID!): Project
    projects(
      membership: Boolean = false, search: String, searchNamespaces: Boolean, topics: [String!], sort: String = "id_desc", ${paging}
    ): ProjectConnection
    group(fullPath: ID!): Group
    groups(search: String, ${paging}): GroupConnection
    metadata: Metadata
    "What this query is counted as"
    queryComplexity: QueryComplexity
  }

  type Mutation {${['iterationCadenceCreate', 'iterationCreate', 'iterationDelete', 'issueSetIteration'].map(mutation).join('')}
  }

  input IterationCadenceCreateInput {
    clientMutationId: String groupPath: ID! title: String description: String active: Boolean automatic: Boolean!
    startDate: Time durationInWeeks: Int
  }
  input IterationCreateInput {
    clientMutationId: String groupPath: ID! iterationsCadenceId: IterationsCadenceID title: String description: String
    startDate: String dueDate: String
  }
  input IterationDeleteInput { clientMutationId: String id: IterationID! }
  input IssueSetIterationInput { clientMutationId: String projectPath: ID! iid: String! iterationId: IterationID }

  type IterationCadenceCreatePayload { ${changed} iterationCadence: IterationCadence }
  type IterationCreatePayload { ${changed} iteration: Iteration }
  type IterationDeletePayload { ${changed} group: Group }
  type IssueSetIterationPayload { ${changed} issue: Issue }

  type CurrentUser {${user}
    publicEmail: String
    commitEmail: String
    createdAt: Time
    bio: String
    location: String
    jobTitle: String
    bot: Boolean!
  }

  type UserCore {${user}
  }

  type Project {
    id: ID!
    name: String!
    nameWithNamespace: String!
    path: String!
    fullPath: ID!
    description: String
    visibility: String
    archived: Boolean
    createdAt: Time
    lastActivityAt: Time
    avatarUrl: String
    webUrl: String
    httpUrlToRepo: String
    sshUrlToRepo: String
    starCount: Int!
    forksCount: Int!
    openIssuesCount: Int
    topics: [String!]
    issuesEnabled: Boolean
    mergeRequestsEnabled: Boolean
    wikiEnabled: Boolean
    snippetsEnabled: Boolean
    jobsEnabled: Boolean
    namespace: Namespace
    group: Group
    repository: Repository
    mergeRequest(iid: String!): MergeRequest
    issue(iid: String!): Issue${lists}
  }

  type Namespace { id: ID! name: String! path: String! fullPath: ID! }
  type Repository { rootRef: String empty: Boolean exists: Boolean! }

  type Group {
    id: ID!
    name: String!
    path: String!
    fullName: String!
    fullPath: ID!
    description: String
    visibility: String
    avatarUrl: String
    webUrl: String!
    createdAt: Time
    projects(includeSubgroups: Boolean = false, search: String, ${paging}): ProjectConnection!
    descendantGroups(search: String, ${paging}): GroupConnection${lists}
  }

  type MergeRequest {${issuable('MergeRequest')}
    draft: Boolean!
    sourceBranch: String!
    targetBranch: String!
    sourceProjectId: Int
    targetProjectId: Int!
    mergedAt: Time
    mergeUser: UserCore
    reviewers(${paging}): UserCoreConnection
    diffHeadSha: String
    mergeCommitSha: String
    conflicts: Boolean!
    squash: Boolean!
    mergeStatusEnum: MergeStatus
    detailedMergeStatus: DetailedMergeStatus
  }

  type Issue {${issuable('Issue')}
    confidential: Boolean!
    dueDate: Time
    weight: Int
    iteration: Iteration
    projectId: Int!
  }

  type Label { title: String! color: String! description: String textColor: String! }
  type Milestone { id: ID! iid: ID! title: String! description: String state: String! dueDate: Time startDate: Time }

  type Iteration {
    id: ID!
    iid: ID!
    sequence: Int!
    title: String
    description: String
    state: IterationState!
    startDate: Time
    dueDate: Time
    createdAt: Time!
    updatedAt: Time!
    webUrl: String!
    webPath: String!
  }
  type IterationCadence {
    id: IterationsCadenceID! title: String! description: String active: Boolean automatic: Boolean startDate: Time durationInWeeks: Int
  }

  type Metadata { version: String! revision: String! enterprise: Boolean! kas: Kas! }
  type Kas { enabled: Boolean! externalUrl: String version: String }
  type QueryComplexity { score: Int limit: Int }

  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
${['UserCore', 'Project', 'Group', 'MergeRequest', 'Issue', 'Label'].map(connection).join('')}
`;
