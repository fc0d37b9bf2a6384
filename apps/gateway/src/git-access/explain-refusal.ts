import { errorTable, OperationError } from '@moothall/contracts';

/** The same text for missing and for hidden projects. */
const unknown = "The project you were looking for could not be found or you don't have permission to view it.";
const byStatus: Record<number, string> = {
  400: 'The request is not one of git.',
  401: unknown,
  403: 'You are not allowed to do this on this project.',
  404: unknown,
  507: 'The server has no room left for this repository. Please contact an administrator.',
};
const byCode: Record<string, string> = {
  'project.limit_reached': 'You have as many projects as you may have.',
  'common.invalid_record': 'There is no such project, and none can be made: that is not the path of one.',
  'git.busy': 'Too many of your transfers are under way. Please try again later.',
  'repository_content.read_only': 'The repository is read-only at the moment. Please try again later.',
};

/** The message that git shows to its user, over HTTP and SSH alike. */
export function explainRefusal(error: unknown): string {
  const code = error instanceof OperationError ? error.code : '';
  const words = byCode[code] ?? byStatus[errorTable.get(code)?.status ?? 0];
  return words ?? 'The server cannot do this at the moment. Please try again later.';
}
