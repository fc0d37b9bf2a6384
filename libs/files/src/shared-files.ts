import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { PeriodicJob } from '@moothall/background';
import { present } from '@moothall/contracts';
import { ObjectMissing, ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

const key = 'instance/marker';

interface Facts {
  _id: string;
  marker: string;
  isPlaced: boolean;
}

/**
 * Reports if a replica stores files in another folder than the others, for example on its own disk: the others would
 * not find its files. The database has a marker that must be among the files of each.
 */
@Injectable()
export class SharedFiles {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly storage: ObjectStorage,
  ) {}

  /** @throws Error, for the log and the metrics, while that is the case */
  @PeriodicJob('shared files', { everySeconds: 60, byEach: true })
  async check(): Promise<void> {
    const facts = this.connection.collection<Facts>('facts');
    const record = await facts.findOneAndUpdate(
      { _id: 'files' },
      { $setOnInsert: { marker: randomUUID(), isPlaced: false } },
      { upsert: true, returnDocument: 'after' },
    );
    const known = present(record, 'the marker of the files');
    if ((await this.marker()) === known.marker) return;
    if (known.isPlaced)
      throw new Error('files that other replicas keep are not here: give all one volume, or a bucket (S3_ENDPOINT)');
    await this.storage.write(key, Readable.from([known.marker]));
    await facts.updateOne({ _id: 'files' }, { $set: { isPlaced: true } });
  }

  /** Whether the files here are those of this site, and not of another one with the same folder. */
  async isOwn(): Promise<boolean> {
    const known = await this.connection.collection<Facts>('facts').findOne({ _id: 'files' });
    return known !== null && known.marker === (await this.marker());
  }

  private async marker(): Promise<string | undefined> {
    try {
      return await text((await this.storage.read(key)).stream);
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined;
      throw error;
    }
  }
}
