/** Artifacts of a gigabyte up and down, next to a bare stream to and from the disk through one proxy; and their memory. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, createReadStream, createWriteStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { api, memoryOf } from './stack.mjs';

// The form around the file counts as well.
const bytes = (1 << 30) - (1 << 20);
const block = randomBytes(1 << 20);

function largeFile(folder) {
  const file = path.join(folder, 'large.zip');
  const handle = openSync(file, 'w');
  for (let at = 0; at < bytes; at += block.length) writeSync(handle, block);
  closeSync(handle);
  return file;
}

/** Takes bodies to a file and answers with it, through another server that only passes them on. */
async function startFloor(folder) {
  const kept = path.join(folder, 'kept');
  const store = createServer(async (request, response) => {
    if (request.method === 'POST') {
      await pipeline(request, createWriteStream(kept, { flush: true }));
      response.writeHead(201).end();
    } else {
      await pipeline(createReadStream(kept), response);
    }
  }).listen(0, '127.0.0.1');
  await once(store, 'listening');
  const proxy = createServer((request, response) => {
    const { method, headers } = request;
    const onward = send({ port: store.address().port, method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const stop = () => [store, proxy].map((server) => server.close());
  return { url: `http://127.0.0.1:${proxy.address().port}`, stop };
}

/** @returns how long curl takes, and the most memory that the server has meanwhile */
async function seconds(stack, args) {
  const began = performance.now();
  const client = spawn('curl', ['-sf', '-o', '/dev/null', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(stack.pid));
  }, 1000);
  const [code] = await once(client, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`curl ${args.at(-1)} ended with ${code}`);
  return { took: (performance.now() - began) / 1000, peak };
}

/** A job that runs, and the token by which its runner sends. */
async function runningJob(stack) {
  await api(stack, 'PUT', '/application/settings', { max_artifacts_size: 1024 });
  const project = await api(stack, 'POST', '/projects', { name: `artifacts-${Date.now()}` });
  const runner = await api(stack, 'POST', '/user/runners', { runner_type: 'project_type', project_id: project.id });
  const content = JSON.stringify({ build: { script: ['make'], artifacts: { paths: ['out/'] } } });
  await api(stack, 'POST', `/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Add a job',
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content }],
  });
  await api(stack, 'POST', `/projects/${project.id}/pipeline`, { ref: 'main' });
  return { project, job: await api(stack, 'POST', '/jobs/request', { token: runner.token }) };
}

export async function measureArtifacts(stack) {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-artifacts-'));
  const floor = await startFloor(folder);
  try {
    const form = ['-F', `file=@${largeFile(folder)}`];
    const { project, job } = await runningJob(stack);
    const before = memoryOf(stack.pid);
    const asRunner = ['-H', `JOB-TOKEN: ${job.token}`];
    const bareUp = await seconds(stack, [...form, floor.url]);
    const up = await seconds(stack, [...asRunner, ...form, `${stack.url}/api/v4/jobs/${job.id}/artifacts`]);
    const asUser = ['-H', `PRIVATE-TOKEN: ${stack.token}`];
    const bareDown = await seconds(stack, [floor.url]);
    const down = await seconds(stack, [
      ...asUser,
      `${stack.url}/api/v4/projects/${project.id}/jobs/${job.id}/artifacts`,
    ]);
    const row = (figure, ours, bare) => ({
      figure,
      value: `${ours.took.toFixed(1)} s`,
      floor: `${bare.took.toFixed(1)} s`,
      ratio: bare.took / ours.took,
      goal: 0.8,
    });
    return [
      row('artifacts of 1 GB up, against a stream to disk through one proxy', up, bareUp),
      row('artifacts of 1 GB down, against the same', down, bareDown),
      { figure: 'memory added meanwhile', value: `${Math.max(up.peak, down.peak) - before} MB`, goal: 'flat' },
    ];
  } finally {
    floor.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
