import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { present } from '@moothall/contracts';
import { databaseTime, isDuplicateKey, sealedFields } from '@moothall/database';
import { SecretBox } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Schema } from 'mongoose';
import { chooseKeys, publishedForMs } from './choose-keys';

export interface SigningKeyRecord {
  /** The algorithm, and of all keys but the first a dash and which one it is. */
  _id: string;
  /** PKCS #8 PEM, sealed. */
  sealedKey: string;
  /** Others publish it by then; the first signs from the beginning. */
  signsFrom?: Date;
}

export const signingKeySchema = new Schema<SigningKeyRecord>(
  { _id: String, sealedKey: String, signsFrom: { type: Date, default: undefined } },
  { versionKey: false, collection: 'signing_keys' },
);
signingKeySchema.plugin(sealedFields, ['sealedKey']);

interface Pair {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** The public half, as clients fetch it. */
  jwk: { kty: string; kid: string } & Record<string, unknown>;
}

export interface SigningKey extends Pair {
  /** 1 for the first, and so on. */
  number: number;
  signsFrom: number;
}

interface Known {
  /** When it was asked for. */
  at: number;
  loading: Promise<SigningKey[]>;
}

const algorithm = 'RS256';
/** A process knows of a new key after so long at the latest. A new one signs later than that: see the contract. */
const knownForMs = 5_000;
/** Of a key that was just made. */
const undecided = new Date('9999-01-01T00:00:00Z');

const idOf = (number: number): string => (number === 1 ? algorithm : `${algorithm}-${number}`);
const numberOf = (id: string): number => Number(id.slice(algorithm.length + 1) || 1);

/** The keys that id tokens are signed with: made once each, and the same in every process. */
@Injectable()
export class SigningKeys {
  private known: Known | undefined;
  /** By their records: reading one takes longer than signing with it. */
  private readonly read = new Map<string, Pair>();

  constructor(
    @InjectModel('SigningKey') private readonly keys: Model<SigningKeyRecord>,
    private readonly box: SecretBox,
  ) {}

  /** What is signed now is signed with it. */
  async current(): Promise<SigningKey> {
    return chooseKeys(await this.all(), Date.now()).current;
  }

  /** Those whose signatures somebody may hold, or will. */
  async published(): Promise<SigningKey[]> {
    return chooseKeys(await this.all(), Date.now()).published;
  }

  /**
   * Makes a key that signs when every process has published it for a while, and forgets those that nobody needs any more.
   * @returns the one that waits already, where there is one
   */
  async rotate(afterSeconds: number): Promise<SigningKey> {
    await this.all();
    const now = (await databaseTime(this.keys.db)).getTime();
    const keys = (await this.records()).map((record) => this.keyOf(record));
    const newest = present(keys.at(-1), 'a key to sign with');
    if (newest.signsFrom > now) return this.decide(newest.number, afterSeconds);
    const number = newest.number + 1;
    try {
      await this.keys.create({ _id: idOf(number), ...(await this.make()), signsFrom: undecided });
    } catch (error) {
      // Somebody else has just made one.
      if (!isDuplicateKey(error, '_id')) throw error;
    }
    const retired = keys.filter((_, at) => (keys[at + 1]?.signsFrom ?? now) + publishedForMs < now);
    await this.keys.deleteMany({ _id: { $in: retired.map((key) => idOf(key.number)) } });
    return this.decide(number, afterSeconds);
  }

  /** Counted from when it is there for others to publish: to make one takes as long as it takes. */
  private async decide(number: number, afterSeconds: number): Promise<SigningKey> {
    const _id = idOf(number);
    const signsFrom = new Date((await databaseTime(this.keys.db)).getTime() + afterSeconds * 1000);
    await this.keys.updateOne({ _id, signsFrom: undecided }, { $set: { signsFrom } });
    this.known = undefined;
    return this.keyOf(present(await this.keys.findById(_id).lean<SigningKeyRecord>(), 'the new key'));
  }

  /** What took longer to read than anybody waits with a new key is read again. */
  private async all(): Promise<SigningKey[]> {
    for (;;) {
      const known = this.readLately();
      const keys = await known.loading;
      if (performance.now() - known.at < 2 * knownForMs) return keys;
    }
  }

  private readLately(): Known {
    if (this.known && performance.now() - this.known.at < knownForMs) return this.known;
    const known = { at: performance.now(), loading: this.load() };
    this.known = known;
    known.loading.catch(() => {
      if (this.known === known) this.known = undefined;
    });
    return known;
  }

  private async load(): Promise<SigningKey[]> {
    const records = await this.records();
    return (records.length > 0 ? records : [await this.makeFirst()]).map((record) => this.keyOf(record));
  }

  /** The first one first. */
  private async records(): Promise<SigningKeyRecord[]> {
    const records = await this.keys.find().lean<SigningKeyRecord[]>();
    return records.sort((a, b) => numberOf(a._id) - numberOf(b._id));
  }

  private keyOf({ _id, sealedKey, signsFrom }: SigningKeyRecord): SigningKey {
    const pair = this.read.get(_id) ?? readPair(this.box.open(sealedKey));
    this.read.set(_id, pair);
    return { number: numberOf(_id), signsFrom: signsFrom?.getTime() ?? 0, ...pair };
  }

  private async make(): Promise<Pick<SigningKeyRecord, 'sealedKey'>> {
    const { privateKey } = await promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    return { sealedKey: this.box.seal(privateKey) };
  }

  private async makeFirst(): Promise<SigningKeyRecord> {
    // Where two processes make one, both take the first.
    return this.keys
      .findOneAndUpdate(
        { _id: idOf(1) },
        { $setOnInsert: await this.make() },
        { upsert: true, returnDocument: 'after' },
      )
      .lean<SigningKeyRecord>()
      .then((record) => present(record, 'a key to sign with'));
  }
}

function readPair(pem: string): Pair {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  const jwk = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256')
    .update(JSON.stringify([jwk.e, jwk.kty, jwk.n]))
    .digest('base64url');
  return { kid, privateKey, publicKey, jwk: { ...jwk, kty: 'RSA', kid, use: 'sig', alg: algorithm } };
}
