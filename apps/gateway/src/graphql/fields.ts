import { iterationStates } from '@moothall/contracts';
import type { GraphQLFieldResolver } from 'graphql';
import type { Asking, Row } from './asking';
import { connectionOf } from './connection';
import type { Cost } from './measure';
import { questions } from './questions';

/** Context of every field of a document. */
export interface Inquiry {
  asking: Asking;
  cost: Cost;
  mostComplexity: number;
  /** Counts the size of the response. @throws LimitExceeded if it becomes too large */
  spend(characters: number): void;
}

type Field = (row: Row, args: Record<string, unknown>, inquiry: Inquiry) => unknown;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const globalId =
  (kind: string): Field =>
  ({ id }) =>
    `gid://gitlab/${kind}/${String(id)}`;
const webPath: Field = ({ web_url }) => new URL(String(web_url)).pathname;
const iid: Field = ({ iid: number }) => String(number);
const upper =
  (name: string): Field =>
  (row) =>
    typeof row[name] === 'string' ? row[name].toUpperCase() : null;
/** For a list inside of its record. */
const held =
  (name: string): Field =>
  (row, args) => {
    const { [name]: list } = row;
    return connectionOf(Array.isArray(list) ? list : [], args);
  };
const from =
  (name: string): Field =>
  (row) =>
    row[name];

const stateOfIteration: Field = ({ state }) =>
  Object.entries(iterationStates).find(([, number]) => number === state)?.[0];

const ofUser = { id: globalId('User'), webPath };
const ofIssuable = {
  iid,
  webPath,
  reference: (({ references }, { full }) => {
    const { short, full: whole } = references as { short: string; full: string };
    return full ? whole : short;
  }) satisfies Field,
  assignees: held('assignees'),
  labels: held('labels'),
};

/** Fields that differ from the API's field with the same name. */
const fields: Record<string, Record<string, Field>> = {
  Query: {
    queryComplexity: (_, _args, { cost, mostComplexity }) => ({ score: cost.complexity, limit: mostComplexity }),
  },
  CurrentUser: ofUser,
  UserCore: ofUser,
  Project: {
    id: globalId('Project'),
    fullPath: from('path_with_namespace'),
    repository: (row) => ({
      root_ref: row.default_branch,
      empty: row.empty_repo ?? row.default_branch === null,
      exists: true,
    }),
  },
  Namespace: {
    id: ({ id, kind }) => `gid://gitlab/${kind === 'group' ? 'Group' : 'Namespaces::UserNamespace'}/${String(id)}`,
  },
  Group: { id: globalId('Group') },
  MergeRequest: {
    ...ofIssuable,
    id: globalId('MergeRequest'),
    reviewers: held('reviewers'),
    diffHeadSha: from('sha'),
    conflicts: from('has_conflicts'),
    mergeStatusEnum: upper('merge_status'),
    detailedMergeStatus: upper('detailed_merge_status'),
  },
  Issue: { ...ofIssuable, id: globalId('Issue') },
  Label: { title: from('name') },
  Milestone: { id: globalId('Milestone') },
  Iteration: { id: globalId('Iteration'), iid, webPath, state: stateOfIteration },
  IterationCadence: { id: globalId('Iterations::Cadence') },
  Kas: { externalUrl: from('externalUrl') },
};

/** Resolves every field of the schema. */
export const resolveField: GraphQLFieldResolver<Row, Inquiry> = (row, args, inquiry, info) => {
  const type = info.parentType.name;
  const question = questions.get(`${type}.${info.fieldName}`);
  if (question) return question.ask(row, args, inquiry.asking);
  const value = fields[type]?.[info.fieldName]?.(row, args, inquiry) ?? row?.[snake(info.fieldName)] ?? null;
  inquiry.spend(typeof value === 'string' ? value.length : 1);
  return value;
};
