import { statusFrom, viewStatus } from './user-status';

const now = Date.parse('2030-01-01T00:00:00.000Z');
const none = { emoji: null, message: null, message_html: '', availability: null, clear_status_at: null };

describe('a status', () => {
  it('has the given values, and the time when it is cleared', () => {
    expect(statusFrom({ emoji: 'tea', clear_status_after: '30_minutes' }, now)).toEqual({
      emoji: 'tea',
      clearAt: new Date(now + 1_800_000),
    });
    expect(statusFrom({ clear_status_after: null, message: '' }, now)).toEqual({ clearAt: null, message: '' });
  });

  it('is shown until its time is over', () => {
    const status = { message: '<b>', clearAt: new Date(now) };
    expect(viewStatus({ status }, now - 1)).toEqual({
      emoji: 'speech_balloon',
      message: '<b>',
      message_html: '&lt;b&gt;',
      availability: 'not_set',
      clear_status_at: '2030-01-01T00:00:00.000Z',
    });
    expect(viewStatus({ status }, now)).toEqual(none);
  });

  it.each([[{}], [{ status: {} }], [{ status: { emoji: '', message: '', availability: 'not_set' as const } }]])(
    'does not exist without values: %j',
    (user) => expect(viewStatus(user, now)).toEqual(none),
  );

  it('may contain only the availability', () =>
    expect(viewStatus({ status: { availability: 'busy' } }, now)).toMatchObject({ availability: 'busy', message: '' }));
});
