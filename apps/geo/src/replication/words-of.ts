import { OperationError, wordsOf as publicWordsOf } from '@moothall/contracts';

/** The reason of a failure, for people. @param otherwise message for errors that no operation declares */
export const wordsOf = (error: unknown, otherwise: string): string =>
  error instanceof OperationError ? publicWordsOf(error) : otherwise;
