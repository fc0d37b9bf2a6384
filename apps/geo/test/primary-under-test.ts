import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  answerGeoQuestion,
  type InputOf,
  listGeoChecksums,
  listGeoEvents,
  listGeoNodes,
  listGeoProjects,
  type OperationError,
  reportGeoStatus,
} from '@moothall/contracts';
import { type GeoBed, startGeoService } from './geo-under-test';

/** By what a secondary is let in. */
export const primaryToken = 'administrators-token-of-the-primary';

/** A real geo service, answering by HTTP as the gateway of a primary does. */
export async function startPrimary() {
  const { bed, under } = await startGeoService();
  const server = createServer();
  const site = { bed, under, isAway: false, asked: 0, url: '', credential: primaryToken };
  server.on('request', async (request, response) => {
    site.asked += 1;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://primary');
    if (site.isAway) return response.destroy();
    const shown = request.headers['private-token'] ?? request.headers.authorization;
    const sent = request.method === 'POST' ? JSON.parse(Buffer.concat(await request.toArray()).toString()) : undefined;
    const { status, body } =
      shown === site.credential ? await answerOf(bed, pathname, searchParams, sent) : { status: 401, body: {} };
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(site, {
    async stop() {
      await closed(server);
      await under.stop();
    },
  });
}

async function answerOf(bed: GeoBed, path: string, parameters: URLSearchParams, sent: unknown) {
  const { project_ids, kind } = Object.fromEntries(parameters);
  const input = Object.fromEntries([...parameters].map(([name, value]) => [name, Number(value)]));
  try {
    if (path === '/api/v4/geo/status')
      return { status: 201, body: await bed.call(reportGeoStatus, sent as InputOf<typeof reportGeoStatus>) };
    if (path === '/api/v4/geo/events') return { status: 200, body: await bed.call(listGeoEvents, input, bed.context) };
    if (path === '/api/v4/geo/projects')
      return { status: 200, body: await bed.call(listGeoProjects, input, bed.context) };
    if (path === '/api/v4/geo/checksums') {
      const asked = { project_ids: project_ids!.split(',').map(Number), kind: kind as 'code' };
      return { status: 200, body: await bed.call(listGeoChecksums, asked, bed.context) };
    }
    if (path === '/api/v4/geo_nodes')
      return { status: 200, body: (await bed.call(listGeoNodes, input as never, bed.context)).items };
    if (path === '/api/v4/geo/questions')
      return { status: 200, body: await bed.call(answerGeoQuestion, sent as never, bed.context) };
    return { status: 404, body: {} };
  } catch (error) {
    const { value } = error as OperationError;
    return { status: value.code === 'geo.cursor_expired' ? 410 : 500, body: value };
  }
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
