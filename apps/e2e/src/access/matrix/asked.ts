import type { SubjectName } from './subjects';

/*
 * Who may what, written by hand from the rules of the interface (docs/api) and from nothing in the code: what is wrong
 * there does not become right here. access-matrix.e2e.ts asks every operation in every role of
 * what it is about in every state; subjects.ts says which there are. A new operation gets its place in a rule; `notYet` names those that have none, and only shrinks.
 *
 * Each rule is a table of roles and states. `ok` is past every question of who may, whatever is wrong otherwise; 404 is what
 * one that never was would answer, to the letter. A state without a line is one that the rules leave open.
 */

/**
 * Method and path, with names of records that the test has made (`:none` is one that nobody has) or, as `{…}`, a body. A
 * success is 2xx, or 404 of `:none`; other answers from which follows that the caller was let through stand in `passes`.
 * What would change the project for all that follows is asked of those alone who may not (`refusedOnly`).
 */
export interface Asked {
  ask: string;
  body?: object;
  /** A file of that name goes along with the body, as the part `file` of a form. */
  file?: string;
  passes?: number[];
  refusedOnly?: true;
  /** What one that never was answers, where that is not as with the others of its kind. */
  absent?: string;
  /** The path is not below `/api/v4`. */
  isAtRoot?: true;
}

export interface Rule {
  rule: string;
  /** What it is about; a project unless it says so. */
  of?: SubjectName;
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

export const upload = (path: string, file: string, body: object = {}, ...passes: number[]): Asked => ({
  ...{ ask: path, body, file, passes },
});
