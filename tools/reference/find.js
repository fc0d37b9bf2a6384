/* Finds operations among the links of the page, best first. */
import MiniSearch from 'minisearch';

const most = 50;
const ignored = new Set('a an the of to in by for and or is with its my'.split(' '));

/** Words in normalized form: lower case, and without the s of a plural. */
function wordOf(term) {
  const word = term.toLowerCase();
  return ignored.has(word) ? null : word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');
}

const links = [...document.querySelectorAll('#all a[data-name]')];
const operations = links.map((link, id) => ({
  id,
  summary: link.querySelector('span').textContent,
  path: link.querySelector('code').textContent,
  name: link.dataset.name,
  more: link.dataset.more,
}));

const index = new MiniSearch({
  fields: ['summary', 'path', 'name', 'more'],
  processTerm: wordOf,
  searchOptions: {
    boost: { summary: 4, name: 2 },
    prefix: (term) => term.length > 2,
    fuzzy: (term) => term.length > 4 && 0.2,
    // Among equal results, most readers look for the operation that creates the resource.
    boostDocument: (id) => (operations[id].name.endsWith('.create') ? 1.2 : 1),
  },
});
index.addAll(operations);

const field = document.querySelector('#words');
const found = document.querySelector('#found');
const count = document.querySelector('#count');
const all = document.querySelector('#all');

/** Operations with all words, or else those with some. */
function search(words) {
  const withAll = index.search(words, { combineWith: 'AND' });
  return withAll.length > 0 ? withAll : index.search(words, { combineWith: 'OR' });
}

function show() {
  const words = field.value.trim();
  const hits = words === '' ? [] : search(words);
  all.hidden = hits.length > 0;
  count.textContent = words === '' ? '' : `${hits.length} found`;
  found.replaceChildren(...hits.slice(0, most).map(({ id }) => links[id].parentElement.cloneNode(true)));
}

/** Old links to operations point to this page; each area has its own page now. */
function follow() {
  const link = window.location.hash && links.find(({ hash }) => hash === window.location.hash);
  if (link) window.location.replace(link.href);
}

field.addEventListener('input', show);
field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
follow();
show();
