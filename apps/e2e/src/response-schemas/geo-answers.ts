import { uniqueName } from '../server/connection';
import type { Answers } from './answers';

/** Replication nodes, with the status report of a secondary. */
export async function askGeo(answers: Answers): Promise<void> {
  const name = uniqueName('node');
  const given = { name, url: `https://${name}.example.com/` };
  const { id, oauth_application } = await answers.ask<{ id: number; oauth_application: object }>('/geo_nodes', {
    method: 'POST',
    body: given,
  });
  await answers.take('geo_nodes.json', '/geo_nodes');
  await answers.take('geo_node.json', `/geo_nodes/${id}`);
  await answers.put('geo_node.json', `/geo_nodes/${id}`, { ...given, enabled: false });
  await answers.post('geo_node_status.json', '/geo/status', { ...oauth_application, repositories_count: 1 });
  await answers.take('geo_node_status.json', `/geo_nodes/${id}/status`);
  await answers.take('geo_node_statuses.json', '/geo_nodes/status');
}
