import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';

const runner = path.resolve(__dirname, '../../../tools/runner.mjs');

/** A folder with one commit. @returns its id */
function commitTo(folder: string): string {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();
  git('init', '--quiet', '--initial-branch=main');
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  git(...author, 'commit', '--quiet', '--allow-empty', '--message=All of it');
  return git('rev-parse', 'HEAD');
}

it('reports a failed job if earlier artifacts are refused', async () => {
  const folder = temporaryFolder('runner');
  const job = {
    id: 7,
    token: 'job-token',
    job_info: { name: 'test', project_id: 1 },
    git_info: {
      repo_url: pathToFileURL(folder).href,
      sha: commitTo(folder),
      refspecs: ['+refs/heads/main:refs/remotes/origin/main'],
      depth: 1,
    },
    runner_info: { timeout: 60 },
    variables: [],
    steps: [],
    artifacts: [],
    cache: [],
    dependencies: [{ id: 6, name: 'build', token: 'job-token' }],
  };
  let [trace, reported] = ['', ''];
  const answers: Record<string, (request: IncomingMessage) => Promise<[number, unknown, object?]>> = {
    'POST /api/v4/jobs/request': async () => [201, job],
    'PATCH /api/v4/jobs/7/trace': async (request) => {
      trace += await text(request);
      return [202, {}, { range: `0-${trace.length}` }];
    },
    'PUT /api/v4/jobs/7': async (request) => {
      reported = await text(request);
      return [200, {}];
    },
  };
  const server = createServer(async (request, response) => {
    const answer = answers[`${request.method} ${request.url}`];
    const [status, body, headers = {}] = answer ? await answer(request) : [403, {}];
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = [runner, '--url', url, '--token', 'runner-token', '--once'];
    const child = spawn(process.execPath, args, { stdio: 'ignore', timeout: 60_000 });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(JSON.parse(reported)).toMatchObject({ state: 'failed', failure_reason: 'runner_system_failure' });
    expect(trace).toContain('the artifacts of build were refused: 403');
  } finally {
    server.closeAllConnections();
    server.close();
    await removeTemporaryFolder(folder);
  }
});
