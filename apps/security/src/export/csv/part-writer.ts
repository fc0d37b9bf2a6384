import { severities } from '@moothall/contracts';
import { settingsToken } from '@moothall/service';
import { InThreads } from '@moothall/workers';
import { Inject, Injectable } from '@nestjs/common';
import type { SecuritySettings } from '../../settings/settings';
import type { Part, WrittenPart } from './write-part-in-thread';

/** Writes parts of exports in threads, one at a time for each user. */
@Injectable()
export class PartWriter extends InThreads<Part, WrittenPart> {
  constructor(@Inject(settingsToken) private readonly settings: SecuritySettings) {
    super('@moothall/security/export/csv/write-part-in-thread', {
      withinMs: 600_000,
      memoryMb: 192,
      threads: 2,
      share: 1,
      isBackground: true,
    });
  }

  /** @throws Error also at the time limit; nothing is stored then */
  write(part: Omit<Part, 'database' | 'storage' | 'severities'>, who: string): Promise<WrittenPart> {
    const { MONGODB_URI, MONGODB_PREFIX, OBJECT_STORAGE_DIR, S3_ENDPOINT, S3_BUCKET, S3_REGION } = this.settings;
    const { S3_ACCESS_KEY, S3_SECRET_KEY, FSYNC } = this.settings;
    const bucket = { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY, S3_SECRET_KEY };
    const database = { uri: MONGODB_URI, name: `${MONGODB_PREFIX}_security` };
    const settings = { database, storage: { OBJECT_STORAGE_DIR, FSYNC, ...bucket }, severities: severities.length };
    return this.pool.run({ ...part, ...settings }, { who });
  }
}
