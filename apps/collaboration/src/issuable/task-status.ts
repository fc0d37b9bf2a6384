// Matches within a line: a pattern that crosses lines would start again at each line.
const task = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[([ xX])\](?:\s|$)/gm;

interface Tasks {
  count: number;
  completed_count: number;
}

/** Counts check boxes in a description. */
export function countTasks(description: string | null): Tasks {
  const marks = [...(description ?? '').matchAll(task)].map(([, mark]) => mark);
  return { count: marks.length, completed_count: marks.filter((mark) => mark !== ' ').length };
}

/** `1 of 3 checklist items completed`; empty without check boxes. */
export const describeTasks = ({ count, completed_count }: Tasks): string =>
  count === 0 ? '' : `${completed_count} of ${count} checklist item${count === 1 ? '' : 's'} completed`;
