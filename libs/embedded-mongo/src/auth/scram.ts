import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { MongoError } from '../errors';

const ITERATIONS = 15_000;
const SALT_BYTES = 28;
const HASH = 'sha256';
const HASH_BYTES = 32;

export interface Credentials {
  username: string;
  password: string;
}

const hmac = (key: Buffer, text: string): Buffer => createHmac(HASH, key).update(text).digest();
const failed = (): MongoError => new MongoError('AuthenticationFailed', 'Authentication failed.');

/** The stored form of a password: enough to check a proof, not enough to create one. */
export class ScramSecret {
  readonly salt = randomBytes(SALT_BYTES).toString('base64');
  readonly iterations = ITERATIONS;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
  readonly username: string;

  constructor({ username, password }: Credentials) {
    this.username = username;
    const salted = pbkdf2Sync(
      password.normalize('NFKC'),
      Buffer.from(this.salt, 'base64'),
      ITERATIONS,
      HASH_BYTES,
      HASH,
    );
    this.storedKey = createHash(HASH).update(hmac(salted, 'Client Key')).digest();
    this.serverKey = hmac(salted, 'Server Key');
  }
}

/**
 * One SCRAM-SHA-256 exchange from the server's side.
 * @see RFC 5802, RFC 7677
 */
export class ScramConversation {
  private readonly authStart: string;
  private readonly nonce: string;
  /** The server's first message. */
  readonly challenge: string;
  private isProved = false;

  /** @throws AuthenticationFailed (18), also for an unknown user */
  constructor(
    private readonly secret: ScramSecret,
    clientFirst: string,
  ) {
    const match = /^n,,(n=([^,]*),r=([^,]+))$/.exec(clientFirst);
    if (!match) throw failed();
    const [, bare, name, clientNonce] = match as unknown as [string, string, string, string];
    if (name.replaceAll('=2C', ',').replaceAll('=3D', '=') !== secret.username) throw failed();
    this.nonce = clientNonce + randomBytes(24).toString('base64');
    this.challenge = `r=${this.nonce},s=${secret.salt},i=${secret.iterations}`;
    this.authStart = `${bare},${this.challenge}`;
  }

  get isDone(): boolean {
    return this.isProved;
  }

  /**
   * Checks the client's proof.
   * @returns the server's own proof, by which the client checks the server
   * @throws AuthenticationFailed (18)
   */
  finish(clientFinal: string): string {
    const match = /^(c=biws,r=([^,]+)),p=([A-Za-z0-9+/=]+)$/.exec(clientFinal);
    if (!match) throw failed();
    const [, withoutProof, nonce, proofText] = match as unknown as [string, string, string, string];
    const proof = Buffer.from(proofText, 'base64');
    if (nonce !== this.nonce || proof.length !== HASH_BYTES) throw failed();
    const message = `${this.authStart},${withoutProof}`;
    const signature = hmac(this.secret.storedKey, message);
    const clientKey = proof.map((byte, at) => byte ^ signature[at]!);
    if (!timingSafeEqual(createHash(HASH).update(clientKey).digest(), this.secret.storedKey)) throw failed();
    this.isProved = true;
    return `v=${hmac(this.secret.serverKey, message).toString('base64')}`;
  }
}
