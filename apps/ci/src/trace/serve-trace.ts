import { once } from 'node:events';
import type { PresignedUrl } from '@moothall/contracts';
import type { DataPort } from '@moothall/data-port';
import type { Traces } from './trace.repository';

const name = 'job-trace';

/** Lets the data port send what jobs wrote. */
export function serveTraces(dataPort: DataPort, traces: Traces): void {
  dataPort.serve<{ jobId: number }>(name, async ({ jobId }, _request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    for await (const chunk of traces.read(jobId)) {
      // Whoever reads slowly is waited for; whoever went away is not.
      if (!response.write(chunk) && !response.closed)
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
      if (response.closed) return;
    }
    response.end();
  });
}

export const presignTrace = (dataPort: DataPort, jobId: number): PresignedUrl => dataPort.presign(name, { jobId });
