import { parseCommands } from './parse-commands';

const known = new Set(['close', 'label']);
const parse = (text: string) => parseCommands(text, known);

describe('quick actions in a note', () => {
  it('are removed from the text', () =>
    expect(parse('Fixed.\n/close\n/label ~bug ~"good first"\nThanks')).toEqual({
      body: 'Fixed.\nThanks',
      commands: [
        { name: 'close', argument: '' },
        { name: 'label', argument: '~bug ~"good first"' },
      ],
    }));

  it.each(['no commands here', 'see /close later', '/etc/passwd is readable', '/unknown', ' /close'])(
    'do not match %p',
    (text) => expect(parse(text)).toEqual({ body: text, commands: [] }),
  );

  it('do not match in code', () => {
    const text = '```\n/close\n```';
    expect(parse(text)).toEqual({ body: text, commands: [] });
  });

  it('run up to a limit, and others stay text', () => {
    const { body, commands } = parse('/close\n'.repeat(142_857));
    expect(commands).toHaveLength(100);
    expect(body).toHaveLength(142_757 * 7 - 1);
  });

  // A note of a million blanks blocked all services.
  it('are found in time that grows with the text', () => {
    const text = `/label ${'\t'.repeat(499_990)}\u2028${'\t'.repeat(499_990)}x`;
    expect(parse(text).commands).toEqual([{ name: 'label', argument: 'x' }]);
  });

  it('may be all there is', () =>
    expect(parse('/close')).toEqual({ body: '', commands: [{ name: 'close', argument: '' }] }));
});
