import { FairQueue, type FairQueueOptions } from '@moothall/workers';
import { GitError } from './errors';

/** @throws GitError busy, cancelled */
export class GitQueue extends FairQueue {
  constructor(options: FairQueueOptions) {
    super(options, (reason) => new GitError(reason));
  }
}
