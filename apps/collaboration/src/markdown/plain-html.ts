/** Elements that only change how a text looks. */
const plain = new Set(
  'b i em strong del ins s sub sup kbd br hr details summary p div span blockquote code pre ul ol li table thead tbody tr th td dl dt dd h1 h2 h3 h4 h5 h6 q samp var small mark'.split(
    ' ',
  ),
);

const tag = /<(\/?)([A-Za-z][A-Za-z0-9]{0,20})(?:[\s/][^<>]*)?>/g;
const entity = /&(?!(?:[A-Za-z][A-Za-z0-9]{1,31}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});)/g;

/**
 * Keeps only the plain elements of HTML in a text, without attributes. Everything else is escaped: the result contains
 * only the tags named here.
 */
export function plainHtml(html: string): string {
  const text = withoutComments(html);
  let answer = '';
  let at = 0;
  for (const { 0: whole, 1: slash, 2: name = '', index } of text.matchAll(tag)) {
    const element = name.toLowerCase();
    answer += escapeHtml(text.slice(at, index));
    answer += plain.has(element) ? `<${slash}${element}>` : escapeHtml(whole);
    at = index + whole.length;
  }
  return answer + escapeHtml(text.slice(at));
}

const escapeHtml = (text: string): string =>
  text.replace(entity, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function withoutComments(html: string): string {
  let answer = '';
  for (let at = 0; ; ) {
    const begin = html.indexOf('<!--', at);
    if (begin === -1) return answer + html.slice(at);
    answer += html.slice(at, begin);
    const end = html.indexOf('-->', begin + 4);
    if (end === -1) return answer;
    at = end + 3;
  }
}
