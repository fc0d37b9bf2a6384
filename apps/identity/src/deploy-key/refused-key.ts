import { invalidRecord, OperationError } from '@moothall/contracts';

/** Somebody has the key already. */
export class KeyTaken extends OperationError {
  constructor() {
    super(invalidRecord({ 'deploy_key.fingerprint': ['has already been taken'] }).value);
  }
}

/** @throws common.invalid_record under the names that v4 clients know */
export function refuseKey(problems: Record<string, string[]>): void {
  const named = Object.entries(problems).map(([attribute, texts]) => [`deploy_key.${attribute}`, texts]);
  if (named.length > 0) throw invalidRecord(Object.fromEntries(named));
}
