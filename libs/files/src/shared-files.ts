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
 * Says where a replica keeps files in another place than the others, as with a disk of its own: what one takes the others
 * would not find. The database knows a marker, which has to be among the files of each.
 */
@Injectable()
export class SharedFiles {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly storage: ObjectStorage,
  ) {}

  /** @throws Error, in the log and the metrics, as long as it is so */
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

  /** Whether the files here are those of this site, and not of another that was given the same place. */
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
