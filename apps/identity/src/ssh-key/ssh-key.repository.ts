import { keyChanged, keyErrors, type Page } from '@moothall/contracts';
import { Counters, findPage, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { isBeforeToday } from '../expiry/is-before-today';
import type { PublicKey } from './parse-public-key';
import type { SshKey } from './ssh-key.schema';

export type NewKey = Pick<SshKey, 'kind' | 'userId' | 'title' | 'expiresAt'> &
  Partial<Pick<SshKey, 'isPublic' | 'enablements' | 'usage'>>;

/** Problems that prevent adding a key, besides those of the key itself. See docs/api/keys.md#1. */
export function keyProblems({ title, expiresAt }: Pick<NewKey, 'title' | 'expiresAt'>): Record<string, string[]> {
  return {
    ...(title.length > 255 && { title: ['is too long (maximum is 255 characters)'] }),
    ...(expiresAt !== null && isBeforeToday(expiresAt) && { expires_at: ['must be in the future'] }),
  };
}

/** Queries on the keys of users and on keys of both kinds; those of deploy keys alone are in DeployKeys. */
@Injectable()
export class SshKeys {
  constructor(
    @InjectModel('SshKey') private readonly keys: Model<SshKey>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
  ) {}

  /** @throws MongoServerError 11000 if the key exists */
  async add(key: NewKey, { text, md5, sha256 }: PublicKey): Promise<SshKey> {
    const _id = await this.counters.next('ssh_keys');
    const event = changeOf('create', { ...key, _id, key: text });
    const document = { isPublic: false, enablements: [], lastUsedAt: null, ...key, _id, key: text, md5, sha256 };
    return this.outbox.insert(this.keys, document, event);
  }

  page(filter: QueryFilter<SshKey>, input: { page: number; per_page: number }): Promise<Page<SshKey>> {
    return findPage(this.keys, filter, { _id: 1 }, input);
  }

  /** @throws key.not_found */
  async getOfUser(userId: number, id: number): Promise<SshKey> {
    const key = await this.keys.findOne({ _id: id, userId, kind: 'user' }).lean<SshKey>();
    if (!key) throw keyErrors.notFound();
    return key;
  }

  find(id: number): Promise<SshKey | null> {
    return this.keys.findById(id).lean<SshKey>();
  }

  findByFingerprint(fingerprint: { md5: string } | { sha256: string }): Promise<SshKey | null> {
    return this.keys.findOne(fingerprint).lean<SshKey>();
  }

  async markUsed(id: number): Promise<void> {
    await this.keys.updateOne({ _id: id }, { $set: { lastUsedAt: new Date() } });
  }

  async remove(key: SshKey): Promise<void> {
    await this.outbox.remove(this.keys, key._id, endOf(key));
  }

  /** Deletes a deploy key without projects, unless it is public. */
  async removeUnused(id: number): Promise<void> {
    const unused: QueryFilter<SshKey> = { kind: 'deploy', isPublic: false, enablements: { $size: 0 } };
    const key = await this.keys.findOne({ ...unused, _id: id }).lean<SshKey>();
    // A project may enable it meanwhile.
    if (key) await this.outbox.removeIf(this.keys, id, unused, endOf(key));
  }

  /** Their own keys; deploy keys belong to projects and stay. */
  async removeOfUser(userId: number): Promise<void> {
    for (const key of await this.keys.find({ userId, kind: 'user' }).lean<SshKey[]>()) await this.remove(key);
  }
}

const changeOf = (
  action: 'create' | 'destroy',
  { _id, kind, userId, title, key }: Pick<SshKey, '_id' | 'kind' | 'userId' | 'title' | 'key'>,
) => newEvent(keyChanged, { action, key_id: _id, kind, user_id: userId, title, key });

/** Two concurrent removals publish the same event. */
const endOf = (key: SshKey) => ({ ...changeOf('destroy', key), id: `end of key ${key._id}` });
