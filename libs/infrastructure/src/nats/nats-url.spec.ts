import { natsUrl, readNatsUrl } from './start-nats';

describe('NATS address', () => {
  it('contains host and credentials', () => {
    expect(readNatsUrl(natsUrl(4222, 'secret'))).toEqual({
      servers: '127.0.0.1:4222',
      user: 'moothall',
      pass: 'secret',
    });
  });

  it('has no credentials if the address has none', () => {
    expect(readNatsUrl('nats://queue.internal:4222')).toEqual({ servers: 'queue.internal:4222' });
  });
});
