import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { loadOnce } from '@moothall/background';
import { present } from '@moothall/contracts';
import { sealedFields } from '@moothall/database';
import { SecretBox } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Schema } from 'mongoose';

export interface SigningKeyRecord {
  /** The algorithm: there is one key of each. */
  _id: string;
  /** PKCS #8 PEM, sealed. */
  sealedKey: string;
}

export const signingKeySchema = new Schema<SigningKeyRecord>(
  { _id: String, sealedKey: String },
  { versionKey: false, collection: 'signing_keys' },
);
signingKeySchema.plugin(sealedFields, ['sealedKey']);

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** The public half, as clients fetch it. */
  jwk: { kty: string; kid: string } & Record<string, unknown>;
}

const algorithm = 'RS256';

/** The key that id tokens are signed with: made once, and the same in every process. */
@Injectable()
export class SigningKeys {
  readonly current = loadOnce(() => this.load());

  constructor(
    @InjectModel('SigningKey') private readonly keys: Model<SigningKeyRecord>,
    private readonly box: SecretBox,
  ) {}

  private async load(): Promise<SigningKey> {
    const record = (await this.keys.findById(algorithm).lean<SigningKeyRecord>()) ?? (await this.make());
    const privateKey = createPrivateKey(this.box.open(record.sealedKey));
    const publicKey = createPublicKey(privateKey);
    const jwk = publicKey.export({ format: 'jwk' });
    const kid = createHash('sha256')
      .update(JSON.stringify([jwk.e, jwk.kty, jwk.n]))
      .digest('base64url');
    return { kid, privateKey, publicKey, jwk: { ...jwk, kty: 'RSA', kid, use: 'sig', alg: algorithm } };
  }

  private async make(): Promise<SigningKeyRecord> {
    const { privateKey } = await promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    // Where two processes make one, both take the first.
    return this.keys
      .findOneAndUpdate(
        { _id: algorithm },
        { $setOnInsert: { sealedKey: this.box.seal(privateKey) } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean<SigningKeyRecord>()
      .then((record) => present(record, 'a key to sign with'));
  }
}
