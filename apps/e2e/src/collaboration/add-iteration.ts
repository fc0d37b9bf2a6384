import { ask, connection } from '../server/connection';

/** Adds an iteration to a group. The REST interface has no route for it. */
export async function addIteration(groupPath: string, title: string): Promise<void> {
  const given = { groupPath, title, startDate: '2026-06-01', dueDate: '2026-06-07' };
  const query = 'mutation ($input: IterationCreateInput!) { iterationCreate(input: $input) { errors } }';
  const answer = await ask('/api/graphql', {
    ...{ method: 'POST', token: connection.token, body: JSON.stringify({ query, variables: { input: given } }) },
    headers: { 'content-type': 'application/json' },
  });
  const text = await answer.text();
  if (text !== '{"data":{"iterationCreate":{"errors":[]}}}') throw new Error(`The iteration was not added: ${text}`);
}
