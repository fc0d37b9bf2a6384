/** The edge of the floor of notes: a bare Fastify that calls collaboration-floor.mjs over NATS. */
import fastify from 'fastify';
import { connect } from 'nats';

const [natsUrl, port] = process.argv.slice(2);
const { host, username, password } = new URL(natsUrl);
const nats = await connect({ servers: host, user: username, pass: decodeURIComponent(password) });
const app = fastify();

async function pass(subject, input, reply) {
  const { data } = await nats.request(subject, JSON.stringify(input), { timeout: 30_000 });
  return reply.type('application/json').send(Buffer.from(data));
}
app.get('/notes/:noteableId', ({ params }, reply) =>
  pass('floor.page', { noteableId: Number(params.noteableId) }, reply),
);
app.post('/notes', ({ body }, reply) => pass('floor.create', body, reply));
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.send('ready');
process.once('disconnect', () => process.exit());
