import { commonErrors } from '@moothall/contracts';
import { InThreads, OutOfBounds } from '@moothall/workers';
import { Injectable } from '@nestjs/common';
import { RE2JS } from 're2js';
import matchInThread, { type Matching } from './match-in-thread';
import { PushRefused } from './push-refused';

/** A few milliseconds of work are done in this thread; a worker thread takes longer to start. */
const fewSteps = 200_000;

/**
 * Matches patterns of users against texts of users: in linear time, and large inputs in threads that can be terminated.
 */
@Injectable()
export class PatternMatcher extends InThreads<Matching, boolean[]> {
  constructor() {
    super('@moothall/repository/push-check/match-in-thread', { withinMs: 15_000, memoryMb: 256, threads: 2 });
  }

  /**
   * Which of the texts match the pattern.
   * @param who identifies the caller: callers take turns
   * @throws PushRefused at the time limit; common.unavailable if too many are queued
   */
  async find(matching: Matching, who: string): Promise<boolean[]> {
    const letters = matching.texts.reduce((sum, text) => sum + text.length, 0);
    if (letters * RE2JS.compile(matching.pattern).programSize() <= fewSteps) return matchInThread(matching);
    try {
      return await this.pool.run(matching, { who });
    } catch (error) {
      if (!(error instanceof OutOfBounds)) throw error;
      if (error.bound === 'waiting') throw commonErrors.unavailable();
      throw new PushRefused(`The pattern '${matching.pattern}' of the push rules takes too much ${error.bound} here`);
    }
  }
}
