import { getRawFile, type ProjectRef } from '@moothall/contracts';
import type { HighlightedLines } from '../../highlight/highlighter';
import type { Address } from '../../page/page';
import { below, type Found, nameOf } from '../../parts/code-address';
import { Document, type DocumentShown, isMarkdown, RestOfFile, readDocument } from '../../parts/document';
import { Lines } from '../../parts/lines';
import { readText } from '../../visit/read-text';
import type { Visit } from '../../visit/visits';

const limit = 128 * 1024;
const images = /\.(avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i;

type Kind =
  | { kind: 'binary' | 'image' }
  | { kind: 'document'; document: DocumentShown }
  | { kind: 'text'; text: string; isCut: boolean; highlighted: HighlightedLines };

export interface FileShown {
  name: string;
  rawPath: string;
  blamePath: string;
  sizeBytes: number;
  isMarkdown: boolean;
  shown: Kind;
}

/** Reads the beginning of a file. With `?plain=1`, Markdown is not rendered. */
export async function readFile(visit: Visit, project: ProjectRef, found: Found, address: Address): Promise<FileShown> {
  const name = nameOf(found.path);
  return {
    name,
    rawPath: below(project, 'raw', found.ref, found.path),
    blamePath: below(project, 'blame', found.ref, found.path),
    sizeBytes: found.size ?? 0,
    isMarkdown: isMarkdown(name),
    shown: await kindOf(visit, project, found, address),
  };
}

async function kindOf(visit: Visit, project: ProjectRef, found: Found, address: Address): Promise<Kind> {
  const name = nameOf(found.path);
  if (images.test(name)) return { kind: 'image' };
  if (isMarkdown(name) && address.query.get('plain') !== '1') {
    const document = await readDocument(visit, project, found);
    if (document && !isBinary(document.text)) return { kind: 'document', document };
  }
  const asked = { id: String(project.id), file_path: found.path, ref: found.commit_id };
  const { text, isCut } = await readText(await visit.ask(getRawFile, asked), limit);
  if (isBinary(text)) return { kind: 'binary' };
  return { kind: 'text', text, isCut, highlighted: await visit.highlight({ name, text }) };
}

const isBinary = (text: string): boolean => text.includes('\0');

export const ShownFile = ({ name, rawPath, blamePath, sizeBytes, isMarkdown, shown }: FileShown) => (
  <>
    <ul class="facts">
      <li>{sizeBytes.toLocaleString('en')} bytes</li>
      <li>
        <a href={rawPath}>Raw file</a>
      </li>
      {shown.kind !== 'binary' && shown.kind !== 'image' && (
        <li>
          <a href={blamePath}>Blame</a>
        </li>
      )}
      {isMarkdown && (
        <li>{shown.kind === 'document' ? <a href="?plain=1">Source</a> : <a href="?">Rendered text</a>}</li>
      )}
    </ul>
    <Shown name={name} rawPath={rawPath} shown={shown} />
  </>
);

const Shown = ({ name, rawPath, shown }: Pick<FileShown, 'name' | 'rawPath' | 'shown'>) => {
  switch (shown.kind) {
    case 'image':
      return <img src={rawPath} alt={name} />;
    case 'binary':
      return <p>This file is not a text.</p>;
    case 'document':
      return <Document {...shown.document} />;
    case 'text':
      return (
        <>
          <Lines label={name} {...shown} />
          {shown.isCut && <RestOfFile rawPath={rawPath} />}
        </>
      );
  }
};
