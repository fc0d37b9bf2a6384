const prefix = /^\s*(?:\[(?:wip|draft)\]\s*|(?:wip|draft):\s*|\(draft\)\s*)+/i;

/** Whether a title marks a draft, as `Draft: New parser`. */
export const isDraftTitle = (title: string): boolean => prefix.test(title);

/** The title without, or with, the draft prefix. */
export const withoutDraft = (title: string): string => title.replace(prefix, '');
export const withDraft = (title: string): string => (isDraftTitle(title) ? title : `Draft: ${title}`);

/** The effect of a new title on the draft state. Texts: docs/api/merge-requests.md#5. */
export function planTitle(
  current: { isDraft: boolean },
  title: string | undefined,
): { silent: { isDraft?: boolean }; notes: string[] } {
  const isDraft = title === undefined ? current.isDraft : isDraftTitle(title);
  if (isDraft === current.isDraft) return { silent: {}, notes: [] };
  return { silent: { isDraft }, notes: [`marked this merge request as **${isDraft ? 'draft' : 'ready'}**`] };
}
