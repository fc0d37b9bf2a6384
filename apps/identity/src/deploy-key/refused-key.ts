import { invalidRecord, OperationError } from '@moothall/contracts';

/** The key exists already. */
export class KeyTaken extends OperationError {
  constructor() {
    super(invalidRecord({ 'deploy_key.fingerprint': ['has already been taken'] }).value);
  }
}

/** @throws common.invalid_record with the attribute names of v4 */
export function refuseKey(problems: Record<string, string[]>): void {
  const named = Object.entries(problems).map(([attribute, texts]) => [`deploy_key.${attribute}`, texts]);
  if (named.length > 0) throw invalidRecord(Object.fromEntries(named));
}
