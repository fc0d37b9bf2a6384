import type { MarkdownIt } from 'markdown-it';

/** Where relative links and images of a file lead. */
export interface Relative {
  /** Path of the folder of the file in its repository. */
  folder: string;
  /** Address of the root folder for links, without a slash at the end. */
  links: string;
  /** The same for images. */
  images: string;
  /** Whether it is a page of a wiki: `page` and `uploads/x` are in the root folder, `./page` and `page.md` are not. */
  wiki?: boolean;
}

/** Makes relative addresses of links and images absolute: `/x` is in the root folder of the repository. */
export function relativeAddresses(markdown: MarkdownIt, relative: Relative): void {
  const { links, images } = relative;
  markdown.core.ruler.push('relative addresses', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open')
        token.attrSet('href', absolute(String(token.attrGet('href') ?? ''), links, relative));
      if (token.type === 'image') token.attrSet('src', absolute(String(token.attrGet('src') ?? ''), images, relative));
    }
  });
}

const inFolderOfPage = /^\.|^[^?#]*\.md(?:[?#]|$)/i;

function absolute(address: string, root: string, relative: Relative): string {
  const folder = relative.wiki && !inFolderOfPage.test(address) ? '' : relative.folder;
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#|$)/i.test(address)) return address;
  const base = `http://repository/${folder && `${folder.split('/').map(encodeURIComponent).join('/')}/`}`;
  if (!URL.canParse(address, base)) return address;
  // `..` does not lead out of the root.
  const { pathname, search, hash } = new URL(address, base);
  return root + pathname + search + hash;
}
