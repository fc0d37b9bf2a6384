import { setImmediate as breathe } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Job } from '../pipeline/pipeline.schema';
import { coverageOf, coveragePattern } from '../pipeline-file/coverage-pattern';
import { Traces } from '../trace/trace.repository';

/** Coverage is at the end of a log. */
const searchedBytes = 64 * 1024;
/** Characters that are searched per turn of the event loop. */
const charsPerTurn = 4 * 1024;

/** Finds the coverage in the logs of jobs. See docs/api/pipeline-files.md#9. */
@Injectable()
export class Coverage {
  constructor(private readonly traces: Traces) {}

  /** In percent, by the job's pattern, from the last line that has it; undefined without either. */
  async of({ id, coveragePattern: pattern }: Pick<Job, 'id' | 'coveragePattern'>): Promise<number | undefined> {
    if (!pattern) return undefined;
    const compiled = coveragePattern(pattern);
    const lines = (await this.traces.tail(id, searchedBytes))
      .toString('utf8')
      .split(/\r?\n|\r/)
      .reverse();
    let chars = 0;
    for (const line of lines) {
      const percent = coverageOf(line, compiled);
      if (percent !== undefined) return percent;
      chars += line.length + 1;
      if (chars < charsPerTurn) continue;
      chars = 0;
      await breathe();
    }
    return undefined;
  }
}
