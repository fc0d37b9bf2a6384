import { slugOf } from './area-document';
import type { OpenApiDocument } from './document';

/** The pages load nothing from other servers and send them nothing. Scalar's script adds inline styles. */
export const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/-/reference/page.css">
</head>
<body>
<header><strong><a href="/">Moothall</a></strong> <a href="/-/reference">All operations</a> <a href="/api/v4/openapi.json">OpenAPI</a></header>
${body}
</body>
</html>
`;

/** All operations by area, with a search within the page. */
export function indexPage(document: OpenApiDocument): string {
  const areas = document['x-tagGroups'].map(({ name, tags }) => {
    const slug = slugOf(name);
    const parts = tags.map((tag) => `<h3>${text(tag)}</h3>\n<ul>\n${listOf(document, tag, slug)}</ul>\n`);
    return `<section id="${slug}">\n<h2><a href="/-/reference/${slug}">${text(name)}</a></h2>\n${parts.join('')}</section>\n`;
  });
  const jumps = document['x-tagGroups'].map(({ name }) => `<a href="#${slugOf(name)}">${text(name)}</a>`);
  return page(
    'API reference · Moothall',
    `<main id="operations">
<h1>API reference</h1>
<p>Each operation has its parameters, responses, errors, code to copy and a form to try it. Rules for all operations:
<a href="/-/reference/${slugOf(document['x-tagGroups'][0]?.name ?? '')}#description/introduction">tokens, parameters, pages and errors</a>.</p>
<form role="search">
<label for="words">Find an operation</label>
<input id="words" type="search" autocomplete="off" placeholder="create an issue">
</form>
<p id="count" role="status"></p>
<ul id="found"></ul>
<div id="all">
<nav aria-label="Areas">${jumps.join(' ')}</nav>
${areas.join('')}</div>
</main>
<script src="/-/reference/find.js"></script>`,
  );
}

function listOf({ paths }: OpenApiDocument, tag: string, area: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, described]) => ({ ...described, path, method: method.toUpperCase() })),
  );
  const items = operations.map(({ path, method, summary, description, operationId }) => {
    const address = `/-/reference/${area}#tag/${slugOf(tag)}/${method}${path}`;
    const words = `data-name="${text(operationId)}" data-more="${text(description.split('\n', 1)[0] ?? '')}"`;
    return `<li><a href="${text(address)}" ${words}><code>${method} ${text(path)}</code> <span>${text(summary)}</span></a></li>\n`;
  });
  return items.join('');
}

/** One area, which the script renders. */
export const areaPage = page(
  'API reference · Moothall',
  `<noscript><p>This page needs scripts. The same as data: <a href="/api/v4/openapi.json">OpenAPI</a></p></noscript>
<div id="reference"></div>
<script src="/-/reference/scalar.js"></script>
<script src="/-/reference/show-area.js"></script>`,
);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const text = (value: string): string => value.replaceAll(/[&<>"]/g, (letter) => entities[letter] as string);
