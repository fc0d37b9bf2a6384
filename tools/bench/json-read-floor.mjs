/** The floor of json-read: `edge` is a bare Fastify that calls NATS, `responder` replies with prepared bytes. */
import fastify from 'fastify';
import { connect } from 'nats';

const [part, natsUrl, port] = process.argv.slice(2);
const { host, username, password } = new URL(natsUrl);
const nats = await connect({ servers: host, user: username, pass: decodeURIComponent(password) });
const subject = 'bench.floor';

process.once('message', async ({ body }) => {
  if (part === 'responder') {
    const bytes = new TextEncoder().encode(body);
    nats.subscribe(subject, { callback: (_, message) => message.respond(bytes) });
    await nats.flush();
  } else {
    const app = fastify();
    app.get('/', async (_, reply) => {
      const { data } = await nats.request(subject, '{}');
      reply.type('application/json').send(Buffer.from(data));
      return reply;
    });
    await app.listen({ port: Number(port), host: '127.0.0.1' });
  }
  process.send('ready');
});
process.once('disconnect', () => process.exit());
