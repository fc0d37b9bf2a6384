import { errorTable, OperationError } from '@moothall/contracts';

/** Why something failed, for people. @param otherwise of what is no refusal */
export function wordsOf(error: unknown, otherwise: string): string {
  if (!(error instanceof OperationError)) return otherwise;
  const message = error.value.message ?? errorTable.get(error.value.code)?.message;
  return typeof message === 'string' ? message : JSON.stringify(message ?? error.value.code);
}
