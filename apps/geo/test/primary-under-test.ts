import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  answerGeoQuestion,
  getGeoFile,
  type InputOf,
  listGeoChecksums,
  listGeoEvents,
  listGeoFiles,
  listGeoNodes,
  listGeoProjects,
  type OperationError,
  reportGeoStatus,
} from '@moothall/contracts';
import { type GeoBed, startGeoService } from './geo-under-test';

/** The credential of a secondary. */
export const primaryToken = 'administrators-token-of-the-primary';

/** A real geo service, with an HTTP server like the gateway of a primary. */
export async function startPrimary() {
  const { bed, under } = await startGeoService();
  const server = createServer();
  const site = { bed, under, isAway: false, isOther: false, asked: 0, url: '', credential: primaryToken };
  server.on('request', async (request, response) => {
    site.asked += 1;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://primary');
    if (site.isAway) return response.destroy();
    if (site.isOther) return response.writeHead(200).end('<h1>It works!</h1>');
    const shown = request.headers['private-token'] ?? request.headers.authorization;
    const sent = request.method === 'POST' ? JSON.parse(Buffer.concat(await request.toArray()).toString()) : undefined;
    const fileId = /^\/api\/v4\/geo\/files\/\w+\/(.+)$/.exec(pathname)?.[1];
    if (fileId && shown === site.credential) {
      const kind = pathname.split('/').at(5) as 'lfs_objects';
      return sendFile(bed, { kind, file_id: decodeURIComponent(fileId) }, response);
    }
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
    if (path === '/api/v4/geo/files') {
      const { id_after, newest } = Object.fromEntries(parameters);
      const wanted = { kind: kind as 'lfs_objects', newest: newest === 'true', limit: input.limit as number };
      return { status: 200, body: await bed.call(listGeoFiles, { ...wanted, id_after }, bed.context) };
    }
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

/** Pipes the file from the service that stores it, as the gateway does. */
async function sendFile(bed: GeoBed, input: InputOf<typeof getGeoFile>, response: ServerResponse): Promise<void> {
  try {
    const { url } = await bed.call(getGeoFile, input, bed.context);
    const answer = await fetch(url);
    response.writeHead(answer.ok ? 200 : 404).end(Buffer.from(await answer.arrayBuffer()));
  } catch {
    response.writeHead(404).end();
  }
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
