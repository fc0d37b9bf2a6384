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

/** The targets of addresses that are not absolute. */
export interface Roots {
  /** Of uploaded files, without a slash at the end. */
  uploads?: string | undefined;
  /** Undefined for texts that are no files: their other addresses stay as they are. */
  relative?: Relative | undefined;
}

/** Makes addresses of links and images absolute: `/x` is in the root folder of the repository. */
export function absoluteAddresses(markdown: MarkdownIt, { uploads, relative }: Roots): void {
  const lead = (address: string, root: string | undefined): string => {
    if (uploads !== undefined && ofUpload.test(address)) return uploads + address.slice('/uploads'.length);
    return relative && root !== undefined ? absolute(address, root, relative) : address;
  };
  markdown.core.ruler.push('absolute addresses', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open') token.attrSet('href', lead(String(token.attrGet('href') ?? ''), relative?.links));
      if (token.type === 'image') token.attrSet('src', lead(String(token.attrGet('src') ?? ''), relative?.images));
    }
  });
}

/** The address in the answer to an upload. */
const ofUpload = /^\/uploads\/[\da-f]{32}\/[^/]+$/;

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
