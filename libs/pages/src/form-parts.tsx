import type { ComponentChildren } from 'preact';

/** The hidden field that binds a form to its browser. */
export const CsrfField = ({ csrf }: { csrf: string }) => <input type="hidden" name="csrf" value={csrf} />;

/** The result of a form; screen readers announce it when it appears. Without content there is no notice. */
export const Notice = ({
  kind = 'problem',
  children,
}: {
  kind?: 'problem' | 'success';
  children: ComponentChildren;
}) =>
  children ? (
    <p class={`notice ${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
      {children}
    </p>
  ) : null;

/** Asks for a confirmation of a final action, without scripts: the button is in a collapsed section. */
export const Confirmation = ({
  word,
  consequence,
  children,
}: {
  word: string;
  consequence: string;
  children: ComponentChildren;
}) => (
  <details>
    <summary class="quiet">{word}</summary>
    <p>{consequence}</p>
    {children}
  </details>
);
