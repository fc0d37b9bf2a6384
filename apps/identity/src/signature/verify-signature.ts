import { createHash, type X509Certificate } from 'node:crypto';
import {
  type CommitSignature,
  type ContextOf,
  type ParsedOf,
  signatureLimits,
  verifySignature,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { GpgKeys } from '../gpg-key/gpg-key.repository';
import type { IdentitySettings } from '../settings/settings';
import { SshKeys } from '../ssh-key/ssh-key.repository';
import { Users } from '../user/user.repository';
import { judgeGpgSignature, readGpgSignature, signersOf } from './gpg-signature';
import { confirmedEmails } from './known-emails';
import { isSshSignatureOf, readSshSignature, type SshSignature } from './ssh-signature';
import { readTrustedRoots } from './trusted-roots';
import { judgeX509Signature, readX509Signature } from './x509-signature';

/** Verifies signatures. See docs/api/keys.md#5. */
@Controller()
export class VerifySignature {
  private readonly roots: X509Certificate[];

  constructor(
    private readonly users: Users,
    private readonly gpgKeys: GpgKeys,
    private readonly sshKeys: SshKeys,
    @Inject(settingsToken) settings: IdentitySettings,
  ) {
    this.roots = readTrustedRoots(settings.SIGNATURE_CA_FILE);
  }

  @Handles(verifySignature)
  async handle(
    _context: ContextOf<typeof verifySignature>,
    { signature, payload, committer_email: email }: ParsedOf<typeof verifySignature>,
  ): Promise<CommitSignature | null> {
    const signed = Buffer.from(payload, 'base64');
    if (signed.length > signatureLimits.payload) return null;
    const ssh = readSshSignature(signature);
    if (ssh) return this.ssh(ssh, signed, email);
    const x509 = readX509Signature(signature);
    if (x509) {
      const emails = await this.emailsOf(email);
      const isTheirs = (other: string) => other === email.toLowerCase() && emails.has(other);
      return judgeX509Signature(x509, signed, this.roots, isTheirs);
    }
    return this.gpg(signature, signed, email);
  }

  private async gpg(text: string, signed: Buffer, email: string): Promise<CommitSignature | null> {
    const signature = await readGpgSignature(text);
    if (!signature || signature.packets.length === 0) return null;
    const key = await this.gpgKeys.findBySigner(signersOf(signature));
    const user = key && (await this.users.find(key.userId));
    const holder = key && user ? { id: key._id, key: key.key, emails: confirmedEmails(user) } : undefined;
    return judgeGpgSignature(signature, signed, holder, email);
  }

  private async ssh(signature: SshSignature, signed: Buffer, email: string): Promise<CommitSignature> {
    const sha256 = `SHA256:${createHash('sha256').update(signature.key).digest('base64').replaceAll('=', '')}`;
    const found = await this.sshKeys.findByFingerprint({ sha256 });
    const key = found?.kind === 'user' && found.usage !== 'auth' ? found : null;
    const status = async () => {
      if (!isSshSignatureOf(signature, signed)) return 'unverified';
      if (!key) return 'unknown_key';
      const user = await this.users.find(key.userId);
      return user && confirmedEmails(user).has(email.toLowerCase()) ? 'verified' : 'other_user';
    };
    return {
      signature_type: 'SSH',
      verification_status: await status(),
      key: key && {
        ...{ id: key._id, title: key.title, key: key.key, created_at: key.createdAt.toISOString() },
        expires_at: key.expiresAt?.toISOString() ?? null,
        usage_type: key.usage ?? 'auth_and_signing',
      },
    };
  }

  /** Confirmed addresses of the user with this address. */
  private async emailsOf(email: string): Promise<Set<string>> {
    const user = await this.users.findByEmail(email);
    return user ? confirmedEmails(user) : new Set();
  }
}
