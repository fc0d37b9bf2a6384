import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PresignedUrl } from '@moothall/contracts';
import type { DataPort } from '@moothall/data-port';
import type { Traces } from './trace.repository';

const name = 'job-trace';

/** Serves logs of jobs at the data port. */
export function serveTraces(dataPort: DataPort, traces: Traces): void {
  dataPort.serve<{ jobId: number }>(name, async ({ jobId }, _request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    // Waits for slow readers, but not for disconnected ones.
    await pipeline(Readable.from(traces.read(jobId)), response);
  });
}

export const presignTraceUrl = (dataPort: DataPort, jobId: number): PresignedUrl => dataPort.presign(name, { jobId });
