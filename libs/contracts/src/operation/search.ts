import { z } from 'zod';
import { groupRef, projectRef } from './fields';
import { get, type Route } from './http';

/** The longest search text. See docs/api/search.md#2. */
export const searchLimit = 4096;
const wordLimit = 64;

const parents = {
  instance: { ref: {}, paths: ['/search'] },
  group: { ref: groupRef, paths: ['/groups/:id/search', '/groups/:id/-/search'] },
  project: { ref: projectRef, paths: ['/projects/:id/search', '/projects/:id/-/search'] },
} as const;
type SearchedParent = keyof typeof parents;

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const searched = z
  .string()
  .max(searchLimit)
  .refine((text) => text.trim() !== '', 'is empty')
  .refine((text) => wordsOf(text).length <= wordLimit, `has too many words (maximum is ${wordLimit})`)
  .describe('Search text, matched literally and case-insensitively');

/** Texts without an index are not searched for a single Latin letter; a Chinese one is a word. */
const searchedInTexts = searched.refine((text) => !/^\s*[\x21-\x7e]\s*$/.test(text), 'is too short (minimum is 2)');

type Ref<P extends SearchedParent> = (typeof parents)[P]['ref'];

interface Search<P extends SearchedParent> {
  http: Route[];
  limitedBy: 'search_rate_limit';
  /** Parameters of every search. */
  input: Ref<P> & { scope: z.ZodLiteral<string>; search: z.ZodString };
}

/**
 * The route of a search for records of one kind: v4 has one path with a scope, and each scope is an operation here,
 * of the service with the records. See docs/adr/0017-search-by-scope.md.
 * @param texts whether long texts are searched
 */
export function searchOf<P extends SearchedParent>(parent: P, scope: string, texts?: 'texts'): Search<P> {
  const { ref, paths } = parents[parent];
  return {
    http: paths.map((path) => get(path, { when: { parameter: 'scope', value: scope } })),
    limitedBy: 'search_rate_limit',
    input: {
      ...(ref as Ref<P>),
      scope: z.literal(scope).describe(`\`${scope}\`; others are operations of their own`),
      search: texts ? searchedInTexts : searched,
    },
  };
}

/** `created_at` is the only order that searches have. */
export const searchOrder = {
  order_by: z.enum(['created_at']).default('created_at'),
  sort: z.enum(['asc', 'desc']).default('desc'),
};

/** Records of archived projects are excluded by default. */
export const withArchived = {
  include_archived: z.boolean().default(false).describe('Those of archived projects, too'),
};

/** States of issues and merge requests; a state that records do not have excludes nothing. */
export const searchedState = { state: z.enum(['all', 'opened', 'closed', 'merged']).default('all') };
