import { utils } from 'ssh2';

/** Both in OpenSSH's form. */
export interface SshKeyPair {
  private: string;
  public: string;
}

type Kind = 'ed25519' | 'ecdsa';

const makers: Record<Kind, (comment: string) => SshKeyPair> = {
  ed25519: (comment) => utils.generateKeyPairSync('ed25519', { comment }),
  ecdsa: (comment) => utils.generateKeyPairSync('ecdsa', { bits: 256, comment }),
};

/**
 * A new key pair in OpenSSH's format. About one in 250 ed25519 pairs of ssh2 is unreadable, because it drops a
 * leading zero: such a pair is discarded.
 */
export function newSshKeyPair(kind: Kind, comment = ''): SshKeyPair {
  for (;;) {
    const pair = makers[kind](comment);
    if ([pair.private, pair.public].every((key) => !(utils.parseKey(key) instanceof Error))) return pair;
  }
}
