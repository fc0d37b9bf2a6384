const prefix = /^\s*(?:\[(?:wip|draft)\]\s*|(?:wip|draft):\s*|\(draft\)\s*)+/i;

/** Whether a title says that the merge request is not ready, as `Draft: New parser`. */
export const isDraftTitle = (title: string): boolean => prefix.test(title);

/** The title of the same merge request when it is ready, or when it is a draft. */
export const withoutDraft = (title: string): string => title.replace(prefix, '');
export const withDraft = (title: string): string => (isDraftTitle(title) ? title : `Draft: ${title}`);

/** What a new title makes of a merge request. The words: docs/api/merge-requests.md#5. */
export function planTitle(
  current: { isDraft: boolean },
  title: string | undefined,
): { silent: { isDraft?: boolean }; notes: string[] } {
  const isDraft = title === undefined ? current.isDraft : isDraftTitle(title);
  if (isDraft === current.isDraft) return { silent: {}, notes: [] };
  return { silent: { isDraft }, notes: [`marked this merge request as **${isDraft ? 'draft' : 'ready'}**`] };
}
