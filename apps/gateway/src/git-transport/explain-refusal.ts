import { OperationError } from '@moothall/contracts';

const words: Record<string, string> = {
  'common.not_found': "The project you were looking for could not be found or you don't have permission to view it.",
  'common.unauthorized': "The project you were looking for could not be found or you don't have permission to view it.",
  'common.forbidden': 'You are not allowed to do this on this project.',
  'repository_content.read_only': 'The repository is read-only at the moment. Please try again later.',
  'git.disk_full': 'The server has no room left for this repository. Please contact an administrator.',
};

/** What git shows to whoever used it, over HTTP and SSH alike. */
export function explainRefusal(error: unknown): string {
  const code = error instanceof OperationError ? error.code : '';
  return words[code] ?? 'The server cannot do this at the moment. Please try again later.';
}
