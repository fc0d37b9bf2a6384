import { ensureAdministrator as operation } from '@moothall/contracts';
import { connectNats, OperationClient, securityOf } from '@moothall/messaging';
import type { FirstAdministrator } from './first-administrator';

/**
 * Asks identity to create the first administrator, unless one exists.
 * @throws OperationError if identity refuses or does not answer
 */
export async function ensureAdministrator(natsUrl: string, administrator: FirstAdministrator): Promise<void> {
  const connection = await connectNats(natsUrl, 'standalone', securityOf(process.env));
  try {
    await new OperationClient(connection).call(operation, administrator);
  } finally {
    await connection.close();
  }
}
