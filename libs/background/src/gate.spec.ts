import { Gate } from './gate';

describe('Gate', () => {
  const later = () => {
    let end: (error?: Error) => void = () => undefined;
    const ended = new Promise<void>((resolve, reject) => {
      end = (error) => (error ? reject(error) : resolve());
    });
    return { ended, end: (error?: Error) => end(error) };
  };

  it('is closed after all holders have ended, with or without errors', async () => {
    const gate = new Gate();
    const [first, second] = [later(), later()];
    const works = [gate.pass(() => first.ended), gate.pass(() => second.ended)];
    let isClosed = false;
    const closing = gate.close().then(() => {
      isClosed = true;
    });
    first.end();
    await works[0];
    expect(isClosed).toBe(false);
    second.end(new Error('it failed'));
    await expect(works[1]).rejects.toThrow('it failed');
    await closing;
  });

  it('delays callers while it is closed', async () => {
    const gate = new Gate();
    await gate.close();
    const order: string[] = [];
    const work = gate.pass(async () => order.push('inside'));
    await new Promise(setImmediate);
    order.push('opened');
    gate.open();
    await work;
    expect(order).toEqual(['opened', 'inside']);
  });

  it('stays closed until everyone who closed it has opened it', async () => {
    const gate = new Gate();
    const inside = later();
    const work = gate.pass(() => inside.ended);
    const closing = [gate.close(), gate.close()];
    gate.open();
    closing.push(gate.close());
    inside.end();
    await Promise.all([work, ...closing]);
    gate.open();
    await gate.pass(async () => undefined);
  });

  it('may be closed again while callers wait', async () => {
    const gate = new Gate();
    await gate.close();
    let isInside = false;
    const work = gate.pass(async () => {
      isInside = true;
    });
    gate.open();
    await gate.close();
    await new Promise(setImmediate);
    expect(isInside).toBe(false);
    gate.open();
    await work;
    expect(isInside).toBe(true);
  });
});
