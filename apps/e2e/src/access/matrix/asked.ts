/*
 * Who may what, written by hand from the rules of the interface (docs/api) and from nothing in the code: what is wrong
 * there does not become right here. access-matrix.e2e.ts asks every operation in every role of
 * projects in every state. A new operation gets its place in a rule; `notYet` names those that have none, and only shrinks.
 *
 * Each rule is a table of roles and states. `ok` is past every question of who may, whatever is wrong otherwise; 404 is what
 * a project that never was would answer, to the letter. A state without a line is one that the rules leave open.
 *
 * public, internal, private: projects of a group, with the roles as direct members, `owner` as owner of the group.
 * archived: a public one. shared: a private project elsewhere, shared at developer with a group in which the roles are.
 * forked: a private fork of the public one, in the namespace of `developer`. deleted: a public one. missing: never there.
 */

/** `outsider` is signed in and a member of nothing, `external` the same as an external user. */
export const roles = [
  'anonymous',
  'external',
  'outsider',
  'guest',
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'administrator',
] as const;

export const states = ['public', 'internal', 'private', 'archived', 'shared', 'forked', 'deleted', 'missing'] as const;

/**
 * Method and path, with names of records that the test has made (`:none` is one that nobody has) or, as `{…}`, a body. A
 * success is 2xx, or 404 of `:none`; other answers from which follows that the caller was let through stand in `passes`.
 * What would change the project for all that follows is asked of those alone who may not (`refusedOnly`).
 */
export interface Asked {
  ask: string;
  body?: object;
  passes?: number[];
  refusedOnly?: true;
}

export interface Rule {
  rule: string;
  /** Where it is said. */
  sources: string[];
  table: string;
  operations: (string | Asked)[];
}

export const post = (path: string, body: object = {}, ...passes: number[]): Asked => ({
  ask: `POST ${path}`,
  body,
  passes,
});
export const put = (path: string, body: object = {}, ...passes: number[]): Asked => ({
  ask: `PUT ${path}`,
  body,
  passes,
});
export const patch = (path: string, body: object = {}, ...passes: number[]): Asked => ({
  ask: `PATCH ${path}`,
  body,
  passes,
});
export const remove = (path: string, body?: object, ...passes: number[]): Asked => ({
  ask: `DELETE ${path}`,
  ...(body && { body }),
  passes,
});
export const onlyRefused = (ask: string, body?: object): Asked => ({ ask, ...(body && { body }), refusedOnly: true });
