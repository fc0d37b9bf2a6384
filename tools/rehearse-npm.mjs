/**
 * `npm run rehearse:npm`: uses the npm package in an empty folder like a user who tests a client with it: packs it,
 * installs it, starts it with `npx moothall`, and from a test. Takes a minute.
 */
import './help.mjs';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { print, root, runTool } from './set-up.mjs';

const mostMegabytes = 60;
const readyWithinSeconds = 10;

await runTool(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-npm-'));
  try {
    const file = pack(path.join(folder, 'packed'));
    const project = path.join(folder, 'my project');
    mkdirSync(project);
    npm(project, 'install', '--no-audit', '--no-fund', '--loglevel=error', file);
    print(`npx moothall --version: ${npm(project, 'exec', '--no', '--', 'moothall', '--version').trim()}`);
    await startByCommand(project);
    startFromTest(project);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function pack(target) {
  mkdirSync(target);
  const [{ filename }] = JSON.parse(npm(root, 'pack', '--json', '--pack-destination', target));
  const file = path.join(target, filename);
  const megabytes = statSync(file).size / 1024 ** 2;
  print(`${filename}: ${megabytes.toFixed(1)} MB.`);
  if (megabytes > mostMegabytes) throw new Error(`it has more than ${mostMegabytes} MB`);
  return file;
}

async function startByCommand(cwd) {
  const startedAt = Date.now();
  const args = ['exec', '--no', '--', 'moothall', '--ephemeral', '--until-eof'];
  const child = spawn('npm', args, { cwd, stdio: ['pipe', 'pipe', 2] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { url, token } = JSON.parse(line);
  const answer = await fetch(`${url}/api/v4/version`, { headers: { 'private-token': token } });
  const seconds = (Date.now() - startedAt) / 1000;
  print(
    `npx moothall --ephemeral: ready in ${seconds.toFixed(1)} s, and answers ${answer.status} ${await answer.text()}`,
  );
  child.stdin.end();
  if (child.exitCode === null) await once(child, 'exit');
  if (seconds > readyWithinSeconds) throw new Error(`it needs more than ${readyWithinSeconds} s`);
}

function startFromTest(cwd) {
  const test = `
    const { startMoothall } = require('moothall/testing');
    startMoothall({ seed: { users: [{ username: 'alice', tokens: [{ token: 'glpat-alice-000000000000' }] }] } }).then(async (server) => {
      const answer = await fetch(server.url + '/api/v4/user', { headers: { 'private-token': 'glpat-alice-000000000000' } });
      console.log('moothall/testing: ' + (await answer.json()).username);
      await server.stop();
    });`;
  writeFileSync(path.join(cwd, 'test.js'), test);
  const printed = execFileSync(process.execPath, ['test.js'], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  if (!printed.includes('alice')) throw new Error(`a test printed ${printed}`);
  print(printed.trim());
}

function npm(cwd, ...args) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 2] });
}
