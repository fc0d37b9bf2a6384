import { callerInput, isError, projectErrors, resolveProject } from '@moothall/contracts';
import type { OperationClient } from './operation-client';

/**
 * Called after a write that belongs to a project, which may have been deleted meanwhile: what is removed with it was
 * perhaps removed before this write.
 * @param remove what the deletion removes here; done where there was one
 * @throws project.not_found where it was deleted, once all is removed; what the question throws
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
