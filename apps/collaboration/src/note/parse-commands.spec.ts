import { parseCommands } from './parse-commands';

const known = new Set(['close', 'label']);
const parse = (text: string) => parseCommands(text, known);

describe('quick actions in a note', () => {
  it('are taken out of the text', () =>
    expect(parse('Fixed.\n/close\n/label ~bug ~"good first"\nThanks')).toEqual({
      body: 'Fixed.\nThanks',
      commands: [
        { name: 'close', argument: '' },
        { name: 'label', argument: '~bug ~"good first"' },
      ],
    }));

  it.each(['no commands here', 'see /close later', '/etc/passwd is readable', '/unknown', ' /close'])(
    'leave %p alone',
    (text) => expect(parse(text)).toEqual({ body: text, commands: [] }),
  );

  it('leave code alone', () => {
    const text = '```\n/close\n```';
    expect(parse(text)).toEqual({ body: text, commands: [] });
  });

  it('may be all there is', () =>
    expect(parse('/close')).toEqual({ body: '', commands: [{ name: 'close', argument: '' }] }));
});
