import {
  commonErrors,
  type deleteRegistryTags,
  invalidParameters,
  mostPatternSteps,
  OperationError,
  type ParsedOf,
} from '@moothall/contracts';
import { RE2JS, RE2JSException } from 're2js';
import { readOlderThan } from './older-than';

/** The rules of a bulk deletion, as the caller gave them. */
export type GivenRules = Pick<
  ParsedOf<typeof deleteRegistryTags>,
  'name_regex_delete' | 'name_regex' | 'name_regex_keep' | 'keep_n' | 'older_than'
>;

export interface DeletionRules {
  deletes: NamePattern;
  keeps: NamePattern;
  /** Number of matching tags to keep, newest first. */
  keptCount: number;
  /** Only older tags are deleted; absent if age does not matter. */
  olderThanMs?: number;
}

/** Whether a pattern matches a whole name. */
export type NamePattern = (name: string) => boolean;

/**
 * Parses the rules of a request or a policy.
 * @throws common.invalid_parameters for an invalid pattern or duration
 */
export function readDeletionRules(given: GivenRules): DeletionRules {
  const [parameter, pattern = ''] =
    given.name_regex_delete === undefined
      ? ['name_regex', given.name_regex]
      : ['name_regex_delete', given.name_regex_delete];
  return {
    deletes: readPattern(parameter, pattern),
    keeps: readPattern('name_regex_keep', given.name_regex_keep ?? ''),
    keptCount: given.keep_n ?? 0,
    ...(given.older_than !== undefined && { olderThanMs: readAge(given.older_than) }),
  };
}

/** @throws common.invalid_parameters for an invalid or slow pattern */
export function requirePattern(parameter: string, pattern: string): void {
  readPattern(parameter, pattern);
}

/** Matches in linear time, whatever name and pattern are. An empty pattern matches nothing. */
function readPattern(parameter: string, pattern: string): NamePattern {
  if (pattern === '') return () => false;
  try {
    const expression = RE2JS.compile(pattern);
    if (expression.programSize() > mostPatternSteps) throw invalidParameters(`${parameter} repeats too much`);
    return (name) => expression.matches(name);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new OperationError({
      code: commonErrors.invalidParameters.code,
      message: `${parameter} is an invalid regexp`,
      details: { error_description: error.message },
    });
  }
}

function readAge(given: string): number {
  const ms = readOlderThan(given);
  if (ms === undefined) throw invalidParameters('older_than is invalid');
  return ms;
}
