import { parseSuggestions } from './parse-suggestions';

const block = (info: string, ...lines: string[]) => [`\`\`\`${info}`, ...lines, '```'].join('\n');

describe('suggestions in a text', () => {
  it('are blocks with the range that they replace', () => {
    const text = ['Better:', block('suggestion', 'a', ' b'), 'or', block('suggestion:-2+1', 'c')].join('\n');
    expect(parseSuggestions(text)).toEqual([
      { above: 0, below: 0, lines: ['a', ' b'] },
      { above: 2, below: 1, lines: ['c'] },
    ]);
  });

  it('may be empty, with any line endings', () => {
    expect(parseSuggestions('```suggestion:-0+0\r\n```\r\n')).toEqual([{ above: 0, below: 0, lines: [] }]);
  });

  it('reach a hundred lines far at most, and there are twenty', () => {
    expect(parseSuggestions(block('suggestion:-101+999999', 'a'))).toMatchObject([{ above: 100, below: 100 }]);
    expect(parseSuggestions(Array.from({ length: 30 }, () => block('suggestion', 'a')).join('\n'))).toHaveLength(20);
  });

  it('may contain shorter fences', () => {
    const text = ['````suggestion', '```suggestion', 'a', '```', '````'].join('\n');
    expect(parseSuggestions(text)).toMatchObject([{ lines: ['```suggestion', 'a', '```'] }]);
  });

  it.each([
    ['other code', block('ruby', 'a')],
    ['code that shows one', ['````', block('suggestion', 'a'), '````'].join('\n')],
    ['another word', block('suggestions', 'a')],
    ['half a range', block('suggestion:-1', 'a')],
    ['one that nobody ended', '```suggestion\na'],
    ['one that ends in other marks', '```suggestion\na\n~~~'],
  ])('are not %s', (_what, text) => {
    expect(parseSuggestions(text)).toEqual([]);
  });
});
