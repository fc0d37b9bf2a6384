import {
  commonErrors,
  getProjectDeployKey,
  invalidRecord,
  isError,
  type ProjectRef,
  updateProjectDeployKey,
} from '@moothall/contracts';
import type { TakeForm } from '../../page/page';
import { below } from '../../parts/code-address';
import { changesIn } from '../../parts/field-list';
import { savedAt } from '../../parts/saved';
import { keyFields } from './deploy-key-fields';

/** Takes the form `change-key`. */
export const changeDeployKey: TakeForm<ProjectRef> = async (visit, project, _address, sent) => {
  const asked = { id: String(project.id), key_id: sent.text('of') };
  const changes = changesIn(keyFields, sent, await visit.submit(getProjectDeployKey, asked));
  if (Object.keys(changes).length > 0) {
    const { title } = await visit.submit(updateProjectDeployKey, { ...asked, ...changes }).catch(problemsAtFields);
    // The operation leaves the title alone if others would see it, and says nothing.
    if (changes.title !== undefined && changes.title !== title)
      throw invalidRecord({ title: ['stays as it is, because other projects can use the key'] });
  }
  return savedAt(below(project, 'deploy_keys'));
};

/**
 * The operations name problems as v4 does: `deploy_key.title`, and `deploy_key.fingerprint` for the key.
 * @throws the error, with the names of fields
 */
export function problemsAtFields(error: unknown): never {
  if (!isError(error, commonErrors.invalidRecord)) throw error;
  const { fingerprint, ...problems } = Object.fromEntries(
    Object.entries(error.value.message as Record<string, string[]>).map(([name, texts]) => [
      name.replace(/^deploy_key\./, ''),
      texts,
    ]),
  );
  throw invalidRecord({ ...(fingerprint && { key: fingerprint }), ...problems });
}
