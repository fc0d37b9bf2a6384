import type { ObjectReader } from '../objects/object-reader';
import type { RepositoryStorage } from '../storage/storage';
import type { LogReader } from './log';

export interface RepositoryStatistics {
  /** Of the default branch. */
  commitCount: number;
  /** On disk. */
  sizeBytes: number;
}

/** Repository figures for `statistics` in the v4 interface. */
export class StatisticsReader {
  constructor(
    private readonly storage: RepositoryStorage,
    private readonly objects: ObjectReader,
    private readonly log: LogReader,
  ) {}

  async read(repository: string): Promise<RepositoryStatistics> {
    const from = await this.objects.resolve(repository);
    const [commitCount, sizeBytes] = await Promise.all([
      from ? this.log.count(repository, { from }) : 0,
      this.storage.sizeBytes(repository),
    ]);
    return { commitCount, sizeBytes };
  }
}
