/** Numbers of levels in pino. */
export const levelNumbers = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;
export type LogLevel = keyof typeof levelNumbers;

/**
 * The line that the console shows for a line of a log: JSON from the given level on, shortened; and every line that is
 * not JSON, because a crashing process prints those.
 * @returns undefined for lines that only go to the log file
 */
export function showLogLine(process: string, line: string, least: LogLevel): string | undefined {
  const level = /^\{"level":(\d+)/.exec(line)?.[1];
  if (level === undefined) return line.trim() === '' ? undefined : `${process}: ${line}`;
  if (Number(level) < levelNumbers[least]) return undefined;
  try {
    const { msg = '', context } = JSON.parse(line) as Record<string, string | undefined>;
    const where = context ? `${process} ${context}` : process;
    return `${nameOf(Number(level))} ${where}: ${msg}`;
  } catch {
    // Truncated by the end of the process.
    return `${process}: ${line}`;
  }
}

function nameOf(level: number): string {
  const names = Object.entries(levelNumbers);
  return names.findLast(([, number]) => number <= level)?.[0] ?? 'trace';
}
