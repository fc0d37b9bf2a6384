import { EventEmitter } from 'node:events';
import { Orderer, takeOrders } from './orders';

/** Two ends of a channel, as a parent and a child have them. */
function newChannel() {
  const end = () => Object.assign(new EventEmitter(), { send: (_message: unknown): boolean => true });
  const [here, there] = [end(), end()];
  const passOn = (to: EventEmitter) => (message: unknown) => {
    const copy = structuredClone(message);
    setImmediate(() => to.emit('message', copy));
    return true;
  };
  here.send = passOn(there);
  there.send = passOn(here);
  return { here: here as unknown as NodeJS.Process, there: there as unknown as NodeJS.Process };
}

describe('orders', () => {
  it('are executed by the other process, which reports each result', async () => {
    const { here, there } = newChannel();
    let end: () => void = () => undefined;
    const done: string[] = [];
    takeOrders(there, {
      hold: () => new Promise((resolve) => (end = resolve)),
      release: async () => {
        done.push('release');
      },
    });
    const orderer = new Orderer<'hold' | 'release'>(here);
    const held = orderer.give('hold').then(() => done.push('hold'));
    await orderer.give('release');
    expect(done).toEqual(['release']);
    end();
    await held;
    expect(done).toEqual(['release', 'hold']);
  });

  it('carry their arguments', async () => {
    const { here, there } = newChannel();
    const heard: unknown[] = [];
    takeOrders(there, { keep: async (detail) => void heard.push(detail) });
    const orderer = new Orderer<'keep'>(here);
    await orderer.give('keep', { name: 'root' });
    await orderer.give('keep');
    expect(heard).toEqual([{ name: 'root' }, undefined]);
  });

  it('fail with the error of the other process', async () => {
    const { here, there } = newChannel();
    takeOrders(there, { hold: () => Promise.reject(new Error('still at work')) });
    await expect(new Orderer<'hold'>(here).give('hold')).rejects.toThrow('still at work');
  });

  it('fail if the other process ended, or never existed', async () => {
    const { here } = newChannel();
    const given = new Orderer<'hold'>(here).give('hold');
    (here as unknown as EventEmitter).emit('disconnect');
    await expect(given).rejects.toThrow('has ended');
    const alone = Object.assign(new EventEmitter(), { send: undefined }) as unknown as NodeJS.Process;
    await expect(new Orderer<'hold'>(alone).give('hold')).rejects.toThrow('no channel');
  });

  it('ignores other messages on the channel', async () => {
    const { here, there } = newChannel();
    takeOrders(there, { hold: async () => undefined });
    const orderer = new Orderer<'hold'>(here);
    for (const message of ['alive?', null, { type: 'ready' }, { order: 'constructor', number: 1 }])
      (there as unknown as EventEmitter).emit('message', message);
    await orderer.give('hold');
  });
});
