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
  /** The algorithm; for all keys except the first followed by a dash and the number. */
  _id: string;
  /** PKCS #8 PEM, encrypted. */
  sealedKey: string;
  /** Start of signing: other processes publish it by then; the first key signs immediately. */
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
  /** 1 for the first key, ascending. */
  number: number;
  signsFrom: number;
}

interface Known {
  /** Time of the request. */
  at: number;
  loading: Promise<SigningKey[]>;
}

const algorithm = 'RS256';
/** Maximum delay until a process knows a new key. New keys sign later than that: see the contract. */
const knownForMs = 5_000;
/** For a new key. */
const undecided = new Date('9999-01-01T00:00:00Z');

const idOf = (number: number): string => (number === 1 ? algorithm : `${algorithm}-${number}`);
const numberOf = (id: string): number => Number(id.slice(algorithm.length + 1) || 1);

/** The keys that sign id tokens: created once, and shared by all processes. */
@Injectable()
export class SigningKeys {
  private known: Known | undefined;
  /** By record: parsing a key takes longer than signing. */
  private readonly read = new Map<string, Pair>();

  constructor(
    @InjectModel('SigningKey') private readonly keys: Model<SigningKeyRecord>,
    private readonly box: SecretBox,
  ) {}

  /** The current signing key. */
  async current(): Promise<SigningKey> {
    return chooseKeys(await this.all(), Date.now()).current;
  }

  /** Keys that verify existing or upcoming signatures. */
  async published(): Promise<SigningKey[]> {
    return chooseKeys(await this.all(), Date.now()).published;
  }

  /**
   * Creates a key that signs after every process has published it, and deletes keys that are no longer needed.
   * @returns the pending key, if there is one
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
      // A concurrent request created one.
      if (!isDuplicateKey(error, '_id')) throw error;
    }
    const retired = keys.filter((_, at) => (keys[at + 1]?.signsFrom ?? now) + publishedForMs < now);
    await this.keys.deleteMany({ _id: { $in: retired.map((key) => idOf(key.number)) } });
    return this.decide(number, afterSeconds);
  }

  /** Counted from when others can publish it, because its creation takes any time. */
  private async decide(number: number, afterSeconds: number): Promise<SigningKey> {
    const _id = idOf(number);
    const signsFrom = new Date((await databaseTime(this.keys.db)).getTime() + afterSeconds * 1000);
    await this.keys.updateOne({ _id, signsFrom: undecided }, { $set: { signsFrom } });
    this.known = undefined;
    return this.keyOf(present(await this.keys.findById(_id).lean<SigningKeyRecord>(), 'the new key'));
  }

  /** Read again if the read took longer than the delay of new keys. */
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

  /** In order of creation. */
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
    // If two processes create a key, both use the first one.
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
