import { linkReferences, type Target } from './linked-references';
import { keyOf } from './references-in';
import renderAll, { type Work } from './render-in-thread';

const mostCharacters = 1_000_000;
const work = (text: string, over: Partial<Work> = {}) =>
  renderAll({ texts: [text], gfm: true, mostCharacters, ...over })[0]!;
const html = (text: string, over: Partial<Work> = {}, targets = new Map<string, Target>()) => {
  const outcome = work(text, over);
  if ('isTooLong' in outcome) return 'too long';
  return linkReferences(outcome.html, outcome.references, targets, mostCharacters)?.trim() ?? 'too long';
};
const rel = ' rel="nofollow noreferrer noopener"';

it.each([
  ['**a** ~~b~~', '<p><strong>a</strong> <s>b</s></p>'],
  ['- [ ] a\n- [x] b', /<li><input type="checkbox" disabled> a<\/li>\n<li><input type="checkbox" disabled checked> b/],
  ['|a|\n|-|\n|1|', /<table>[\s\S]*<td>1<\/td>/],
  [
    '|a|b|c|d|\n|:-|:-:|-:|-|\n|1|2|3|4|',
    /<td align="left">1<\/td>\n<td align="center">2<\/td>\n<td align="right">3<\/td>\n<td>4/,
  ],
  ['|a|\n|:-:|\n|1|', /^(?![\s\S]*style)[\s\S]*<th align="center">a<\/th>/],
  ['https://a.example/x', `<p><a href="https://a.example/x"${rel}>https://a.example/x</a></p>`],
  ['README.md', '<p>README.md</p>'],
  ['www.a.example/x?y.', `<p><a href="http://www.a.example/x?y"${rel}>www.a.example/x?y</a>.</p>`],
  ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
  ['[x](JaVaScRiPt&#58;alert(1))', /^(?!.*href)/],
  ['<javascript:alert(1)>', /^(?!.*href)/],
  ['[x](data:text/html,x)', /^(?!.*href)/],
  ['![x](vbscript:x)', /^(?!.*src)/],
  ['[x](/a "t&quot; onclick=&quot;x")', /title="t&quot; onclick=&quot;x"/],
  ['<b onclick="x">a</b><script>x</script>', '<p><b>a</b>&lt;script&gt;x&lt;/script&gt;</p>'],
  ['<div>\n<iframe src=x></iframe>\n</div>', '<div>\n&lt;iframe src=x&gt;&lt;/iframe&gt;\n</div>'],
  ['```"><script>\nx\n```', /^<pre><code class="language-&quot;&gt;&lt;script&gt;">/],
])('makes of %p %p', (text, answer) => {
  const made = html(text);
  if (typeof answer === 'string') expect(made).toBe(answer);
  else expect(made).toMatch(answer);
});

describe('a reference', () => {
  const nameOfOne = { kind: 'issue', project: null, name: '1' } as const;
  const targets = new Map([[keyOf(nameOfOne), { href: 'http://h/"1', text: '#1 <x>', title: '<b>"' }]]);
  const link = '<a href="http://h/&quot;1" title="&lt;b&gt;&quot;" class="gfm gfm-issue">#1 &lt;x&gt;</a>';

  it('is a link if it is resolved', () => {
    expect(html('#1 #2 #1', {}, targets)).toBe(`<p>${link} #2 ${link}</p>`);
    expect(html('`#1` [#1](/x)', {}, targets)).not.toContain('http://h/');
    expect(html('#1', { gfm: false }, targets)).toBe('<p>#1</p>');
  });

  it('that is not resolved stays as it was written', () => {
    expect(html('~"a & b"')).toBe('<p>~&quot;a &amp; b&quot;</p>');
  });

  it('cannot be forged by characters of the text', () => {
    const forged = 'a\x000\0x\0 &#0;0&#0; \u0000 `\0` <b>\x001</b>';
    expect(html(`#1 ${forged}`, {}, targets)).toBe(`<p>${link} ${html(forged).slice('<p>'.length)}`);
    expect(html(forged)).not.toContain('\0');
  });

  it('is one of at most fifty in a text', () => {
    const text = Array.from({ length: 80 }, (_, at) => `#${80 - at}`).join(' ');
    const outcome = work(text);
    expect('references' in outcome && outcome.references).toHaveLength(50);
    expect(html(text, {}, targets)).toBe(`<p>${text}</p>`);
  });

  it('does not make a text too long', () => {
    const long = new Map([[keyOf(nameOfOne), { href: '/1', text: '#1', title: 'x'.repeat(1000) }]]);
    expect(html('#1 '.repeat(500), {}, long)).toContain('x');
    expect(html('#1 '.repeat(2000), {}, long)).toBe('too long');
  });
});

it('refuses output that is too long', () => {
  const text = `[a]: http://x.example/${'y'.repeat(1000)}\n\n${'[a] '.repeat(2000)}`;
  expect(work(text)).toEqual({ isTooLong: true });
});

describe('a file in the folder docs/a b', () => {
  const relative = { folder: 'docs/a b', links: '/g/p/-/blob/main', images: '/g/p/-/raw/main' };

  it.each([
    ['[x](y.md)', '/g/p/-/blob/main/docs/a%20b/y.md'],
    ['[x](./y%20z.md?plain=1#L3)', '/g/p/-/blob/main/docs/a%20b/y%20z.md?plain=1#L3'],
    ['[x](../y.md)', '/g/p/-/blob/main/docs/y.md'],
    ['[x](../../../../y.md)', '/g/p/-/blob/main/y.md'],
    ['[x](/y.md)', '/g/p/-/blob/main/y.md'],
    ['[x][1]\n\n[1]: y.md', '/g/p/-/blob/main/docs/a%20b/y.md'],
    ['![x](y.png)', '/g/p/-/raw/main/docs/a%20b/y.png'],
    ['[![x](y.png)](#)', '/g/p/-/raw/main/docs/a%20b/y.png'],
    ['[x](#y)', '#y'],
    ['[x](https://a.example/y)', 'https://a.example/y'],
    ['[x](//a.example/y)', '//a.example/y'],
    ['[x](mailto:y@a.example)', 'mailto:y@a.example'],
    ['[x](/\\\\a.example/y)', '/g/p/-/blob/main/%5Ca.example/y'],
  ])('%p leads to %p', (text, address) => {
    expect(html(text, { roots: { relative } })).toMatch(
      new RegExp(`(href|src)="${address.replaceAll(/[?.]/g, '\\$&')}"`),
    );
  });

  it.each([
    ['[x](y)', '/g/p/-/blob/main/y'],
    ['![x](uploads/0/y.png)', '/g/p/-/raw/main/uploads/0/y.png'],
    ['[x](./y)', '/g/p/-/blob/main/docs/a%20b/y'],
    ['[x](../y#z)', '/g/p/-/blob/main/docs/y#z'],
    ['[x](y.md?z)', '/g/p/-/blob/main/docs/a%20b/y.md?z'],
    ['[x](y?z.md)', '/g/p/-/blob/main/y?z.md'],
    ['[x](/y.md)', '/g/p/-/blob/main/y.md'],
  ])('that is a page of a wiki: %p leads to %p', (text, address) => {
    expect(html(text, { roots: { relative: { ...relative, wiki: true } } })).toContain(`="${address}"`);
  });

  it('that is in the root folder leads to files there', () => {
    expect(html('[x](y.md)', { roots: { relative: { ...relative, folder: '' } } })).toContain(
      'href="/g/p/-/blob/main/y.md"',
    );
  });
});

describe('an uploaded file', () => {
  const roots = { uploads: '/-/project/7/uploads' };
  const upload = `/uploads/${'0a'.repeat(16)}/a%20b.png`;
  const relative = { folder: '', links: '/g/p/-/blob/main', images: '/g/p/-/raw/main' };

  it.each([{ roots }, { roots: { ...roots, relative } }])('is in its project: %j', (over) => {
    expect(html(`![x](${upload})`, over)).toContain(`<img src="/-/project/7${upload}"`);
    expect(html(`[x](${upload})`, over)).toContain(`<a href="/-/project/7${upload}"`);
  });

  it.each(['/uploads/x/a.png', `${upload}/../../x`, `/g/p${upload}`, `https://a.example${upload}`])(
    'is not at %s',
    (address) => {
      expect(html(`![x](${address})`, { roots })).toContain(`<img src="${address}"`);
    },
  );
});

describe('a heading', () => {
  const anchored = (text: string, over: Partial<Work> = {}) => html(text, { anchors: true, ...over });

  it('of the API has no anchor', () => {
    expect(html('# Usage')).toBe('<h1>Usage</h1>');
  });

  it.each([
    ['# Usage', '<h1><a name="usage" href="#usage">Usage</a></h1>'],
    ['Set up\nand use\n---', '<h2><a name="set-up-and-use" href="#set-up-and-use">Set up\nand use</a></h2>'],
    ['## *Set* `up` (v1.2) -- now!', /name="set-up-v12-now" href="#set-up-v12-now"/],
    ['### snake_case & more', /name="snake_case-more"/],
    ['# Größe 東京', /name="größe-東京" href="#gr%C3%B6%C3%9Fe-%E6%9D%B1%E4%BA%AC"/],
    ['# 2024', /name="anchor-2024"/],
    ['# "><script>x</script>', '<h1><a name="x" href="#x">&quot;&gt;&lt;script&gt;x&lt;/script&gt;</a></h1>'],
    ['# <b>Bold</b>', '<h1><a name="bold" href="#bold"><b>Bold</b></a></h1>'],
    [
      '# ![a picture](/x.png) Name',
      /^<h1><a name="name" href="#name"><img src="\/x.png" alt="a picture"> Name<\/a><\/h1>$/,
    ],
    ['# See [x](/y)', `<h1><a name="see-x"></a>See <a href="/y"${rel}>x</a></h1>`],
    ['# https://a.example', /^<h1><a name="httpsaexample"><\/a><a href="https:\/\/a.example"/],
    ['#', '<h1></h1>'],
    ['# !?', '<h1>!?</h1>'],
    ['> # Quoted', /<h1><a name="quoted" href="#quoted">Quoted<\/a><\/h1>/],
  ])('%j is %p', (text, answer) => {
    if (typeof answer === 'string') expect(anchored(text)).toBe(answer);
    else expect(anchored(text)).toMatch(answer);
  });

  it('with a reference is no link, and its name is the same with and without the title of the reference', () => {
    const reference = { kind: 'issue', project: null, name: '1' } as const;
    const targets = new Map([[keyOf(reference), { href: '/1', text: '#1 (closed)', title: 'T' }]]);
    expect(anchored('# About #1')).toBe('<h1><a name="about-1"></a>About #1</h1>');
    expect(html('# About #1', { anchors: true }, targets)).toBe(
      '<h1><a name="about-1"></a>About <a href="/1" title="T" class="gfm gfm-issue">#1 (closed)</a></h1>',
    );
  });

  it('has a name of its own beside the same headings', () => {
    const names = (text: string) => [...anchored(text).matchAll(/name="([^"]*)"/g)].map(([, name]) => name);
    expect(names('# a\n# A\n# a\n# a-1\n# a')).toEqual(['a', 'a-1', 'a-2', 'a-1-1', 'a-3']);
    expect(names('# a-1\n# a\n# a\n# constructor')).toEqual(['a-1', 'a', 'a-2', 'constructor']);
  });

  it('of many takes a time that grows with their number', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `# a-${at}\n# a\n`).join('');
    const names = [...anchored(many(5000)).matchAll(/name="([^"]*)"/g)].map(([, name]) => name);
    expect(new Set(names).size).toBe(10_000);
  });
});

describe('an anchor in HTML', () => {
  it.each([
    ['<a id="usage"></a>', '<p><a name="usage"></a></p>'],
    ["a <A NAME='v1.0'></A> b", '<p>a <a name="v1.0"></a> b</p>'],
    ['## <a id="1"></a>Usage', '<h2><a name="usage"></a><a name="1"></a>Usage</h2>'],
  ])('%j is kept as %j', (text, answer) => {
    expect(html(text, { anchors: true })).toBe(answer);
    expect(html(text)).toContain('&lt;');
  });

  it.each([
    '<a id="x" onclick="y"></a>',
    '<a href="javascript:x"></a>',
    '<a id="x">y</a>',
    '<a id="x&quot;y"></a>',
    '<a id="x<y"></a>',
    '<a id="x\' y"></a>',
    '<a id=x></a>',
    '<a id=""></a>',
    `<a id="${'x'.repeat(201)}"></a>`,
    '<a id="x">',
    '`<a id="x"></a>`',
  ])('%j is shown as text', (text) => {
    expect(html(text, { anchors: true })).not.toContain('<a');
  });
});

it('renders several texts, each one for itself', () => {
  const texts = ['# A\n\n[x]: /x\n\n#1', '# A\n\n[x] #2', 'a'.repeat(1000)];
  const [one, two, three] = renderAll({ texts, gfm: true, mostCharacters: 100, anchors: true });
  const references = (name: string) => [{ kind: 'issue', project: null, name }];
  const heading = '<h1><a name="a" href="#a">A</a></h1>\n';
  const marked = (text: string) => ['', 0, text, ''].join('\0');
  expect(one).toEqual({ html: `${heading}<p>${marked('#1')}</p>\n`, references: references('1') });
  expect(two).toEqual({ html: `${heading}<p>[x] ${marked('#2')}</p>\n`, references: references('2') });
  expect(three).toEqual({ isTooLong: true });
});
