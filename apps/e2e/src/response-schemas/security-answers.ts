import { connection, root, uniqueName } from '../server/connection';
import type { Answers } from './answers';

/** Exports of vulnerabilities, which have to be enabled. */
export async function askSecurity(answers: Answers): Promise<void> {
  const body = { value: true, user: connection.username };
  await answers.ask('/features/first_class_vulnerabilities', { method: 'POST', body });
  const { id } = await root.Projects.create({ name: uniqueName('scanned') });
  const url = `/security/projects/${id}/vulnerability_exports`;
  const created = await answers.post('vulnerability_export.json', url, {});
  await answers.take('vulnerability_export.json', `/security/vulnerability_exports/${created.id}`);
}
