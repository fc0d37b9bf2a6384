import type { SubjectName } from './subjects';

/*
 * The permissions of each operation, written by hand from the rules of the interface (docs/api) and not from the code,
 * so they detect errors there. access-matrix.e2e.ts sends every operation in every role and every state of its subject;
 * subjects.ts lists these. Add a new operation to a rule; `notYet` lists those without one, and only shrinks.
 *
 * Each rule is a table of roles and states. `ok` means that the caller has the permission, whatever else is wrong; 404
 * is the exact answer for a resource that does not exist. The rules leave a state without a line open.
 */

/**
 * Method and path, with names of records that the test has created (`:none` does not exist) or, as `{…}`, a body. A
 * success is 2xx, or 404 for `:none`; `passes` lists other answers which show that the caller has the permission. An
 * operation that would change the project for later ones is sent only by callers without permission (`refusedOnly`).
 */
export interface AccessCase {
  ask: string;
  body?: object;
  /** Name of a file that is sent with the body, as the part `file` of a form. */
  file?: string;
  passes?: number[];
  refusedOnly?: true;
  /** The answer for a missing resource, if it differs from others of its kind. */
  absent?: string;
  /** The path is not below `/api/v4`. */
  isAtRoot?: true;
}

export interface Rule {
  rule: string;
  /** The subject of the operation; a project by default. */
  of?: SubjectName;
  /** The pages that state the rule. */
  sources: string[];
  table: string;
  operations: (string | AccessCase)[];
}

export const post = (path: string, body: object = {}, ...passes: number[]): AccessCase => ({
  ask: `POST ${path}`,
  body,
  passes,
});
export const put = (path: string, body: object = {}, ...passes: number[]): AccessCase => ({
  ask: `PUT ${path}`,
  body,
  passes,
});
export const patch = (path: string, body: object = {}, ...passes: number[]): AccessCase => ({
  ask: `PATCH ${path}`,
  body,
  passes,
});
export const remove = (path: string, body?: object, ...passes: number[]): AccessCase => ({
  ask: `DELETE ${path}`,
  ...(body && { body }),
  passes,
});
export const onlyRefused = (ask: string, body?: object): AccessCase => ({
  ask,
  ...(body && { body }),
  refusedOnly: true,
});

export const upload = (path: string, file: string, body: object = {}, ...passes: number[]): AccessCase => ({
  ...{ ask: path, body, file, passes },
});
