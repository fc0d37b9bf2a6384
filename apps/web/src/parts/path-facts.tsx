import { Named } from '@moothall/pages';

interface Props {
  /** Branch, tag or commit. */
  shownRef: string;
  /** Address by words. */
  links: Record<string, string>;
}

/** The ref that a page of code shows, and links to other pages of the same path. */
export const PathFacts = ({ shownRef, links }: Props) => (
  <ul class="facts">
    <li class="tag">
      <Named>{shownRef}</Named>
    </li>
    {Object.entries(links).map(([words, address]) => (
      <li key={words}>
        <a href={address}>{words}</a>
      </li>
    ))}
  </ul>
);
