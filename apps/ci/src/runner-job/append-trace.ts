import { appendJobTrace, type ContextOf, commonErrors, invalidParameters, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Traces } from '../trace/trace.repository';
import { notRunning, RunningJob, statusReply } from './running-job';

const maxTraceBytes = 16 * 1024 * 1024;
/** How often runners send updates. */
const updateIntervalSeconds = '3';

@Controller()
export class AppendTrace {
  constructor(
    private readonly running: RunningJob,
    private readonly traces: Traces,
  ) {}

  @Handles(appendJobTrace)
  async handle(_context: ContextOf<typeof appendJobTrace>, input: ParsedOf<typeof appendJobTrace>) {
    const data = Buffer.from(input.body, 'base64');
    const offset = offsetOf(input.content_range, data.length);
    const { job, pipeline } = await this.running.get(input.id, input.token);
    if (job.status !== 'running') return notRunning(job);
    if (offset + data.length > maxTraceBytes) throw commonErrors.tooLarge();
    const isAppended = await this.traces.append(pipeline.projectId, job.id, offset, data);
    const size = isAppended ? offset + data.length : await this.traces.sizeOf(job.id);
    const headers = { Range: `0-${size}`, 'X-GitLab-Trace-Update-Interval': updateIntervalSeconds };
    return isAppended
      ? statusReply(job, 202, '202 Accepted', headers)
      : statusReply(job, 416, '416 Range Not Satisfiable', headers);
  }
}

/** @param range as `0-99`, both ends inclusive @throws common.invalid_parameters when it is not that of the body */
function offsetOf(range: string, length: number): number {
  const match = /^(\d{1,12})-(\d{1,12})/.exec(range);
  const [from, to] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || length === 0 || to - from + 1 !== length) throw invalidParameters('content_range is invalid');
  return from;
}
