/** Log lines for operators: one line of JSON each, never a stored value. */
export type Log = (event: string, details?: Record<string, unknown>) => void;

export const logToStderr: Log = (event, details = {}) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...details })}\n`);
};
