import type { CommitSignature, VerificationStatus } from '@moothall/contracts';
import type { Key, Signature, Subkey } from 'openpgp';

/** A key of a user, and facts about them. */
export interface KeyOwner {
  id: number;
  key: string;
  emails: ReadonlySet<string>;
}

export type GpgSignature = Extract<CommitSignature, { signature_type: 'PGP' }>;

/** Limit of verified self-signatures: keys have few user ids and subkeys. */
const mostBindings = 200;

/** OpenSSL's limit for RSA. */
const mostBits = 16_384;

const loaded = () => import('openpgp');

/** @returns undefined for text that is not an OpenPGP signature */
export async function readGpgSignature(text: string): Promise<Signature | undefined> {
  const { readSignature } = await loaded();
  return readSignature({ armoredSignature: text }).catch(() => undefined);
}

/** Ids of the keys or subkeys that claim the signature: 16 hexadecimal digits each. */
export const signersOf = (signature: Signature): string[] => [
  ...new Set(signature.packets.map(({ issuerKeyID }) => issuerKeyID.toHex().toLowerCase())),
];

/**
 * @param holder the owner of the key of the signature, if there is one
 * @see docs/api/keys.md#5
 */
export async function judgeGpgSignature(
  signature: Signature,
  payload: Buffer,
  holder: KeyOwner | undefined,
  committerEmail: string,
): Promise<GpgSignature> {
  const [signer = null] = signersOf(signature);
  const result = (verification_status: VerificationStatus, known?: Known): GpgSignature => ({
    signature_type: 'PGP',
    verification_status,
    gpg_key_id: holder?.id ?? null,
    gpg_key_primary_keyid: (known?.keyId ?? signer)?.toUpperCase() ?? null,
    gpg_key_user_name: known?.name ?? null,
    gpg_key_user_email: known?.email ?? null,
    gpg_key_subkey_id: null,
  });
  if (signature.packets.length > 1) return result('multiple_signatures');
  if (!holder) return result('unknown_key');
  const { readKey } = await loaded();
  const key = await readKey({ armoredKey: holder.key }).catch(() => undefined);
  if (!key || bindingsOf(key) > mostBindings || ![key, ...key.subkeys].every(isCheap)) return result('unverified_key');
  const theirs = await emailsOf(key);
  const known = {
    keyId: key.getKeyID().toHex(),
    ...(theirs.find(({ email }) => holder.emails.has(email)) ?? theirs[0]),
  };
  if (!theirs.some(({ email }) => holder.emails.has(email))) return result('unverified_key', known);
  if (!(await isMadeBy(key, signature, payload))) return result('unverified', known);
  const committer = committerEmail.toLowerCase();
  if (!holder.emails.has(committer)) return result('other_user', known);
  return result(theirs.some(({ email }) => email === committer) ? 'verified' : 'same_user_different_email', known);
}

interface Known {
  keyId: string;
  name?: string;
  email?: string;
}

/**
 * DSA is computed in JavaScript, with numbers as large as the creator of the key wants, and would block this process
 * for minutes. OpenPGP.js refuses it for signatures of messages, but not for those within a key.
 */
function isCheap(key: Key | Subkey): boolean {
  const { algorithm, bits = 0 } = key.getAlgorithmInfo();
  return algorithm !== 'dsa' && bits <= mostBits;
}

const bindingsOf = ({ users, subkeys, revocationSignatures }: Key): number =>
  users.reduce((sum, user) => sum + user.selfCertifications.length + user.revocationSignatures.length, 0) +
  subkeys.reduce((sum, each) => sum + each.bindingSignatures.length + each.revocationSignatures.length, 0) +
  revocationSignatures.length;

/** Names and addresses that the key certifies. */
async function emailsOf(key: Key): Promise<{ name: string; email: string }[]> {
  const found: { name: string; email: string }[] = [];
  for (const user of key.users) {
    if (!user.userID?.email) continue;
    // It throws for a user id that is not certified, or revoked.
    const isValid = await user.verify().then(
      (answer) => answer === true,
      () => false,
    );
    if (isValid) found.push({ name: user.userID.name, email: user.userID.email.toLowerCase() });
  }
  return found;
}

async function isMadeBy(key: Key, signature: Signature, payload: Buffer): Promise<boolean> {
  const { createMessage, verify } = await loaded();
  const message = await createMessage({ binary: new Uint8Array(payload) });
  try {
    const { signatures } = await verify({ message, signature, verificationKeys: key, format: 'binary' });
    const verdicts = await Promise.all(signatures.map(({ verified }) => verified));
    return verdicts.length === 1 && verdicts[0] === true;
  } catch {
    // The promise rejects with the reason for an invalid signature.
    return false;
  }
}
