/** The id of a discussion is its first note's, in the API 40 hexadecimal digits. */
export const discussionIdOf = (noteId: number): string => noteId.toString(16).padStart(40, '0');

/** @returns undefined for an invalid id */
export function noteIdIn(discussionId: string): number | undefined {
  if (!/^0{26}[0-9a-f]{14}$/.test(discussionId)) return undefined;
  const id = Number.parseInt(discussionId, 16);
  return Number.isSafeInteger(id) ? id : undefined;
}
