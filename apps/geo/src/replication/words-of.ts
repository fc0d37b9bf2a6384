import { OperationError, wordsOf as publicWordsOf } from '@moothall/contracts';

/** Why something failed, for people. @param otherwise for an error that no operation declares */
export const wordsOf = (error: unknown, otherwise: string): string =>
  error instanceof OperationError ? publicWordsOf(error) : otherwise;
