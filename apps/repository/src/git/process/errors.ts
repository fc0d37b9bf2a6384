import { gitErrors, OperationError } from '@moothall/contracts';

export type GitErrorCode = keyof typeof gitErrors;

/** A refusal or failure of the git engine: `reason` names the row of the table, `detail` is for the log only. */
export class GitError extends OperationError {
  override name = 'GitError';

  /** @param value for the `%s` in the row's message */
  constructor(
    readonly reason: GitErrorCode,
    value = '',
    readonly detail = '',
  ) {
    super({ code: `git.${reason}`, message: gitErrors[reason].message.replace('%s', () => value) });
    if (detail) this.cause = detail;
  }
}

/** Whether git's message reports a full disk. For a ref it only reports that the lock file could not be written. */
export const isDiskFullMessage = (words: string): boolean =>
  /No space left on device|Disk quota exceeded|couldn't write '[^']*(?<=\.lock)'/.test(words);
