import { html, named, withoutTurns } from './html';

describe('named', () => {
  it('isolates a name, so that it cannot change the direction of the text around it', () => {
    expect(named('\u202egnp.<exe>\u2069 أداة').text).toBe('<bdi>gnp.&lt;exe&gt; أداة</bdi>');
    expect(withoutTurns('a\u2066b\u202dc')).toBe('abc');
  });
});

describe('html', () => {
  it('escapes values in text and in attributes', () => {
    const evil = `"><script>alert('&')</script>`;
    expect(html`<a title="${evil}">${evil}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</a>',
    );
  });

  it('does not escape templates, also in lists, and renders nothing for null', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}</ul>${false}${null}${undefined}${0}`.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>0');
  });
});
