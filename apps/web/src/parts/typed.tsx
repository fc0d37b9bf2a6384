import type { SentForm } from '../forms/sent-form';
import { wholeText } from './form';

/** The texts of a form that is not shown again. */
export const Typed = ({ sent }: { sent: SentForm }) => {
  const typed = sent.typed();
  if (typed.length === 0) return null;
  return (
    <>
      <h2>What you typed</h2>
      {typed.map(([name, text]) => (
        <label key={name}>
          {name}
          <textarea readonly rows={text.includes('\n') ? 10 : 2} value={wholeText(text)} />
        </label>
      ))}
    </>
  );
};
