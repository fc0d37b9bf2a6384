/**
 * The floor of reads: `edge` is a bare Fastify that calls NATS, `responder` starts git for each request, like a server
 * without long-lived processes and caches, and replies with the same JSON.
 */
import { spawn } from 'node:child_process';
import fastify from 'fastify';
import { connect } from 'nats';

const [part, natsUrl, port, repository] = process.argv.slice(2);
const { host, username, password } = new URL(natsUrl);
const nats = await connect({ servers: host, user: username, pass: decodeURIComponent(password) });
const subject = 'bench.git-floor';

function git(...args) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    const child = spawn('git', [`--git-dir=${repository}`, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.once('close', (code) =>
      code === 0 ? resolve(Buffer.concat(chunks)) : reject(new Error(`git ${args[0]}: ${code}`)),
    );
  });
}

async function treePage({ path, page }) {
  const lines = (await git('ls-tree', 'main', `${path}/`)).toString().split('\n');
  return lines.slice((page - 1) * 20, page * 20).map((line) => {
    const [, mode, type, id, file] = /^(\d+) (\w+) (\w+)\t(.+)$/.exec(line);
    return { id, name: file.slice(file.lastIndexOf('/') + 1), type, path: file, mode };
  });
}

async function blob({ sha }) {
  const content = await git('cat-file', 'blob', sha);
  return { size: content.length, encoding: 'base64', content: content.toString('base64'), sha };
}

if (part === 'responder') {
  nats.subscribe(subject, {
    callback: async (_, message) => {
      const asked = message.json();
      message.respond(JSON.stringify(await (asked.sha ? blob(asked) : treePage(asked))));
    },
  });
  await nats.flush();
} else {
  const app = fastify();
  const answer = async (asked, reply) => {
    const { data } = await nats.request(subject, JSON.stringify(asked), { timeout: 30_000 });
    return reply.type('application/json').send(Buffer.from(data));
  };
  app.get('/tree', ({ query }, reply) => answer({ path: query.path, page: Number(query.page) }, reply));
  app.get('/blobs/:sha', ({ params }, reply) => answer(params, reply));
  await app.listen({ port: Number(port), host: '127.0.0.1' });
}
process.send('ready');
process.once('disconnect', () => process.exit());
