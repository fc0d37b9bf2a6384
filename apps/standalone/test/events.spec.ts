import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventNames, publishersOf, renderEvents } from './documented-events';
import { exampleOf } from './example-of';

const page = path.resolve(__dirname, '../../../docs/events.md');

describe('docs/events.md', () => {
  it('lists all events; npm run events:accept writes it', () => {
    if (process.env.EVENTS === 'accept') writeFileSync(page, renderEvents());
    expect(readFileSync(page, 'utf8')).toBe(renderEvents());
  });

  it.each(eventNames)('$name is published by the service that its name begins with', ({ constant, name }) => {
    expect(publishersOf(constant)).toEqual([name.split('.')[0]]);
  });

  it.each(eventNames)('$name accepts its example', ({ data }) => {
    expect(data.safeParse(exampleOf(data)).error).toBeUndefined();
  });
});
