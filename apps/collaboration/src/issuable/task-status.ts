// Within a line: blanks over several lines would be tried again from each of them.
const task = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[([ xX])\](?:\s|$)/gm;

interface Tasks {
  count: number;
  completed_count: number;
}

/** Check boxes in a description. */
export function countTasks(description: string | null): Tasks {
  const marks = [...(description ?? '').matchAll(task)].map(([, mark]) => mark);
  return { count: marks.length, completed_count: marks.filter((mark) => mark !== ' ').length };
}

/** `1 of 3 checklist items completed`; empty without any. */
export const describeTasks = ({ count, completed_count }: Tasks): string =>
  count === 0 ? '' : `${completed_count} of ${count} checklist item${count === 1 ? '' : 's'} completed`;
