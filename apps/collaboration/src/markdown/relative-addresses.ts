import type { MarkdownIt } from 'markdown-it';

/** Where relative links and images of a file lead. */
export interface Relative {
  /** Path of the folder of the file in its repository. */
  folder: string;
  /** Address of the root folder for links, without a slash at the end. */
  links: string;
  /** The same for images. */
  images: string;
}

/** Makes relative addresses of links and images absolute: `/x` is in the root folder of the repository. */
export function relativeAddresses(markdown: MarkdownIt, { folder, links, images }: Relative): void {
  markdown.core.ruler.push('relative addresses', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open')
        token.attrSet('href', absolute(String(token.attrGet('href') ?? ''), links, folder));
      if (token.type === 'image') token.attrSet('src', absolute(String(token.attrGet('src') ?? ''), images, folder));
    }
  });
}

function absolute(address: string, root: string, folder: string): string {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#|$)/i.test(address)) return address;
  const base = `http://repository/${folder && `${folder.split('/').map(encodeURIComponent).join('/')}/`}`;
  if (!URL.canParse(address, base)) return address;
  // `..` does not lead out of the root.
  const { pathname, search, hash } = new URL(address, base);
  return root + pathname + search + hash;
}
