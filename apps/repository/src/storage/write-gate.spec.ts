import { setImmediate as nextTurn } from 'node:timers/promises';
import { WriteGate } from './write-gate';

const location = { id: 1, storage: 'default' };
const refused = { value: { code: 'repository_content.read_only' } };

/** A write that lasts until the test ends it. */
function heldWrite(gate: WriteGate) {
  let end: () => void = () => undefined;
  const written = gate.write(location, () => new Promise<void>((resolve) => (end = resolve)));
  return { written, end: () => end() };
}

it('lets writes pass side by side', async () => {
  const gate = new WriteGate();
  const writes = [heldWrite(gate), heldWrite(gate)];
  for (const { end } of writes) end();
  await Promise.all(writes.map(({ written }) => written));
});

it('closes once the writes under way have ended, and refuses new ones from the beginning', async () => {
  const gate = new WriteGate();
  const { written, end } = heldWrite(gate);
  let isClosed = false;
  const closing = gate.close(location).then(() => {
    isClosed = true;
  });
  await expect(gate.write(location, async () => 'late')).rejects.toMatchObject(refused);
  await nextTurn();
  expect(isClosed).toBe(false);
  end();
  await Promise.all([written, closing]);
  await expect(gate.write(location, async () => 'late')).rejects.toMatchObject(refused);
});

it('counts a write that fails as ended', async () => {
  const gate = new WriteGate();
  await expect(gate.write(location, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
  await gate.close(location);
});

it('closes for one repository on one storage only, and opens again', async () => {
  const gate = new WriteGate();
  await gate.close(location);
  expect(await gate.write({ id: 2, storage: 'default' }, async () => 'other')).toBe('other');
  expect(await gate.write({ id: 1, storage: 'second' }, async () => 'moved')).toBe('moved');
  gate.open(location);
  expect(await gate.write(location, async () => 'again')).toBe('again');
});
