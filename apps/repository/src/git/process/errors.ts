import { gitErrors, OperationError } from '@moothall/contracts';

export type GitErrorCode = keyof typeof gitErrors;

/** A refusal or failure of the git engine: `reason` names the row of the table, `detail` is for the log only. */
export class GitError extends OperationError {
  override name = 'GitError';

  /** @param value fills the `%s` of the row's message */
  constructor(
    readonly reason: GitErrorCode,
    value = '',
    readonly detail = '',
  ) {
    super({ code: `git.${reason}`, message: gitErrors[reason].message.replace('%s', () => value) });
    if (detail) this.cause = detail;
  }
}

/** Whether git's message says that the disk is full. For a ref it says only that it could not write the lock file. */
export const isDiskFullMessage = (words: string): boolean =>
  /No space left on device|Disk quota exceeded|couldn't write '[^']*(?<=\.lock)'/.test(words);
