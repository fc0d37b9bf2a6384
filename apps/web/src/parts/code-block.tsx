import type { ComponentChildren } from 'preact';

/** Lines of code, each a `span`; wide ones scroll. */
export const CodeBlock = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
  <section class="code" aria-label={label} tabIndex={0}>
    <pre>{children}</pre>
  </section>
);
