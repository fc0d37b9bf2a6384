import { callerInput, isError, projectErrors, resolveProject } from '@moothall/contracts';
import type { OperationClient } from './operation-client';

/**
 * Called after a write that belongs to a project, which may have been deleted meanwhile, perhaps before this write.
 * @param remove deletes what the deletion of a project deletes here; called if it was deleted
 * @throws project.not_found if it was deleted, after `remove`; errors of the check
 */
export async function removeIfDeleted(
  client: OperationClient,
  projectId: number,
  remove: () => Promise<unknown>,
): Promise<void> {
  try {
    await client.call(resolveProject, { project: String(projectId), ...callerInput(undefined) });
  } catch (error) {
    if (isError(error, projectErrors.notFound)) await remove();
    throw error;
  }
}
