interface Subject {
  roles: readonly string[];
  states: readonly string[];
  /** States that `npm test` always requests; of the others it requests one per operation in turn. */
  always: readonly string[];
  /** The answer for a missing subject, if all its operations give the same. */
  absent?: string;
}

const fromOutside = ['anonymous', 'external', 'outsider'];
const members = ['guest', 'reporter', 'developer', 'maintainer', 'owner'];

/**
 * Subjects of operations, with their roles and states.
 *
 * `outsider` is signed in and a member of nothing, `external` the same as an external user, `foreign` owns another group,
 * `blocked` is a user who was blocked.
 *
 * project: public, internal, private: projects of a group, with the roles as direct members, `owner` as owner of the group.
 * archived: a public one. shared: a private project elsewhere, shared at developer with a group in which the roles are.
 * forked: a private fork of the public one, in the namespace of `developer`. deleted: a public one. missing: never there.
 *
 * group: public, internal, private: with the roles as direct members. shared: a private group elsewhere, shared at developer
 * with a group in which the roles are. subgroup: a private one in a private group in which the roles are. within: a private
 * group, the roles being members of a private project in it and of no group. deleted: a public one. missing: never there.
 *
 * issue, epic: of a public project or group with the roles as members, by the administrator and assigned to nobody.
 * snippet: personal ones of `self`. user: what belongs to `self` alone. instance: what is there once.
 */
export const subjects = {
  project: {
    roles: [...fromOutside, ...members, 'administrator'],
    states: ['public', 'internal', 'private', 'archived', 'shared', 'forked', 'deleted', 'missing'],
    always: ['public', 'private', 'missing'],
    absent: '{"message":"404 Project Not Found"}',
  },
  group: {
    roles: [...fromOutside, 'foreign', ...members, 'administrator'],
    states: ['public', 'internal', 'private', 'shared', 'subgroup', 'within', 'deleted', 'missing'],
    always: ['private', 'missing'],
    absent: '{"message":"404 Group Not Found"}',
  },
  issue: {
    roles: [...fromOutside, ...members, 'administrator'],
    states: ['open', 'confidential', 'missing'],
    always: ['confidential', 'missing'],
  },
  epic: {
    roles: [...fromOutside, 'foreign', ...members, 'administrator'],
    states: ['open', 'confidential', 'missing'],
    always: ['confidential', 'missing'],
  },
  snippet: {
    roles: [...fromOutside, 'self', 'administrator'],
    states: ['public', 'internal', 'private', 'missing'],
    always: ['public', 'internal', 'private', 'missing'],
  },
  user: {
    roles: [...fromOutside, 'self', 'administrator'],
    states: ['active', 'missing'],
    always: ['active', 'missing'],
  },
  instance: {
    roles: ['anonymous', 'blocked', 'external', 'outsider', 'administrator'],
    states: ['here'],
    always: ['here'],
  },
} as const satisfies Record<string, Subject>;

export type SubjectName = keyof typeof subjects;

/** All operations on a subject. */
export const subjectNamed = (name: SubjectName): Subject => subjects[name];
