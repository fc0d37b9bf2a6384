import { CursorTable, type Source } from './cursor-table';

const MINUTE = 60_000;

class Watched implements Source {
  isClosed = false;

  async nextBatch(): Promise<{ documents: Buffer[]; isDone: boolean }> {
    return { documents: [], isDone: true };
  }

  close(): void {
    this.isClosed = true;
  }
}

let table: CursorTable;

beforeEach(() => {
  table = new CursorTable();
});
afterEach(() => table.close());

test('an unused cursor is closed after ten minutes, with its source', () => {
  const source = new Watched();
  const id = table.open('a.b', source);
  table.closeIdle(Date.now() + 9 * MINUTE);
  table.release(table.use(id));
  table.closeIdle(Date.now() + 11 * MINUTE);
  expect(source.isClosed).toBe(true);
  expect(() => table.use(id)).toThrow(expect.objectContaining({ code: 43 }));
});

test('one that is being read, or was opened without time-out, is not', () => {
  const busy = table.open('a.b', new Watched());
  const kept = table.open('a.b', new Watched(), true);
  table.use(busy);
  table.closeIdle(Date.now() + 60 * MINUTE);
  expect(table.size).toBe(2);
  expect(table.use(kept).namespace).toBe('a.b');
});

test('two concurrent calls cannot read one cursor', () => {
  const id = table.open('a.b', new Watched());
  const cursor = table.use(id);
  expect(() => table.use(id)).toThrow(expect.objectContaining({ code: 12051 }));
  table.release(cursor);
  table.use(id);
});

test('a killed cursor is closed and gone', () => {
  const source = new Watched();
  const id = table.open('a.b', source);
  expect(table.kill(id)).toBe(true);
  expect(source.isClosed).toBe(true);
  expect(table.kill(id)).toBe(false);
});

test('all are closed with the table', () => {
  const sources = [new Watched(), new Watched()];
  for (const source of sources) table.open('a.b', source);
  table.close();
  expect(sources.every(({ isClosed }) => isClosed)).toBe(true);
});
