/*
 * Rules for paths and names. The first segments of the server's own routes are reserved, because such a namespace would
 * hide their pages.
 */

const reservedAtRoot = new Set(
  `- .well-known 404.html 422.html 500.html 502.html 503.html admin api apple-touch-icon.png assets dashboard
  deploy.html explore favicon.ico favicon.png groups health_check help import invites jwt login oauth profile projects
  public robots.txt s search sitemap sitemap.xml slash-command-logo.png snippets unsubscribes uploads users v2`.split(
    /\s+/,
  ),
);
const reservedInGroups = new Set(['-']);
const reservedForProjects = new Set(
  `- badges blame blob builds commits create create_dir edit files find_file new preview raw refs tree update
  wikis`.split(/\s+/),
);

const form = /^[a-zA-Z0-9_.][a-zA-Z0-9_.-]*$/;
const maxLength = 255;

const formText =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'";
const groupFormText =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.";

const hasForm = (path: string): boolean => form.test(path) && !/\.(git|atom)$/i.test(path) && !/^\.{1,2}$/.test(path);

function lengthProblems(value: string): string[] {
  if (value === '') return ["can't be blank"];
  return value.length > maxLength ? [`is too long (maximum is ${maxLength} characters)`] : [];
}

/** Problems of the path of a group or user. */
export function namespacePathProblems(path: string, isAtRoot: boolean): string[] {
  const reserved = isAtRoot ? reservedAtRoot : reservedInGroups;
  const problems = lengthProblems(path);
  if (problems.length > 0) return problems;
  if (!hasForm(path) || path.endsWith('.')) return [groupFormText];
  return reserved.has(path.toLowerCase()) || (!isAtRoot && reservedForProjects.has(path.toLowerCase()))
    ? [`${path} is a reserved name`]
    : [];
}

/** Problems of the path of a project. */
export function projectPathProblems(path: string): string[] {
  const problems = lengthProblems(path);
  if (problems.length > 0) return problems;
  if (!hasForm(path)) return [formText];
  return reservedForProjects.has(path.toLowerCase()) ? [`${path} is a reserved name`] : [];
}

/** Names begin with a letter, digit, emoji or underscore and contain no markup. */
const nameForm =
  /^[\p{L}\p{N}\p{Extended_Pictographic}_](?:[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_.()+ -]|\u200d)*$/u;
const nameText =
  "can contain only letters, digits, emojis, '_', '.', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'.";

export function nameProblems(name: string): string[] {
  const problems = lengthProblems(name.trim());
  if (problems.length > 0) return problems;
  return nameForm.test(name) ? [] : [nameText];
}

/** Default path of a project with a given name. See docs/api/projects.md#3. */
export const pathFromName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '');
