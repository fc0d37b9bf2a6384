/**
 * The floor of the mix: `edge` is a bare Fastify that calls NATS, `responder` replies with the same number of bytes as
 * the server, after an insert if the call writes.
 */
import fastify from 'fastify';
import { MongoClient } from 'mongodb';
import { connect } from 'nats';

const [part, natsUrl, port, mongodbUri] = process.argv.slice(2);
const { host, username, password } = new URL(natsUrl);
const nats = await connect({ servers: host, user: username, pass: decodeURIComponent(password) });
const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function respond(bodies) {
  const mongo = await MongoClient.connect(mongodbUri);
  const records = mongo.db('bench').collection('mix');
  bodies.forEach((body, at) => {
    const bytes = encoder.encode(body);
    nats.subscribe(`bench.mix.${at}.read`, { callback: (_, message) => message.respond(bytes) });
    nats.subscribe(`bench.mix.${at}.write`, {
      callback: async (_, message) => {
        await records.insertOne(JSON.parse(decoder.decode(message.data)));
        message.respond(bytes);
      },
    });
  });
  await nats.flush();
}

async function listen() {
  const app = fastify();
  const answer = async (subject, body, reply) => {
    const { data } = await nats.request(subject, JSON.stringify(body ?? {}), { timeout: 60_000 });
    return reply.type('application/json').send(Buffer.from(data));
  };
  app.get('/:at', ({ params }, reply) => answer(`bench.mix.${params.at}.read`, undefined, reply));
  for (const method of ['post', 'put']) {
    app[method]('/:at', ({ params, body }, reply) => answer(`bench.mix.${params.at}.write`, body, reply));
  }
  await app.listen({ port: Number(port), host: '127.0.0.1' });
}

process.once('message', async ({ bodies }) => {
  await (part === 'responder' ? respond(bodies) : listen());
  process.send('ready');
});
process.once('disconnect', () => process.exit());
