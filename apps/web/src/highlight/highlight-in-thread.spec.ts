import highlight from './highlight-in-thread';

const plain = (html: string): string =>
  html.replaceAll(/<[^>]*>/g, '').replaceAll(/&(lt|gt|amp|quot|#x27);/g, (entity) => entities[entity]!);
const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#x27;': "'" };

it.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a program
  ['a.ts', 'const a = `x\n${b}\n` + "<b>&amp;";\n/* one\n two */\n'],
  ['a.md', '# Title\n\n```js\nconst a = 1;\n```\n<b>"x"</b>\n'],
  ['Dockerfile', 'FROM node\nRUN echo "a\\\n b"\n'],
  ['page.vue', '<script>\nlet a = "</script>"\n</script>\n<style>\na { b: c }\n</style>'],
  ['m.m', '@interface A\n@end'],
])('%s keeps its text, with balanced elements in each line', (name, text) => {
  const lines = highlight({ name, text })!;
  expect(lines.map(plain)).toEqual(text.split('\n'));
  for (const line of lines) {
    expect(line.match(/<span[^>]*>/g)?.length).toBe(line.match(/<\/span>/g)?.length);
    expect(line.replaceAll(/<span class="[\w\s-]+">|<\/span>/g, '')).not.toMatch(/[<>]/);
  }
  expect(lines.join('')).toContain('hljs-');
});

it.each(['a.unknown', 'LICENSE', '', 'constructor', '__proto__'])('%j has no language', (name) => {
  expect(highlight({ name, text: 'a' })).toBeNull();
});

it('does not let nested elements make a text long', () => {
  expect(highlight({ name: 'a.js', text: '`${'.repeat(200) + '\n'.repeat(30_000) })).toBeNull();
});
