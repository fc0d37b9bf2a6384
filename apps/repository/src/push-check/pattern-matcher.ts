import { commonErrors } from '@moothall/contracts';
import { InThreads, OutOfBounds } from '@moothall/workers';
import { Injectable } from '@nestjs/common';
import { RE2JS } from 're2js';
import matchInThread, { type Matching } from './match-in-thread';
import { PushRefused } from './push-refused';

/** Up to some milliseconds of work nobody is kept waiting for; a thread takes longer to start. */
const fewSteps = 200_000;

/** Holds patterns of users against texts of users: in linear time, and where that is long, in threads that can be ended. */
@Injectable()
export class PatternMatcher extends InThreads<Matching, boolean[]> {
  constructor() {
    super('@moothall/repository/push-check/match-in-thread', { withinMs: 15_000, memoryMb: 256, threads: 2 });
  }

  /**
   * Which of the texts have something that the pattern describes.
   * @param who stands for the caller: each has his turn
   * @throws PushRefused when it takes too long; common.unavailable when too many wait
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
