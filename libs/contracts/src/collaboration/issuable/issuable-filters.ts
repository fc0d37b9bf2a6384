import { z } from 'zod';
import { commaList, id, timestamp } from '../../operation';

const wildcard = /^(none|any)$/i;
const isUserOrWildcard = (value: string): boolean => /^\d+$/.test(value) || wildcard.test(value);

/** A user's id, `None` or `Any`. */
const userOrWildcard = z
  .string()
  .refine(isUserOrWildcard, "should be an integer, 'None' or 'Any'")
  .describe("Id of a user, 'None' or 'Any'");

const withDashes = { 'created-by-me': 'created_by_me', 'assigned-to-me': 'assigned_to_me' } as const;
const scopes = ['created_by_me', 'assigned_to_me', 'all'] as const;
/** Dashes are the older form. */
const dashedScopes = ['created-by-me', 'assigned-to-me'] as const;

/** `created_by_me` for the older `created-by-me`. */
export const scopeOf = (scope: (typeof scopes | typeof dashedScopes)[number]): (typeof scopes)[number] =>
  scope in withDashes ? withDashes[scope as keyof typeof withDashes] : (scope as (typeof scopes)[number]);

/** The authors of issues: `created_by_me` by default for the whole instance, all elsewhere. */
export const scope = (byDefault: (typeof scopes)[number]) => z.enum([...scopes, ...dashedScopes]).default(byDefault);

/** Filters that issues, merge requests and their counts share. See docs/api/issues.md#2. */
export const issuableFilters = {
  labels: commaList(z.string()).optional().describe("Names, all of which must match; 'None' or 'Any'"),
  milestone: z.string().optional().describe("Title, 'None', 'Any', '#upcoming' or '#started'"),
  author_id: id.optional(),
  author_username: z.string().optional(),
  assignee_id: userOrWildcard.optional(),
  my_reaction_emoji: z.string().optional().describe("Name of an emoji, 'None' or 'Any'"),
  iids: commaList(z.int(), 10_000).optional(),
  search: z.string().optional().describe('Words in title or description'),
  created_after: timestamp.optional(),
  created_before: timestamp.optional(),
  updated_after: timestamp.optional(),
  updated_before: timestamp.optional(),
};

/** Filter of pages: records with one of these milestones. */
export const milestoneIds = z.array(id).max(100);

/** Fields that `search` reads. */
export const searchIn = commaList(z.enum(['title', 'description'])).optional();

export const negated = z.object({
  labels: commaList(z.string()).optional(),
  milestone: z.string().optional(),
  author_id: id.optional(),
  author_username: z.string().optional(),
  assignee_id: id.optional(),
  assignee_username: z.array(z.string()).optional(),
  my_reaction_emoji: z.string().optional(),
  iids: commaList(z.int(), 10_000).optional(),
  iteration_id: id.optional(),
  iteration_title: z.string().optional(),
});

/** Filters of issues and of their statistics. */
export const issueFilters = {
  ...issuableFilters,
  assignee_username: z.array(z.string()).optional().describe('One; several in the enterprise edition only'),
  confidential: z.boolean().optional(),
  not: negated.optional().describe('What issues must not match'),
};
