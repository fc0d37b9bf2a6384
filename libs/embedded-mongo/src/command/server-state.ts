import { type Credentials, ScramSecret } from '../auth/scram';
import { CursorTable } from '../cursor/cursor-table';
import type { Engine } from '../engine/engine';
import type { Client } from '../protocol/client';
import { Expiry } from '../write/expire-documents';
import { FailPoint } from './fail-point';

/** State that commands share besides the data: connections, and open cursors. */
export class ServerState {
  readonly startedAt = new Date();
  readonly cursors = new CursorTable();
  readonly clients = new Set<Client>();
  readonly failPoint = new FailPoint();
  readonly expiry: Expiry;
  readonly secret: ScramSecret | undefined;

  /** @param credentials required of every client; absent if the socket's folder controls the access */
  constructor(
    readonly engine: Engine,
    credentials?: Credentials,
  ) {
    this.secret = credentials && new ScramSecret(credentials);
    this.expiry = new Expiry(engine);
  }

  async close(): Promise<void> {
    this.cursors.close();
    await this.expiry.stop();
    await this.engine.close();
  }
}
