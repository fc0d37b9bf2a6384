import type { Address } from '../page/page';

/** What a form of the page has issued, so that the user can copy it. */
export const IssuedSecret = ({ name, address: { issued } }: { name: string; address: Address }) =>
  issued ? (
    <div class="notice" role="status">
      <label for="issued">{name}. It is shown only now; copy it.</label>
      <input id="issued" readOnly value={issued.secret} />
    </div>
  ) : null;
