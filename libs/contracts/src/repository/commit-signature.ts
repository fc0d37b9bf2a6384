import { z } from 'zod';
import { id, internal, operation, time } from '../operation';

/** How far a signature is believed. See docs/api/keys.md#5. */
export const verificationStatuses = [
  'verified',
  'unverified',
  'unverified_key',
  'unknown_key',
  'other_user',
  'same_user_different_email',
  'multiple_signatures',
] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

const verification_status = z.enum(verificationStatuses);

const GpgSignature = z.object({
  signature_type: z.literal('PGP'),
  verification_status,
  gpg_key_id: id.nullable().describe('Null if no user here has the key'),
  gpg_key_primary_keyid: z.string().nullable().describe('16 hexadecimal digits; of an unknown key, what signed'),
  gpg_key_user_name: z.string().nullable(),
  gpg_key_user_email: z.string().nullable(),
  gpg_key_subkey_id: z.null(),
});

const SshSignature = z.object({
  signature_type: z.literal('SSH'),
  verification_status,
  key: z
    .object({
      id,
      title: z.string(),
      key: z.string(),
      created_at: time,
      expires_at: time.nullable(),
      usage_type: z.enum(['auth', 'signing', 'auth_and_signing']),
    })
    .nullable()
    .describe('Null if no user here has the key'),
});

const X509Signature = z.object({
  signature_type: z.literal('X509'),
  verification_status,
  x509_certificate: z
    .object({
      id: z.int().describe('The same for the same certificate'),
      subject: z.string(),
      subject_key_identifier: z.string(),
      email: z.string().nullable(),
      serial_number: z.string().describe('In decimal digits'),
      certificate_status: z.enum(['good', 'revoked']),
      x509_issuer: z.object({
        id: z.int().describe('The same for the same name'),
        subject: z.string(),
        subject_key_identifier: z.string(),
        crl_url: z.string().nullable(),
      }),
    })
    .nullable()
    .describe('Null if unreadable'),
});

export const CommitSignature = z.discriminatedUnion('signature_type', [GpgSignature, SshSignature, X509Signature]);
export type CommitSignature = z.infer<typeof CommitSignature>;

/** Limits of signatures and signed texts; longer ones are not checked. */
export const signatureLimits = { signature: 64 * 1024, payload: 1024 * 1024 };

/** The verification of a signature with the keys of users. Null for a text that is no signature. */
export const verifySignature = operation({
  name: 'identity.signatures.verify',
  access: internal(),
  isRead: true,
  input: z.object({
    signature: z.string().max(signatureLimits.signature),
    payload: z.string().describe('The signed content in base64'),
    committer_email: z.string(),
  }),
  output: CommitSignature.nullable(),
});
